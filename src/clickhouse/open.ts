// Opens the store of page views: chDB in the data directory, or a ClickHouse server. Both use the same client library
// and the same SQL. This file does not know the tables. A connection runs one query at a time, so there is one for
// writing, one for rewrites, four for reading, and one that cancels abandoned queries and pings. In the embedded store
// the settings of a query stay in effect on its connection, so every query sends all of them.

import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { openEmbeddedStore } from './embedded.ts'
import { countDamaged } from './log/finish-segment.ts'
import { insertLogged } from './log/insert-logged.ts'
import { type BlockLog, type LogOptions, nothingWaits, openLog, type Waiting } from './log/log.ts'
import { abortable } from '../lib/abortable.ts'
import { type MemoryShares, sharesOf } from '../lib/memory/budget.ts'
import { type MigrateOptions, migrateStore, refuseNewer } from './migrate.ts'
import { type Column, encodeBlock } from './native.ts'
import { type Params, runQuery } from './query.ts'
import { openReaders } from './readers.ts'
import { throwStoreFailure } from './store-error.ts'

export type ClickHousePlace =
  | {
      readonly kind: 'embedded'
      readonly directory: string
      /** The largest size of the log of page views, in bytes. */
      readonly logBytes?: number
    }
  /** `http://user:password@host:8123/database` */
  | { readonly kind: 'server'; readonly url: string }

export interface ClickHouse {
  /** True if only this process reads and writes it. */
  readonly isOwned: boolean
  /** How much memory its queries, and the caches of its data, may take. */
  readonly memory: MemoryShares
  /**
   * The rows of a query. Integers become JavaScript numbers: use `toString` for values beyond 2^53. Cancels the query
   * when `signal` is aborted, and throws its reason. Throws `unavailable` when the store does not respond or is busy
   * for too long, and `question_too_large` when the query exceeds its limits of time or memory.
   */
  read<T>(sql: string, params: Params, signal?: AbortSignal): Promise<readonly T[]>
  /** The same on the writing connection: it sees all earlier writes. */
  readWritten<T>(sql: string, params: Params): Promise<readonly T[]>
  /**
   * Resolves when the rows are synced, if the table requires it. Page views of an embedded store are in a log then, and
   * every statement waits until those before it are in the table.
   */
  insert<Row>(table: string, columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void>
  /** Runs a statement without rows on the writing connection. */
  command(sql: string, params?: Params): Promise<void>
  /**
   * Deletes or updates rows. Resolves when all rows that were stored before the call are changed. ClickHouse writes
   * whole parts again, which may take minutes; inserts continue meanwhile, another rewrite waits.
   */
  rewrite(sql: string, params: Params): Promise<void>
  /** The page views that are acknowledged and not yet in the table, and how many segments of them are damaged. */
  waiting(): Promise<Waiting>
  /** Works also while all reading connections are busy. Throws `unavailable` when the store does not respond. */
  ping(): Promise<void>
  /** Takes a few seconds at most, even when a server does not respond. */
  close(): Promise<void>
}

/** The number of queries that run at the same time, three of them of the same project; others wait. */
const readers = 4
/** How long a server may take for a response, and for a rewrite. */
const responseMs = 60_000
const rewriteMs = 900_000
/** A query waits for a connection no longer than another query may run. */
const waitMs = 30_000
/** How long closing waits for queries on a server. For the embedded store it waits until they have ended. */
const endMs = 2_000
const pingMs = 5_000

/** Errors are thrown; the client must not write to standard output or standard error. */
const silent = { level: ClickHouseLogLevel.OFF }

/** The text of a statement may contain lists of thousands of long paths. */
const longestStatement = `${256 * 1024 ** 2}`

const common: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 0,
  max_partitions_per_insert_block: '0',
  max_query_size: longestStatement,
}
const reading: ClickHouseSettings = { ...common, max_execution_time: 30 }
/** A server has its own memory, which it divides among its clients. */
const ofServer: Limits = { rewrites: {}, queries: { max_memory_usage: `${2 * 1024 ** 3}` } }
const writing: ClickHouseSettings = {
  ...common,
  schema_inference_use_cache_for_file: 0,
  mutations_sync: '2',
  async_insert: 0,
  wait_end_of_query: 1,
}

export type OpenOptions = MigrateOptions & {
  /** Default: the shares of a process without a setting. */
  readonly memory?: MemoryShares
  /** Aborts opening a server. */
  readonly signal?: AbortSignal
  /** Gets what was wrong with the log of an embedded store. */
  readonly report?: LogOptions['report']
}

