// What a running service does for the command line beside it: tells about itself, and makes a backup.

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

type Parts = {
  readonly config: Config
  readonly postgres: Postgres
  readonly pageViews: LazyClickHouse
  readonly version: string
}

export function createLocalOperations(parts: Parts): LocalOperations {
  const { config, postgres, version } = parts
  const state = { isBusy: false }
  return {
    status: async () => ({
      version,
      schema: await appliedMigrations(postgres.db),
      database: config.database.url === undefined ? 'embedded' : 'server',
      model: config.model.id,
    }),
    backup: async () => {
      if (state.isBusy) throw new Failure('unavailable', 'A backup is being made already.', { retryAfter: 10 })
      state.isBusy = true
      const bytes = streamBackup(parts)
      const end = async () => {
        await bytes.return(undefined)
        state.isBusy = false
      }
      try {
        // What refuses a backup refuses it here, while an answer can still say so.
        return toStream(await bytes.next(), bytes, end)
      } catch (error) {
        await end()
        throw error
      }
    },
  }
}

type Chunk = Uint8Array<ArrayBuffer>

/** `end` is called once, however it ends. */
function toStream(
  first: IteratorResult<Uint8Array>,
  bytes: AsyncGenerator<Uint8Array>,
  end: () => Promise<void>,
): ReadableStream<Chunk> {
  let waiting: IteratorResult<Uint8Array> | undefined = first
  return new ReadableStream<Chunk>({
    pull: async (controller) => {
      try {
        const { done, value } = waiting ?? (await bytes.next())
        waiting = undefined
        if (!done) return controller.enqueue(value as Chunk)
        await end()
        controller.close()
      } catch (error) {
        await end()
        controller.error(error)
      }
    },
    cancel: end,
  })
}

const scratchPrefix = '.snapshot-'

/** Needs the place of the database again on the disk while it lasts. What a killed backup left is removed first. */
export async function* streamBackup({ config, postgres, pageViews, version }: Parts): AsyncGenerator<Uint8Array> {
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

/** Why the page views of several servers would not be together; undefined: they are, or there is one server. */
export function storeProblem({ database, clickhouseUrl, dataDir }: Config): string | undefined {
  if (database.url === undefined || clickhouseUrl !== undefined) return undefined
  return `page views are stored in ${dataDir}, where other servers on the same database neither count nor erase them`
}
