// The backup of a data directory without a running service: this process holds the directory and migrates nothing. If
// the database is a server, it is not asked at all, and without page views there are no bytes.

import { join } from 'node:path'
import { openLazily } from '../../clickhouse/lazy.ts'
import type { Config } from '../../config/config.ts'
import { createLog } from '../../lib/observability/log.ts'
import { openEmbedded } from '../../postgres/embedded.ts'
import { isDatabase } from '../../postgres/template.ts'
import { holdDirectory } from '../../service/data-directory.ts'
import { streamBackup } from '../../service/local-operations.ts'
import { storePlace } from '../../service/page-view-store.ts'
import { version } from '../../service/version.ts'
import { usage } from '../exit.ts'
import { exists } from './files.ts'

export async function* readStopped(config: Config): AsyncGenerator<Uint8Array> {
  const directory = join(config.dataDir, 'postgres')
  const isEmbedded = config.database.url === undefined
  if (isEmbedded && !isDatabase(directory)) {
    throw usage(`There is no database in ${config.dataDir}.`)
  }
  // A folder that is not there is a wrong setting rather than a new service.
  if (!(await exists(config.dataDir))) throw usage(`There is no folder ${config.dataDir}.`)
  const lock = holdDirectory(config)
  try {
    const postgres = isEmbedded ? await openEmbedded(directory) : undefined
    const pageViews = openLazily(storePlace(config), createLog(config.logLevel), { isReadOnly: true })
    try {
      yield* streamBackup({ config, postgres, pageViews, version })
    } finally {
      await pageViews.close()
      await postgres?.close()
    }
  } finally {
    lock.release()
  }
}
