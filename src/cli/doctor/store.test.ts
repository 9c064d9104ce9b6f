import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import { checkEmbedded } from './store.ts'

test('damaged files of page views are a warning that says where they are', async (t) => {
  const directory = await temporaryFolder('store')
  t.after(() => removeFolder(directory))
  assert.equal((await checkEmbedded(directory)).state, 'ok')
  const folder = join(directory, 'incoming')
  await mkdir(folder)
  await writeFile(join(folder, '0000000000000001.segment'), '')
  assert.equal((await checkEmbedded(directory)).state, 'ok')
  await writeFile(join(folder, '0000000000000002.segment.damaged'), '')
  const { state, says, todo = '' } = await checkEmbedded(directory)
  assert.equal(state, 'warning')
  assert.match(says, /^1 file was damaged/)
  assert.ok(todo.includes(`${folder}/*.damaged`))
})
