// Checks the key that encrypts secrets: can the next start read it, and is it the one of this database? Reads only.

import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { toFailure } from '../../lib/failure.ts'
import { assessCheck } from '../../secrets/check.ts'
import { keyFileName, readKeyFile } from '../../secrets/key-file.ts'
import { failed, type Finding, fromFailure, ok, warning } from './finding.ts'

/** `check`: the stored check value; null: no start yet. Undefined: a service runs, which has accepted its key. */
export async function checkSecrets(
  { secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
  check: string | null | undefined,
): Promise<Finding> {
  const about = 'secrets'
  const path = join(dataDir, keyFileName)
  try {
    const ring = secretKey ?? (await readKeyFile(path))?.ring
    const source = secretKey ? 'DOCENT_SECRET_KEY' : path
    if (check === undefined) return ok(about, ring ? `encrypted with the key in ${source}` : 'encrypted by the service')
    if (check === null) return ok(about, 'no secret is stored yet')
    const assessed = assessCheck(check, ring)
    if (assessed.kind === 'right') return ok(about, `encrypted with the key in ${source}`)
    if (ring === undefined && assessed.source === 'file') {
      const todo = 'Restore the key file before the next start, or enter every secret again afterwards.'
      return warning(about, `the key file ${path} is missing`, todo)
    }
    const says = `the key ${assessed.keyId}, which encrypted the secrets of this database, is not in ${source}`
    return failed(about, says, 'Set that key, or both as `new,old`. If it is lost, run `docent secrets reset`.')
  } catch (error) {
    return fromFailure(about, toFailure(error))
  }
}
