// Accepts the current key for a database whose secrets were encrypted with another one. Deletes nothing: the values are
// readable again if the lost key is found and added as `new,old`.

import { createLog } from '../../lib/observability/log.ts'
import type { Config } from '../../config/config.ts'
import { openPostgres } from '../../postgres/open.ts'
import { resetSecrets } from '../../secrets/open.ts'
import type { Reencrypted } from '../../secrets/reencrypt.ts'
import { holdDirectory } from '../../service/data-directory.ts'
import { databasePlace, secretsPlace } from '../../service/engines.ts'

/** Throws `data_in_use` while a service runs: it started, so its key is right. */
export async function resetKey(config: Config): Promise<Reencrypted> {
  const log = createLog('silent')
  const lock = holdDirectory(config)
  try {
    const postgres = await openPostgres(databasePlace(config, log))
    try {
      return await resetSecrets(secretsPlace(config, postgres, log))
    } finally {
      await postgres.close()
    }
  } finally {
    lock.release()
  }
}
