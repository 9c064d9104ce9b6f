// The rights of what is made inside a data directory that others may enter.

import assert from 'node:assert/strict'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { removeFolder, temporaryFolder } from '../../test/support/temporary.ts'
import { lockDirectory } from './directory-lock.ts'
import { makePrivateFolder } from './folder.ts'

let folder: string
before(async () => {
  folder = await temporaryFolder('rights')
  await chmod(folder, 0o755)
})
after(() => removeFolder(folder))

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test('a folder is made for its owner alone, and an existing one is closed to others', async () => {
  const path = join(folder, 'clickhouse')
  await makePrivateFolder(path)
  assert.equal(await modeOf(path), 0o700)
  await chmod(path, 0o755)
  await makePrivateFolder(path)
  assert.equal(await modeOf(path), 0o700)
})

test('the lock file is for its owner alone, also where an earlier release left it open', async () => {
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o755 })
  await writeFile(join(data, 'lock.db'), '', { mode: 0o644 })
  const lock = lockDirectory(data)
  assert.equal(await modeOf(join(data, 'lock.db')), 0o600)
  lock?.release()
})
