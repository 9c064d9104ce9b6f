import assert from 'node:assert/strict'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { removeFolder, temporaryFolder } from '../../test/support/temporary.ts'
import { createKeyFile, readKeyFile, replaceKeyFile } from './key-file.ts'
import { generateKey, parseKeys } from './keys.ts'

async function place(t: TestContext) {
  const folder = await temporaryFolder('key-file')
  t.after(() => removeFolder(folder))
  return { folder, path: join(folder, 'secret.key') }
}

test('a key file is created for its owner alone, and nothing else is left', async (t) => {
  const { folder, path } = await place(t)
  assert.equal(await readKeyFile(path), undefined)
  const key = generateKey()
  await createKeyFile(path, key)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(folder), ['secret.key'])
  const read = await readKeyFile(path)
  assert.deepEqual([read?.lines, read?.ring[0].id], [[key], parseKeys(key)[0].id])
})

test('processes that create the file at once all read the same key', async (t) => {
  const { folder, path } = await place(t)
  const create = async () => {
    await createKeyFile(path, generateKey())
    return (await readKeyFile(path))?.lines[0]
  }
  const keys = await Promise.all(Array.from({ length: 20 }, create))
  assert.equal(new Set(keys).size, 1)
  assert.deepEqual(await readdir(folder), ['secret.key'])
})

test('replacing the keys keeps the order and the rights', async (t) => {
  const { folder, path } = await place(t)
  const [old, next] = [generateKey(), generateKey()]
  await createKeyFile(path, old)
  await replaceKeyFile(path, [next, old])
  assert.deepEqual((await readKeyFile(path))?.lines, [next, old])
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(folder), ['secret.key'])
  assert.match(await readFile(path, 'utf8'), /^# These keys encrypt/)
})

test('a key file that others can read is refused', async (t) => {
  const { path } = await place(t)
  await createKeyFile(path, generateKey())
  for (const mode of [0o604, 0o640, 0o602, 0o610, 0o666]) {
    await chmod(path, mode)
    await assert.rejects(readKeyFile(path), { code: 'config_invalid', message: /Others can read .*chmod 600/ })
  }
  await chmod(path, 0o400)
  assert.equal((await readKeyFile(path))?.lines.length, 1)
})

test('a key file without keys is refused, and the message shows nothing of it', async (t) => {
  const { path } = await place(t)
  for (const content of [
    '',
    '# only a comment\n',
    'not-a-key-but-secret\n',
    `${generateKey()}\nnot-a-key-but-secret\n`,
  ]) {
    await writeFile(path, content, { mode: 0o600 })
    await assert.rejects(
      readKeyFile(path),
      (error: Error) => error.message.includes(path) && !error.message.includes('not-a-key'),
    )
  }
})
