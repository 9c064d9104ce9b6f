// Runs an export: reads one page of its rows, with their totals, in one statement.

import { decodePercent } from '../../../lib/plain-text.ts'
import { type Counted, findCounted } from '../uniques/counted.ts'
import { whileAsking } from '../uniques/filtered/filtered.ts'
import type { Dimension } from '../uniques/dimensions.ts'
import type { Plan } from './plan.ts'
import type { PreparedQuery } from './prepare.ts'
import { toParams } from './sql.ts'

export type Row = Readonly<Record<string, string | number>>

export type Question = Pick<PreparedQuery, 'store' | 'plan' | 'known'> & {
  /** Called before the rows are there. */
  readonly onAnswer?: ((from: AnsweredFrom) => void) | undefined
}

/** One kind of export: the SQL of its rows, and the columns that the caller gets. */
export type Export<R extends Row = Row> = {
  /** Names the statement in the store's log, the path of the operation and the downloaded file. */
  readonly name: string
  /** The columns of `sql` that callers get, in the order of the CSV file. */
  readonly columns: readonly (keyof R & string)[]
  /** The columns whose totals over all rows are read too: `sql` returns them in a row with `isTotal` 1. */
  readonly totals?: readonly (keyof R & string)[]
  /** Selects all rows. */
  readonly sql: (plan: Plan) => string
  /** A total order of the rows, by columns: numbers largest first (`-`), texts by their bytes. */
  readonly order: readonly (`-${keyof R & string}` | (keyof R & string))[]
  /** Columns of numbers that a caller may sort by. `order` decides between equal numbers. */
  readonly sorts?: readonly (keyof R & string)[]
  /**
   * The complete list of rows, all of them empty. Rows of the store replace those with the same first column. An export
   * that has this is read whole: it has no pages.
   */
  readonly emptyRows?: (plan: Plan) => readonly R[]
  /** True: rows of pages, which a shared link sees whole. Of other exports it sees no rows of few. */
  readonly isOfPages?: true
  /** True: the plan needs the hosts of the project. */
  readonly leavesOutOwnSites?: true
  /** For exports that counters can answer. */
  readonly counters?: FromCounters<R>
}

export type FromCounters<R extends Row = Row> = {
  readonly dimensions: readonly Dimension[]
  /** Selects the rows of windows without counters. Default: `sql`. */
  readonly rest?: (plan: Plan) => string
  /** Adds counters to the rows of the other windows. */
  readonly add: (counted: Counted, plan: Plan, rows: readonly Stored<R>[]) => AllRows<R>
}

/** All rows of an export, in any order, and their totals. */
export type AllRows<R extends Row = Row> = { readonly totals?: Totals | undefined; readonly rows: readonly R[] }

export type Totals = Readonly<Record<string, number>>

export type RowPage<R extends Row = Row> = {
  /** Undefined: the export has no totals. */
  readonly totals: Totals | undefined
  readonly rows: readonly R[]
  readonly hasMore: boolean
}

/** `both`: counters for some windows of visitors, rows for the others. */
export const answerers = ['counters', 'rows', 'both'] as const
export type AnsweredFrom = (typeof answerers)[number]

export type Stored<R extends Row> = R & { readonly isTotal: 0 | 1 }

/** More rows than any export without pages has: the longest range is 120 months of days. */
const maxCompleteRows = 5_000

/** Reads totals and rows in one statement, so both show the same state. Throws `question_too_large`, `unavailable`. */
export async function readPage<R extends Row>(
  question: Question,
  exported: Export<R>,
  signal?: AbortSignal,
): Promise<RowPage<R>> {
  return await whileAsking(question.store, () => answer(question, exported, signal))
}

async function answer<R extends Row>(
  { store, plan, known, onAnswer = () => undefined }: Question,
  exported: Export<R>,
  signal?: AbortSignal,
): Promise<RowPage<R>> {
  const page = exported.emptyRows ? { ...plan, offset: 0, limit: maxCompleteRows } : plan
  const { counters } = exported
  const counted =
    counters && plan.from < plan.to
      ? await findCounted({ store, plan, known, dimensions: counters.dimensions }, signal)
      : undefined
  const read = (sql: string, of: Plan) => store.read<Stored<R>>(sql, toParams(of), signal)
  if (counters && counted) {
    const withRows = counted.counters.length === 0 ? 'rows' : 'both'
    onAnswer(counted.rest.length === 0 ? 'counters' : withRows)
    const sql = counters.rest ?? exported.sql
    const rows: Stored<R>[] = []
    for (const rest of counted.rest) {
      rows.push(...(await read(`/* analytics.${exported.name}.rest */ ${sql(rest)}`, rest)))
    }
    const added = counters.add(counted, plan, counted.rest.length > 1 ? merge(rows) : rows)
    return toPage(exported, page, added)
  }
  onAnswer(plan.from < plan.to ? 'rows' : 'counters')
  const stored = plan.from < plan.to ? await read(pageOf(exported, page), page) : []
  const found = stored.filter(({ isTotal }) => isTotal === 0)
  const rows = found.slice(0, page.limit).map((row) => pick(row, exported.columns) as R)
  return {
    totals:
      exported.totals &&
      toTotals(
        exported.totals,
        stored.find(({ isTotal }) => isTotal === 1),
      ),
    rows: complete(exported, plan, rows),
    hasMore: found.length > page.limit,
  }
}

