// Operations of a running service for the command line on the same machine: status, backup, and accepting the clock.

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
      // Refusals are thrown here, before the response begins.
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

/** `bytes` is already started: ending the stream also ends it, even if nothing was read. */
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

/** Needs as much disk space as the database while it runs. First removes the remains of killed backups. */
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

/** Returns the place of the page views. */
export function storePlace({ clickhouseUrl, dataDir }: Config): ClickHousePlace {
  if (clickhouseUrl === undefined) return { kind: 'embedded', directory: join(dataDir, 'clickhouse') }
  return { kind: 'server', url: clickhouseUrl }
}

/** Returns why several servers would not share page views. undefined: they share them, or there can be only one. */
export function storeProblem({ database, clickhouseUrl, dataDir }: Config): string | undefined {
  if (database.url === undefined || clickhouseUrl !== undefined) return undefined
  return `page views are stored in ${dataDir}: other servers on the same database can neither count nor erase them`
}
