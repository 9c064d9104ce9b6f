// The output of a test run when one of them fails and leaves something open: both facts, in words.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const guard = fileURLToPath(new URL('../support/leaks.ts', import.meta.url))

const leaking = `
  import { createServer } from 'node:net'
  import { test } from 'node:test'
  test('leaks', async () => {
    await new Promise((resolve) => createServer().listen(0, '127.0.0.1', resolve))
    throw new Error('the reason')
  })
  test('passes', () => {})
`

test('a run that leaks a server and fails names the leak and prints the failure', async (t) => {
  const folder = await temporaryFolder('leaking')
  t.after(() => removeFolder(folder))
  const file = join(folder, 'leaking.test.mjs')
  await writeFile(file, leaking)
  const { code, output } = await runTests(file)
  assert.equal(code, 1)
  assert.match(output, /The tests left behind: .*TCPServerWrap/)
  assert.match(output, /tests 2/)
  assert.match(output, /failing tests:[^]*Error: the reason/)
})

function runTests(file: string): Promise<{ readonly code: unknown; readonly output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; output: string }>()
  const options = ['--test', '--test-isolation=none', '--test-reporter=spec', '--import', guard, file]
  // A runner inside a runner would report to the outer one.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  execFile(process.execPath, options, { env }, (error, stdout, stderr) =>
    resolve({ code: error?.code ?? 0, output: stdout + stderr }),
  )
  return promise
}