/** Adds up rows of several statements: numbers of rows with the same texts, and lists one after the other. */
function merge<R extends Row>(rows: readonly Stored<R>[]): Stored<R>[] {
  const merged = new Map<string, Record<string, unknown>>()
  for (const row of rows) {
    const key = JSON.stringify([row.isTotal, Object.values(row).filter((value) => typeof value === 'string')])
    const known = merged.get(key)
    if (known) for (const [name, value] of Object.entries(row)) known[name] = plusValue(known[name], value)
    else merged.set(key, { ...row })
    if (known) known['isTotal'] = row.isTotal
  }
  return [...merged.values()] as Stored<R>[]
}

function plusValue(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return [...(a as unknown[]), ...(b as unknown[])]
  return typeof a === 'number' && typeof b === 'number' ? a + b : a
}

/** Selects the page of all rows as the store does it. */
function toPage<R extends Row>(exported: Export<R>, plan: Plan, { totals, rows }: AllRows<R>): RowPage<R> {
  const [key = ''] = exported.columns
  const count = countOf(exported)
  const found = rows.filter(
    (row) => isFoundIn(String(row[key]), plan.search) && (count === undefined || Number(row[count]) >= plan.atLeast),
  )
  const sorted = found.toSorted(inOrder(orderOf(exported, plan)))
  const some = sorted.slice(plan.offset, plan.offset + plan.limit)
  return {
    totals: exported.totals && toTotals(exported.totals, totals),
    rows: complete(exported, plan, some),
    hasMore: sorted.length > plan.offset + plan.limit,
  }
}

/** Compares what the order says, without reading the order again for each pair. */
function inOrder(order: readonly string[]) {
  const compares = order.map((column) => {
    const name = column.replace('-', '')
    return column === name
      ? (a: Row, b: Row) => compareBytes(String(a[name] ?? ''), String(b[name] ?? ''))
      : (a: Row, b: Row) => Number(b[name]) - Number(a[name])
  })
  return (a: Row, b: Row) => {
    for (const compare of compares) {
      const result = compare(a, b)
      if (result !== 0) return result
    }
    return 0
  }
}

/** Texts in UTF-8: only surrogates, which no path in normal form has, are in another place in JavaScript. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0
  if (/[\ud800-\uffff]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}

function isFoundIn(text: string, search: string): boolean {
  if (search === '') return true
  const wanted = search.toLowerCase()
  return text.toLowerCase().includes(wanted) || decodePercent(text).toLowerCase().includes(wanted)
}

type Selected = Pick<Export, 'name' | 'sql' | 'order' | 'sorts' | 'columns' | 'isOfPages'>

function pageOf(exported: Selected, plan: Plan): string {
  const { name, sql } = exported
  return `/* analytics.${name} */ SELECT * EXCEPT place FROM (
    SELECT *, row_number() OVER (PARTITION BY isTotal ORDER BY ${inSql(orderOf(exported, plan))}) AS place
    FROM (${sql(plan)}) WHERE isTotal = 1 OR ((${isFound(exported, plan)}) AND ${isEnough(exported, plan)})
  ) WHERE isTotal = 1 OR (place > {offset:UInt64} AND place <= {end:UInt64}) ORDER BY isTotal DESC, place`
}

function orderOf({ order, sorts = [] }: Pick<Export, 'order' | 'sorts'>, { sort }: Plan): readonly string[] {
  return sorts.includes(sort) ? [`-${sort}`, ...order] : order
}

/** The columns of an export are known names, so they can be part of the text. */
function inSql(order: readonly string[]): string {
  return order.map((column) => (column.startsWith('-') ? `${column.slice(1)} DESC` : `${column} ASC`)).join(', ')
}

/** Paths are stored percent-encoded: people search for them as they read them. */
function isFound({ columns: [column = ''] }: Pick<Export, 'columns'>, { search }: Plan): string {
  if (search === '') return '1'
  const texts = [column, `decodeURLComponent(${column})`]
  return texts.map((text) => `positionCaseInsensitiveUTF8(${text}, {search:String}) > 0`).join(' OR ')
}

/** The column that an export is sorted by says of how many a row is. Undefined: rows of few are shown to everyone. */
function countOf({ isOfPages, order }: Pick<Export, 'isOfPages' | 'order'>): string | undefined {
  return isOfPages ? undefined : order.find((column) => column.startsWith('-'))?.slice(1)
}

function isEnough(exported: Selected, { atLeast }: Plan): string {
  const count = countOf(exported)
  return count === undefined || atLeast === 0 ? '1' : `${count} >= ${atLeast}`
}

function pick(row: Row, columns: readonly string[]): object {
  return Object.fromEntries(columns.map((column) => [column, row[column]]))
}

/** Without page views the store returns no row of totals. */
function toTotals(columns: readonly string[], row: Row | undefined): Totals {
  return Object.fromEntries(columns.map((column) => [column, Number(row?.[column] ?? 0)]))
}

function complete<R extends Row>({ emptyRows, columns }: Export<R>, plan: Plan, rows: readonly R[]): readonly R[] {
  const [key] = columns
  if (!emptyRows || key === undefined) return rows
  const found = new Map(rows.map((row) => [row[key], row]))
  return emptyRows(plan).map((row) => found.get(row[key]) ?? row)
}
