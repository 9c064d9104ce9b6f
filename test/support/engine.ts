// The database engine of the tests, TEST_ENGINE. `server`, the default, takes a third less CPU than `embedded`: one
// PostgreSQL server for all test files of a process, each with its own databases. `cluster` also starts every service as
// two servers and two workers.

import type { Environment } from '../../src/config/environment.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import type { Postgres } from '../../src/postgres/types.ts'
import { frontDatabase } from './clickhouse-front.ts'
import { type PostgresServer, startPostgresServer } from './postgres-server.ts'
import { openCopy } from './template.ts'

const engines = ['embedded', 'server', 'cluster'] as const

export const engine = engines.find((one) => one === (process.env['TEST_ENGINE'] ?? 'server'))
if (!engine) throw new Error(`TEST_ENGINE is none of ${engines.join(', ')}`)

const shared: { server?: Promise<PostgresServer> } = {}

/** The server ends with the process. A hook would stop it before the services of the test files. */
export function sharedServer(): Promise<PostgresServer> {
  return (shared.server ??= startPostgresServer().then((server) => {
    process.once('exit', server.abandon)
    return server
  }))
}

/** Opens a database for the tests of a feature. The caller closes it. */
export async function openTestDatabase(): Promise<Postgres> {
  if (engine === 'embedded') return openCopy()
  const url = await (await sharedServer()).createDatabase()
  return openPostgres({ kind: 'server', url, connections: 5, log: createLog('silent') })
}

/** Returns the settings with which a service uses the engine of the tests. */
export async function engineSettings(): Promise<Environment> {
  const CLICKHOUSE_URL = await frontDatabase()
  if (engine === 'embedded') return { CLICKHOUSE_URL }
  return { CLICKHOUSE_URL, ...serverSettings(await (await sharedServer()).createDatabase()) }
}

/** The settings of a service on this PostgreSQL database. All its processes share one key. */
export function serverSettings(url: string) {
  return { DATABASE_URL: url, DOCENT_SECRET_KEY: Buffer.alloc(32, 'test key').toString('base64') }
}
