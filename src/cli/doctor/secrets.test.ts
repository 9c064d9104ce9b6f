import assert from 'node:assert/strict'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import type { Postgres } from '../../postgres/types.ts'
import { replaceCheck } from '../../secrets/check.ts'
import { createKeyFile } from '../../secrets/key-file.ts'
import { generateKey, parseKeys } from '../../secrets/keys.ts'
import { checkSecrets } from './secrets.ts'

let postgres: Postgres
let dataDir: string
before(async () => {
  postgres = await openTestDatabase()
  dataDir = await temporaryFolder('doctor-secrets')
})
after(async () => {
  await postgres.close()
  await removeFolder(dataDir)
})

async function checkValue(key: string, source: 'setting' | 'file'): Promise<string> {
  await replaceCheck(postgres.db, parseKeys(key), source)
  return (await postgres.db.selectFrom('secret_check').select('value').executeTakeFirstOrThrow()).value
}

test('doctor says whether the next start will find its key', async () => {
  const [right, other] = [generateKey(), generateKey()]
  const byFile = await checkValue(right, 'file')
  const bySetting = await checkValue(right, 'setting')
  const file = join(dataDir, 'secret.key')
  const stateOf = async (check: string | null | undefined, setting?: string) => {
    const secretKey = setting === undefined ? undefined : parseKeys(setting)
    return (await checkSecrets({ secretKey, dataDir }, check)).state
  }
  assert.deepEqual([await stateOf(null), await stateOf(undefined)], ['ok', 'ok'])
  assert.deepEqual([await stateOf(byFile), await stateOf(bySetting)], ['warning', 'failed'])
  assert.deepEqual([await stateOf(bySetting, right), await stateOf(bySetting, other)], ['ok', 'failed'])
  assert.equal(await stateOf(byFile, `${other},${right}`), 'ok')
  await createKeyFile(file, right)
  assert.equal(await stateOf(byFile), 'ok')
  await chmod(file, 0o644)
  assert.deepEqual([await stateOf(byFile), await stateOf(undefined)], ['failed', 'failed'])
  await rm(file)
  await writeFile(file, other, { mode: 0o600 })
  assert.equal(await stateOf(byFile), 'failed')
})
