// Accepts the present key for a database whose secrets another one encrypted. Nothing is deleted: the values are readable
// again if the lost key turns up and is added as `new,old`.

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
