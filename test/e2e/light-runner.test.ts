// The runner of test/run.ts knows the test to which code belongs, also after waiting: an error that nothing catches fails
// its own test at once, and a test that a suite adds late belongs to the suite.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const runner = fileURLToPath(new URL('../run.ts', import.meta.url))

/** The test whose error nothing catches would otherwise wait until its limit. */
const planted = `
  import { before, beforeEach, suite, test } from 'node:test'
  import { setTimeout as delay } from 'node:timers/promises'
  await delay(1)
  test('throws later', async () => {
    await delay(1)
    setTimeout(() => { throw new Error('thrown in a timer') }, 1)
    await delay(500_000, undefined, { ref: false })
  })
  test('rejects later', async () => {
    void delay(1).then(() => { throw new Error('rejected unseen') })
    await delay(500_000, undefined, { ref: false })
  })
  suite('adds late', async () => {
    await delay(1)
    let made = ''
    before(async () => void (made += await delay(1, 'once ')))
    beforeEach(async () => void (made += await delay(1, 'each ')))
    test('sees the hooks of its suite', async (t) => {
      await delay(1)
      await t.test('and has a part', () => { if (made !== 'once each each ') throw new Error(made) })
    })
  })
  test('is over', () => void setTimeout(() => { throw new Error('thrown after the end') }, 1))
  test('passes', async () => await delay(50))
`

test('an error that nothing catches fails its test; a late test is in its suite', async (t) => {
  const folder = await temporaryFolder('planted')
  t.after(() => removeFolder(folder))
  const file = join(folder, 'planted.test.mjs')
  await writeFile(file, planted)
  const { code, output } = await run(file)
  assert.equal(code, 1)
  const plain = output.replaceAll(/ \([\d.]+ms\)/g, '')
  assert.match(
    plain,
    /✖ throws later\n {2}✖ rejects later\n {2}▶ adds late\n {4}▶ sees the hooks of its suite\n {6}✔ and has a part\n/,
  )
  assert.match(plain, /Test "is over" at .* generated asynchronous activity after the test ended/)
  assert.match(plain, /pass 4\n.*fail 2\n/)
  for (const message of ['thrown in a timer', 'rejected unseen']) {
    assert.match(plain, new RegExp(`failing tests:[^]*Error: ${message}\n`))
  }
})

function run(file: string): Promise<{ readonly code: unknown; readonly output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; output: string }>()
  // A runner inside a runner would report to the outer one.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  execFile(process.execPath, [runner, file], { env: { ...env, TEST_GROUP: 'true' } }, (error, stdout, stderr) =>
    resolve({ code: error?.code ?? 0, output: stdout + stderr }),
  )
  return promise
}
