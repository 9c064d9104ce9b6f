// What a running service does for the command line beside it: reports its state, and makes a backup.

import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freezeStore } from '../clickhouse/freeze.ts'
import type { LazyClickHouse } from '../clickhouse/lazy.ts'
import type { ClickHousePlace } from '../clickhouse/open.ts'
import type { Config } from '../config/config.ts'
import type { LocalOperations } from '../http/context.ts'
import { Failure } from '../lib/failure.ts'
import { createBackup } from './backup.ts'
import { appliedMigrations } from '../postgres/migrate.ts'
import type { Postgres } from '../postgres/types.ts'
import type { TimeGuard } from '../time-guard/time-guard.ts'

type Parts = {
  readonly config: Config
  readonly postgres: Postgres
  readonly pageViews: LazyClickHouse
  readonly timeGuard: Pick<TimeGuard, 'accept'>
  readonly version: string
}

export function createLocalOperations(parts: Parts): LocalOperations {
  const { config, postgres, timeGuard, version } = parts
  const state = { isBusy: false }
  return {
    status: async () => ({
      version,
      schema: await appliedMigrations(postgres.db),
      database: config.database.url === undefined ? 'embedded' : 'server',
      model: config.model.id,
    }),
    acceptClock: () => timeGuard.accept(),
    backup: async () => {
      if (state.isBusy) throw new Failure('unavailable', 'Another backup is in progress.', { retryAfter: 10 })
      const bytes = alone(state, streamBackup(parts))
      // What refuses a backup is thrown here, before the response begins.
      return toStream(await bytes.next(), bytes)
    },
  }
}

type Bytes = AsyncGenerator<Uint8Array<ArrayBuffer>, void>

async function* alone(state: { isBusy: boolean }, bytes: AsyncGenerator<Uint8Array>): Bytes {
  state.isBusy = true
  try {
    yield* bytes as Bytes
  } finally {
    state.isBusy = false
  }
}

/** `bytes` has begun, so that ending the stream ends it too, read or not. */
function toStream(first: Awaited<ReturnType<Bytes['next']>>, bytes: Bytes): ReadableStream<Uint8Array<ArrayBuffer>> {
  const waiting = [first]
  return ReadableStream.from({
    [Symbol.asyncIterator]: () => ({
      next: async () => waiting.shift() ?? bytes.next(),
      return: () => bytes.return(undefined),
    }),
  })
}

const scratchPrefix = '.snapshot-'

/** Takes as much disk space as the database while it runs. Removes first what a killed backup left. */
export async function* streamBackup({
  config,
  postgres,
  pageViews,
  version,
}: Omit<Parts, 'timeGuard'>): AsyncGenerator<Uint8Array> {
  for (const name of await readdir(config.dataDir)) {
    if (name.startsWith(scratchPrefix)) await rm(join(config.dataDir, name), { recursive: true, force: true })
  }
  const scratch = join(config.dataDir, `${scratchPrefix}${randomUUID()}`)
  const freeze = async (into: string) => {
    const place = storePlace(config)
    const store = place.kind === 'embedded' ? await pageViews.openIfThere() : undefined
    return store && place.kind === 'embedded' ? freezeStore(store, place.directory, into) : undefined
  }
  yield* createBackup(postgres, { scratch, version, now: new Date(), freeze })
}

/** Where the page views are. */
export function storePlace({ clickhouseUrl, dataDir }: Config): ClickHousePlace {
  if (clickhouseUrl === undefined) return { kind: 'embedded', directory: join(dataDir, 'clickhouse') }
  return { kind: 'server', url: clickhouseUrl }
}

/** Why several servers would not share their page views; undefined: they share them, or there is one server. */
export function storeProblem({ database, clickhouseUrl, dataDir }: Config): string | undefined {
  if (database.url === undefined || clickhouseUrl !== undefined) return undefined
  return `page views are stored in ${dataDir}, where other servers on the same database neither count nor erase them`
}
