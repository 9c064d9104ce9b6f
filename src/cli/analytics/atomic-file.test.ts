// Files that are there whole or not at all.

import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import { writeFileAtomically } from './atomic-file.ts'

let folder: string
before(async () => {
  folder = await temporaryFolder('atomic-file')
})
after(() => removeFolder(folder))

async function* failing() {
  yield 'half'
  await Promise.resolve()
  throw new Error('the source broke off')
}

async function* endless() {
  for (;;) {
    await new Promise((resolve) => void setImmediate(resolve))
    yield 'more'
  }
}

test('a file is replaced when all of it is there', async () => {
  const file = join(folder, 'a.csv')
  await writeFile(file, 'old')
  async function* parts() {
    yield 'one\n'
    yield 'two\n'
  }
  await writeFileAtomically(file, parts(), new AbortController().signal)
  assert.equal(await readFile(file, 'utf8'), 'one\ntwo\n')
})

test('an aborted write leaves the old file unchanged and no other file', async () => {
  const file = join(folder, 'b.csv')
  await writeFile(file, 'old')
  await assert.rejects(writeFileAtomically(file, failing(), new AbortController().signal), /broke off/)
  const stop = new AbortController()
  const written = writeFileAtomically(file, endless(), stop.signal)
  setImmediate(() => stop.abort(new Error('stopped')))
  await assert.rejects(written)
  assert.equal(await readFile(file, 'utf8'), 'old')
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('b')),
    ['b.csv'],
  )
})
