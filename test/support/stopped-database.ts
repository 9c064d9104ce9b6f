// The database of a service that is stopped or was killed, for tests that move its times or count its rows.

import { join } from 'node:path'
import type { Environment } from '../../src/config/environment.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import type { Db } from '../../src/postgres/types.ts'

/** While no process has the database, if it is embedded. */
export async function withDatabase<T>(environment: Environment, work: (db: Db) => Promise<T>): Promise<T> {
  const { DATABASE_URL: url, DOCENT_DATA_DIR: dataDir = '' } = environment
  const postgres = await openPostgres(
    url === undefined
      ? { kind: 'embedded', directory: join(dataDir, 'postgres') }
      : { kind: 'server', url, connections: 1, log: createLog('silent') },
  )
  try {
    return await work(postgres.db)
  } finally {
    await postgres.close()
  }
}