/** Opens and migrates. Throws as `migrateStore` does, and `unavailable` when the server does not respond. */
export async function openClickHouse(place: ClickHousePlace, options: OpenOptions = {}): Promise<ClickHouse> {
  const { signal, report, memory = sharesOf(undefined) } = options
  const { rewrites, queries } = place.kind === 'server' ? ofServer : limitsOf(memory)
  const { connect, insertBlock, log, disconnect } = await connector(place)
  const [writer, rewriter, ending] = [connect(responseMs), connect(rewriteMs), connect(responseMs)]
  const others = Array.from({ length: readers }, () => connect(responseMs))
  const clients = [writer, rewriter, ending, ...others]
  const { command: rewrite } = openWriter(rewriter, insertBlock, rewrites)
  const { read, endAll } = openReaders(others, ending, { settings: { ...reading, ...queries }, waitMs })
  const ping = async () => {
    await pingWith(ending)
  }
  const cutOff = async () => {
    await Promise.all(clients.map((client) => client.close()))
    await disconnect?.()
  }
  const close = async () => {
    await (place.kind === 'embedded' ? endAll() : Promise.race([endAll(), delay(endMs, undefined, { ref: false })]))
    await cutOff()
  }
  const { inOrder, ...written } = openWriter(writer, insertBlock)
  const store = {
    ...written,
    isOwned: log !== undefined,
    memory,
    waiting: async () => nothingWaits,
    rewrite,
    read,
    ping,
    close,
  }
  const leave = () => void cutOff()
  if (place.kind === 'server') signal?.addEventListener('abort', leave)
  try {
    await migrateStore(store, options)
    if (!log) return store
    const insert: LogOptions['insert'] = (...blocks) => inOrder(() => log.insert(writer, ...blocks))
    return behindLog(store, await openLog({ ...log.place, insert, report }))
  } catch (error) {
    await close()
    throw error
  } finally {
    signal?.removeEventListener('abort', leave)
  }
}

type Limits = { readonly rewrites: ClickHouseSettings; readonly queries: ClickHouseSettings }

/**
 * A statement on the embedded store groups and sorts in files when it has an eighth of the memory of all queries, so several fit. A
 * query that needs three quarters nevertheless is too large. Rewrites must succeed: who sends them bounds their rows.
 */
function limitsOf(memory: MemoryShares): Limits {
  const toFiles = `${Math.floor(memory.queries / 8)}`
  const rewrites = { max_bytes_before_external_group_by: toFiles, max_bytes_before_external_sort: toFiles }
  return { rewrites, queries: { ...rewrites, max_memory_usage: `${Math.floor((memory.queries * 3) / 4)}` } }
}

const toLogFolder = (directory: string) => join(directory, 'incoming')

/** The files of acknowledged page views that were kept aside because they are damaged, and their folder. Opens nothing. */
export async function findDamaged(directory: string): Promise<{ readonly folder: string; readonly count: number }> {
  const folder = toLogFolder(directory)
  return { folder, count: await countDamaged(folder) }
}

/** Changes nothing. Throws `unavailable` when the server does not respond. */
export function pingServer(url: string): Promise<void> {
  return withServer(url, pingWith)
}

/** Changes nothing. Throws `schema_newer`, and `unavailable` when the server does not respond. */
export function refuseNewerServer(url: string): Promise<void> {
  return withServer(url, async (client) => {
    const query = { params: {}, settings: reading }
    const there = '/* migrations.exists */ SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name ='
    const tables = await runQuery(client, { ...query, sql: `${there} 'migrations'` }).catch(throwStoreFailure)
    if (tables.length === 0) return
    const sql = '/* migrations.applied */ SELECT DISTINCT name FROM migrations'
    const rows = await runQuery<{ name: string }>(client, { ...query, sql }).catch(throwStoreFailure)
    refuseNewer(new Set(rows.map(({ name }) => name)))
  })
}

async function withServer(url: string, work: (client: ClickHouseClient) => Promise<void>): Promise<void> {
  const client = createClient({ url, request_timeout: pingMs, log: silent })
  try {
    await work(client)
  } finally {
    await client.close()
  }
}

async function pingWith(client: ClickHouseClient): Promise<void> {
  await runQuery(client, { sql: '/* ping */ SELECT 1', params: {}, settings: reading }).catch(throwStoreFailure)
}

