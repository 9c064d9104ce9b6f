// Opens the store of page views: chDB under the data directory, or a ClickHouse server. One client library and one SQL
// for both; knows nothing of what stands in the tables.
// A connection runs one query at a time, so there is one for writing, some for reading, and one that ends what nobody
// waits for any more and tells whether the store is there. Embedded, the settings of a query stay with its connection: each sends all of them, always.

import { setTimeout as delay } from 'node:timers/promises'
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { ask, type Params } from './ask.ts'
import { migrateStore, type StoreMigrations } from './migrate.ts'
import { openReaders } from './readers.ts'
import { makePrivateFolder } from '../lib/private-folder.ts'
import { toFailure } from './store-error.ts'

export type ClickHousePlace =
  | { readonly kind: 'embedded'; readonly directory: string }
  /** `http://user:password@host:8123/database` */
  | { readonly kind: 'server'; readonly url: string }

type Embedded = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

export type Row = readonly unknown[]

export interface ClickHouse {
  /**
   * The rows of a query. Integers come as JavaScript numbers: read what may be beyond 2^53 with `toString`. Ends the
   * query when `signal` is aborted, and throws its reason. Throws `unavailable` when the store does not answer or is
   * busy for too long, and `question_too_large` when the query meets its limits of time or memory.
   */
  read<T>(sql: string, params: Params, signal?: AbortSignal): Promise<readonly T[]>
  /** The same on the writing connection: it sees every write before it. */
  readWritten<T>(sql: string, params: Params): Promise<readonly T[]>
  /** The rows, in the order of `columns`, are stored when it resolves, and synced where the table says so. */
  insert(table: string, columns: readonly [string, ...string[]], rows: readonly Row[]): Promise<void>
  /** On the writing connection. */
  command(sql: string, params?: Params): Promise<void>
  /**
   * A delete or an update of rows is done when it resolves: of all rows that were stored before it. Parts are written
   * anew for it, which may take minutes; inserts go on meanwhile, another rewrite waits.
   */
  rewrite(sql: string, params: Params): Promise<void>
  /** Does it answer? Also while all connections that read are taken. Throws `unavailable`. */
  ping(): Promise<void>
  /** Within seconds, whatever a server does. */
  close(): Promise<void>
}

/** Queries that are answered at the same moment; more wait for one of these to end. */
const readers = 3
/** How long a server may take for an answer, and for a rewrite. */
const answerMs = 60_000
const rewriteMs = 900_000
/** A question waits for others no longer than one of them may take. */
const waitMs = 30_000
/** For questions to end before a server is left. Connections of the embedded engine must have ended theirs. */
const endMs = 2_000
const pingMs = 5_000

/** What goes wrong is thrown; nothing else may write on our streams. */
const log = { level: ClickHouseLogLevel.OFF }

/** Lists of what is to be found, of thousands and with long paths, stand in the text of a statement. */
const longestStatement = `${256 * 1024 ** 2}`

const common: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 0,
  max_partitions_per_insert_block: '0',
  max_query_size: longestStatement,
}
const reading: ClickHouseSettings = { ...common, max_execution_time: 30, max_memory_usage: `${2 * 1024 ** 3}` }
const writing: ClickHouseSettings = { ...common, mutations_sync: '2', async_insert: 0, wait_end_of_query: 1 }

export type OpenOptions = {
  /** Migrations that run; default: all. */
  readonly known?: StoreMigrations
  /** Cuts off the opening. */
  readonly signal?: AbortSignal
}

/** Migrates it too. Throws `schema_newer`, and `unavailable` when no server answers. */
export async function openClickHouse(place: ClickHousePlace, { known, signal }: OpenOptions = {}): Promise<ClickHouse> {
  const connect = await connector(place)
  const [writer, rewriter, ending] = [connect(answerMs), connect(rewriteMs), connect(answerMs)]
  const others = Array.from({ length: readers }, () => connect(answerMs))
  const clients = [writer, rewriter, ending, ...others]
  const { command: rewrite } = openWriter(rewriter)
  const { read, endAll } = openReaders(others, ending, { settings: reading, waitMs })
  const ping = async () => {
    await ask(ending, { sql: '/* ping */ SELECT 1', params: {}, settings: reading }).catch(toFailure)
  }
  const cutOff = async () => {
    await Promise.all(clients.map((client) => client.close()))
  }
  const close = async () => {
    await (place.kind === 'embedded' ? endAll() : Promise.race([endAll(), delay(endMs, undefined, { ref: false })]))
    await cutOff()
  }
  const store = { ...openWriter(writer), rewrite, read, ping, close }
  const leave = () => void cutOff()
  if (place.kind === 'server') signal?.addEventListener('abort', leave)
  try {
    await migrateStore(store, known)
    return store
  } catch (error) {
    await close()
    throw error
  } finally {
    signal?.removeEventListener('abort', leave)
  }
}

/** Does it answer? Changes nothing. Throws `unavailable`. */
export async function pingServer(url: string): Promise<void> {
  const client = createClient({ url, request_timeout: pingMs, log })
  try {
    await ask(client, { sql: '/* ping */ SELECT 1', params: {}, settings: reading }).catch(toFailure)
  } finally {
    await client.close()
  }
}

/** The embedded engine is half a gigabyte of machine code: loaded when page views are first asked for. */
async function connector(place: ClickHousePlace): Promise<(patienceMs: number) => ClickHouseClient> {
  if (place.kind === 'server') {
    return (patienceMs) => createClient({ url: place.url, request_timeout: patienceMs, log })
  }
  await makePrivateFolder(place.directory)
  const { createChdbConnection } = await import('chdb/connection')
  // It is compiled against a client of its own version, whose types differ in undefined alone.
  const open = () => createChdbConnection({ path: place.directory }) as unknown as Embedded
  return () => createClient({ connection: open(), log })
}

/** Writes one after the other. */
function openWriter(client: ClickHouseClient): Pick<ClickHouse, 'readWritten' | 'insert' | 'command'> {
  const line = { last: Promise.resolve() as Promise<unknown> }
  const inLine = <T>(work: () => Promise<T>): Promise<T> => {
    const done = line.last.then(work).catch(toFailure)
    line.last = done.catch(() => undefined)
    return done
  }
  return {
    readWritten: (sql, params) => inLine(() => ask(client, { sql, params, settings: writing })),
    insert: (table, columns, rows) =>
      inLine(async () => {
        const values = rows.map(toWellFormed)
        const options = { columns: [...columns] as [string, ...string[]], format: 'JSONCompactEachRow' } as const
        await client.insert({ table, values, ...options, clickhouse_settings: writing })
      }),
    command: (sql, params = {}) =>
      inLine(async () => {
        await client.command({ query: sql, query_params: params, clickhouse_settings: writing })
      }),
  }
}

/** One half of a surrogate pair would make the store refuse the whole insert. */
function toWellFormed(row: Row): Row {
  return row.map((cell) => (typeof cell === 'string' ? cell.toWellFormed() : cell))
}
