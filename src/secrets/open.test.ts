import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { openTestDatabase } from '../../test/support/engine.ts'
import { removeFolder, temporaryFolder } from '../../test/support/temporary.ts'
import type { Postgres } from '../postgres/types.ts'
import { replaceCheck } from './check.ts'
import { readKeyFile } from './key-file.ts'
import { generateKey, parseKeys } from './keys.ts'
import { openSecrets } from './open.ts'
import { SecretUnreadable } from './secrets.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

/** A new installation: a database in which no start was, and an empty folder. */
async function arrange(t: TestContext) {
  const { db } = postgres
  const folder = await temporaryFolder('secrets')
  t.after(async () => {
    await db.deleteFrom('secret_check').execute()
    await removeFolder(folder)
  })
  const keyFile = join(folder, 'secret.key')
  const warnings: string[] = []
  const log = { warn: (_: unknown, words?: string) => void warnings.push(words ?? '') }
  const open = (setting?: string) =>
    openSecrets({ db, keyFile, log, setting: setting === undefined ? undefined : parseKeys(setting) })
  return { db, keyFile, warnings, open }
}

test('the first start creates a key file, and the next one uses it', async (t) => {
  const { open, keyFile, warnings } = await arrange(t)
  const value = (await open()).encrypt('prj_1', 'credential', 'secret')
  const again = await open()
  assert.equal(again.decrypt('prj_1', 'credential', value), 'secret')
  assert.deepEqual([again.keyFile, warnings], [keyFile, []])
})

test('with the setting there is no key file', async (t) => {
  const { open, keyFile } = await arrange(t)
  const key = generateKey()
  const value = (await open(key)).encrypt('prj_1', 'credential', 'secret')
  const again = await open(key)
  assert.equal(again.decrypt('prj_1', 'credential', value), 'secret')
  assert.equal(again.keyFile, undefined)
  assert.equal(await readKeyFile(keyFile), undefined)
})

test('another DOCENT_SECRET_KEY is refused with the name of the right one', async (t) => {
  const { open } = await arrange(t)
  const [right, wrong] = [generateKey(), generateKey()]
  await open(right)
  const { id } = parseKeys(right)[0]
  await assert.rejects(open(wrong), {
    code: 'config_invalid',
    message: new RegExp(`^DOCENT_SECRET_KEY is not the key that encrypted the secrets of this database \\(${id}\\)`),
  })
  await open(`${wrong},${right}`)
  // A server that was not restarted with both keys yet.
  await open(right)
})

test('a setting that is taken away is refused rather than replaced by a file', async (t) => {
  const { open, keyFile } = await arrange(t)
  await open(generateKey())
  await assert.rejects(open(), { code: 'config_invalid', message: /DOCENT_SECRET_KEY encrypted .* but is not set/ })
  assert.equal(await readKeyFile(keyFile), undefined)
})

test('after the loss of the key file the service starts with a new key and a warning', async (t) => {
  const { open, keyFile, warnings } = await arrange(t)
  const old = (await open()).encrypt('prj_1', 'credential', 'secret')
  const [oldKey = ''] = (await readKeyFile(keyFile))?.lines ?? []
  await rm(keyFile)
  const after = await open()
  assert.deepEqual(warnings, ['the key file is missing: a new key is used, enter every secret again'])
  assert.throws(() => after.decrypt('prj_1', 'credential', old), SecretUnreadable)
  const entered = after.encrypt('prj_1', 'credential', 'entered again')
  const next = await open()
  assert.equal(next.decrypt('prj_1', 'credential', entered), 'entered again')
  assert.equal(warnings.length, 1)
  // The old key was found: as a second line of the file it decrypts what it encrypted.
  const [newKey] = (await readKeyFile(keyFile))?.lines ?? []
  await writeFile(keyFile, `${newKey}\n${oldKey}\n`)
  assert.equal((await open()).decrypt('prj_1', 'credential', old), 'secret')
})

test('a start that died before it created the file is no obstacle for the next', async (t) => {
  const { db, open } = await arrange(t)
  await replaceCheck(db, parseKeys(generateKey()), 'file')
  await open()
})

test('a key file of another installation is refused', async (t) => {
  const { open, keyFile } = await arrange(t)
  await open()
  await writeFile(keyFile, generateKey())
  await assert.rejects(open(), { code: 'config_invalid', message: /is not the one that encrypted the secrets/ })
})

test('the key of the file can move to the setting, and back', async (t) => {
  const { open, keyFile } = await arrange(t)
  const value = (await open()).encrypt('prj_1', 'credential', 'secret')
  const [fileKey = ''] = (await readKeyFile(keyFile))?.lines ?? []
  await assert.rejects(open(generateKey()), { message: /with the key of a key file/ })
  for (const setting of [fileKey, undefined, fileKey, `${generateKey()},${fileKey}`]) {
    assert.equal((await open(setting)).decrypt('prj_1', 'credential', value), 'secret')
  }
})

test('servers that start at the same time agree on one check value', async (t) => {
  const { open } = await arrange(t)
  const keys = [generateKey(), generateKey()]
  const starts = await Promise.allSettled([...keys, ...keys].map((key) => open(key)))
  assert.equal(starts.filter(({ status }) => status === 'fulfilled').length, 2)
})