type Connector = {
  readonly connect: (timeoutMs: number) => ClickHouseClient
  /** Called after all clients are closed. */
  readonly disconnect?: () => Promise<void>
  readonly insertBlock: InsertBlock
  /** Undefined: page views are acknowledged once they are in the table. */
  readonly log?: {
    readonly place: Omit<LogOptions, 'insert' | 'report'>
    readonly insert: (client: ClickHouseClient, ...rest: Parameters<LogOptions['insert']>) => Promise<void>
  }
}

type InsertBlock = (client: ClickHouseClient, target: Target, block: Buffer) => Promise<void>
type Target = { readonly table: string; readonly columns: readonly Pick<Column<never>, 'name' | 'type'>[] }

/** Loads the embedded engine only when an embedded store is opened. */
async function connector(place: ClickHousePlace): Promise<Connector> {
  if (place.kind === 'server') {
    return {
      connect: (timeoutMs) => createClient({ url: place.url, request_timeout: timeoutMs, log: silent }),
      insertBlock: async (client, { table, columns }, block) => {
        const query = `INSERT INTO ${table} (${namesOf(columns)}) FORMAT Native`
        const { stream } = await client.exec({ query, values: Readable.from([block]), clickhouse_settings: writing })
        await finished(stream.resume())
      },
    }
  }
  const { connect, withBlock, close } = await openEmbeddedStore(place.directory)
  return {
    disconnect: close,
    connect: () => createClient({ connection: connect(), log: silent }),
    insertBlock: (client, { table, columns }, block) =>
      withBlock(block, async (rows) => {
        const query = `INSERT INTO ${table} (${namesOf(columns)}) SELECT ${namesOf(columns)} FROM ${rows}`
        await client.command({ query, clickhouse_settings: writing })
      }),
    log: {
      place: { folder: toLogFolder(place.directory), limit: place.logBytes },
      insert: (client, blocks, mayBeStored) =>
        withBlock(blocks, (rows) => insertLogged(client, { rows, mayBeStored, settings: writing })),
    },
  }
}

function namesOf(columns: Target['columns']): string {
  return columns.map(({ name }) => name).join(', ')
}

type InOrder = <T>(work: () => Promise<T>) => Promise<T>

/** Runs one write at a time, in the order of the calls. */
function openWriter(
  client: ClickHouseClient,
  insertBlock: InsertBlock,
  limits: ClickHouseSettings = {},
): Pick<ClickHouse, 'readWritten' | 'insert' | 'command'> & { readonly inOrder: InOrder } {
  const queue = { last: Promise.resolve() as Promise<unknown> }
  const inOrder: InOrder = (work) => {
    const done = queue.last.then(work).catch(throwStoreFailure)
    queue.last = done.catch(() => undefined)
    return done
  }
  return {
    inOrder,
    readWritten: (sql, params) => inOrder(() => runQuery(client, { sql, params, settings: writing })),
    insert: (table, columns, rows) =>
      inOrder(() => insertBlock(client, { table, columns }, encodeBlock(columns, rows))),
    command: (sql, params = {}) =>
      inOrder(async () => {
        await client.command({ query: sql, query_params: params, clickhouse_settings: { ...writing, ...limits } })
      }),
  }
}

/**
 * Puts a log before a store: page views go to the log, and every statement waits until those before it are in the table. So
 * a deletion or an update finds them, too, and no page view comes back from the log later.
 */
function behindLog(store: ClickHouse, log: BlockLog): ClickHouse {
  const drained = () => log.drain().catch(throwStoreFailure)
  return {
    isOwned: store.isOwned,
    memory: store.memory,
    read: async (sql, params, signal) => {
      await abortable(drained(), signal)
      return store.read(sql, params, signal)
    },
    readWritten: async (sql, params) => {
      await drained()
      return store.readWritten(sql, params)
    },
    insert: async (table, columns, rows) => {
      if (table !== 'page_views') return store.insert(table, columns, rows)
      if (rows.length > 0) await log.append(encodeBlock(columns, rows)).catch(throwStoreFailure)
    },
    command: async (sql, params) => {
      await drained()
      await store.command(sql, params)
    },
    rewrite: async (sql, params) => {
      await drained()
      await store.rewrite(sql, params)
    },
    waiting: () => log.waiting(),
    ping: () => store.ping(),
    close: async () => {
      await log.close()
      await store.close()
    },
  }
}
