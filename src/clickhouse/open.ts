// Opens the store of page views: chDB under the data directory, or a ClickHouse server. One client library and one SQL
// for both; knows nothing of what stands in the tables.
// A connection runs one query at a time, so there is one for writing, some for reading and one that ends what nobody
// waits for any more. Embedded, the settings of a query stay with its connection: each sends all of them, always.

import { randomUUID } from 'node:crypto'
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { migrateStore, type StoreMigrations } from './migrate.ts'
import { toFailure } from './store-error.ts'

export type ClickHousePlace =
  | { readonly kind: 'embedded'; readonly directory: string }
  /** `http://user:password@host:8123/database` */
  | { readonly kind: 'server'; readonly url: string }

type Embedded = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

export type Params = Readonly<Record<string, unknown>>
export type Row = readonly unknown[]

export interface ClickHouse {
  /**
   * The rows of a query. Integers come as JavaScript numbers: read what may be beyond 2^53 with `toString`. Ends the
   * query when `signal` is aborted, and throws its reason. Throws `unavailable` when the store does not answer, and
   * `question_too_large` when the query meets its limits of time or memory.
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
  close(): Promise<void>
}

/** Queries that are answered at the same moment; more wait for one of these to end. */
const readers = 3
/** How long a server may take for an answer, and for a rewrite. */
const answerMs = 60_000
const rewriteMs = 900_000

/** What goes wrong is thrown; nothing else may write on our streams. */
const log = { level: ClickHouseLogLevel.OFF }

const common: ClickHouseSettings = { output_format_json_quote_64bit_integers: 0, max_partitions_per_insert_block: '0' }
const reading: ClickHouseSettings = { ...common, max_execution_time: 30, max_memory_usage: `${2 * 1024 ** 3}` }
/** Lists of what is to be found, of thousands and with long paths, stand in the text of a statement. */
const longestStatement = `${256 * 1024 ** 2}`
const writing: ClickHouseSettings = {
  ...common,
  mutations_sync: '2',
  async_insert: 0,
  wait_end_of_query: 1,
  max_query_size: longestStatement,
}

/** Migrates it too, as far as `known` goes. Throws `schema_newer`, and `unavailable` when no server answers. */
export async function openClickHouse(place: ClickHousePlace, known?: StoreMigrations): Promise<ClickHouse> {
  const connect = await connector(place)
  const [writer, rewriter, ending] = [connect(answerMs), connect(rewriteMs), connect(answerMs)]
  const others = Array.from({ length: readers }, () => connect(answerMs))
  const clients = [writer, rewriter, ending, ...others]
  const { command: rewrite } = openWriter(rewriter)
  const { read, endAll } = openReaders(others, ending)
  const close = async () => {
    await endAll()
    await Promise.all(clients.map((client) => client.close()))
  }
  const store = { ...openWriter(writer), rewrite, read, close }
  try {
    await migrateStore(store, known)
    return store
  } catch (error) {
    await close()
    throw error
  }
}

/** The embedded engine is half a gigabyte of machine code: loaded when page views are first asked for. */
async function connector(place: ClickHousePlace): Promise<(patienceMs: number) => ClickHouseClient> {
  if (place.kind === 'server') {
    return (patienceMs) => createClient({ url: place.url, request_timeout: patienceMs, log })
  }
  const { createChdbConnection } = await import('chdb/connection')
  // It is compiled against a client of its own version, whose types differ in undefined alone.
  const open = () => createChdbConnection({ path: place.directory }) as unknown as Embedded
  return () => createClient({ connection: open(), log })
}

/** Writes one after the other. */
function openWriter(client: ClickHouseClient): Omit<ClickHouse, 'read' | 'rewrite' | 'close'> {
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

type Readers = {
  readonly read: ClickHouse['read']
  /** Ends what is being asked, whether somebody waits for it or not, and waits for that. */
  readonly endAll: () => Promise<void>
}

/** A connection is handed to the next who waits only when the query before has really ended. */
function openReaders(free: ClickHouseClient[], ending: ClickHouseClient): Readers {
  const waiting: ((client: ClickHouseClient) => void)[] = []
  const running = new Map<string, Promise<unknown>>()
  const take = () => {
    const client = free.pop()
    return client ? Promise.resolve(client) : new Promise<ClickHouseClient>((resolve) => void waiting.push(resolve))
  }
  const give = (client: ClickHouseClient) => {
    const next = waiting.shift()
    if (next) next(client)
    else free.push(client)
  }
  const begin = <T>(client: ClickHouseClient, sql: string, params: Params) => {
    const name = randomUUID()
    const asked = ask<T>(client, { sql: `/* ${name} */ ${sql}`, params, settings: reading }).finally(() => {
      running.delete(name)
      give(client)
    })
    running.set(name, asked)
    return { name, asked: asked.catch(toFailure) }
  }
  return {
    read: async <T>(sql: string, params: Params, signal?: AbortSignal) => {
      const client = await take()
      if (signal?.aborted) {
        give(client)
        throw signal.reason
      }
      const { name, asked } = begin<T>(client, sql, params)
      return unlessAborted(asked, signal, () => void end(ending, name))
    },
    endAll: async () => {
      await Promise.all([...running.keys()].map((name) => end(ending, name)))
      await Promise.allSettled(running.values())
    },
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, end: () => void): Promise<T> {
  if (!signal) return work
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => {
    end()
    reject(signal.reason)
  }
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** A query that has ended meanwhile is no error; one that cannot be ended meets its limit of time. */
async function end(client: ClickHouseClient, name: string): Promise<void> {
  const query = `KILL QUERY WHERE startsWith(query, {mark:String}) ASYNC`
  await client.command({ query, query_params: { mark: `/* ${name} */` } }).catch(() => undefined)
}

type Question = { readonly sql: string; readonly params: Params; readonly settings: ClickHouseSettings }

async function ask<T>(client: ClickHouseClient, { sql, params, settings }: Question): Promise<readonly T[]> {
  const options = { query: sql, query_params: params, clickhouse_settings: settings, format: 'JSONEachRow' } as const
  return (await client.query(options)).json<T>()
}
