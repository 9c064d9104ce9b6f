// Runs an export: reads one page of its rows, with their totals, in one statement.

import { type Counted, findCounted } from '../uniques/counted.ts'
import type { Plan } from './plan.ts'
import type { PreparedQuery } from './prepare.ts'
import { toParams } from './sql.ts'

export type Row = Readonly<Record<string, string | number>>

export type Question = Pick<PreparedQuery, 'store' | 'plan' | 'known'>

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
  /** A total order of the rows. */
  readonly order: string
  /** Columns of numbers that a caller may sort by. `order` decides between equal numbers. */
  readonly sorts?: readonly (keyof R & string)[]
  /**
   * The complete list of rows, all of them empty. Rows of the store replace those with the same first column. An export
   * that has this is read whole: it has no pages.
   */
  readonly emptyRows?: (plan: Plan) => readonly R[]
  /** For exports of uniques: adds the counters of windows to the rows of the others, in any order. */
  readonly addCounters?: (counted: Counted, plan: Plan, rows: readonly Stored<R>[]) => Uniques<R>
}

/** All rows of an export of uniques, and their totals. */
export type Uniques<R extends Row = Row> = { readonly totals: Totals; readonly rows: readonly R[] }

export type Totals = Readonly<Record<string, number>>

export type RowPage<R extends Row = Row> = {
  /** Undefined: the export has no totals. */
  readonly totals: Totals | undefined
  readonly rows: readonly R[]
  readonly hasMore: boolean
}

export type Stored<R extends Row> = R & { readonly isTotal: 0 | 1 }

/** More rows than any export without pages has: the longest range is 120 months of days. */
const maxCompleteRows = 5_000

/** Reads totals and rows in one statement, so both show the same state. Throws `question_too_large`, `unavailable`. */
export async function readPage<R extends Row>(
  { store, plan, known }: Question,
  exported: Export<R>,
  signal?: AbortSignal,
): Promise<RowPage<R>> {
  const page = exported.emptyRows ? { ...plan, offset: 0, limit: maxCompleteRows } : plan
  const counted =
    exported.addCounters && plan.from < plan.to ? await findCounted({ store, plan, known }, signal) : undefined
  const read = (sql: string, of: Plan) => store.read<Stored<R>>(sql, toParams(of), signal)
  if (exported.addCounters && counted) {
    const rows = counted.rest ? await read(allOf(exported, counted.rest), counted.rest) : []
    return toPage(exported, page, exported.addCounters(counted, plan, rows))
  }
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

/** Selects the page of all rows as the store does it. */
function toPage<R extends Row>(exported: Export<R>, plan: Plan, { totals, rows }: Uniques<R>): RowPage<R> {
  const [key = ''] = exported.columns
  const column = exported.sorts?.find((one) => one === plan.sort) ?? exported.sorts?.[0]
  const found = rows.filter((row) => isFoundIn(String(row[key]), plan.search))
  const sorted = column === undefined ? found : found.toSorted(inOrder(column, exported.sorts?.[0] ?? column, key))
  const some = sorted.slice(plan.offset, plan.offset + plan.limit)
  return { totals, rows: complete(exported, plan, some), hasMore: sorted.length > plan.offset + plan.limit }
}

/** Largest first; between equal ones by the first sort, then by the bytes of the key. */
function inOrder(column: string, first: string, key: string) {
  return (a: Row, b: Row) =>
    Number(b[column]) - Number(a[column]) ||
    Number(b[first]) - Number(a[first]) ||
    compareBytes(String(a[key]), String(b[key]))
}

/** Texts in UTF-8: only surrogates, which no path in normal form has, are in another place in JavaScript. */
function compareBytes(a: string, b: string): number {
  if (/[\ud800-\uffff]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}

function isFoundIn(text: string, search: string): boolean {
  if (search === '') return true
  const wanted = search.toLowerCase()
  return text.toLowerCase().includes(wanted) || decodePath(text).toLowerCase().includes(wanted)
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

type Statement = Pick<Export, 'name' | 'sql' | 'order' | 'sorts' | 'columns'>

function allOf({ name, sql }: Statement, plan: Plan): string {
  return `/* analytics.${name}.rest */ ${sql(plan)}`
}

function pageOf(exported: Statement, plan: Plan): string {
  const { name, sql } = exported
  return `/* analytics.${name} */ SELECT * EXCEPT place FROM (
    SELECT *, row_number() OVER (PARTITION BY isTotal ORDER BY ${orderOf(exported, plan)}) AS place
    FROM (${sql(plan)}) WHERE isTotal = 1 OR ${isFound(exported, plan)}
  ) WHERE isTotal = 1 OR (place > {offset:UInt64} AND place <= {end:UInt64}) ORDER BY isTotal DESC, place`
}

/** The sorts of an export are known names, so they can be part of the text. */
function orderOf({ order, sorts = [] }: Pick<Export, 'order' | 'sorts'>, { sort }: Plan): string {
  const column = sorts.find((one) => one === sort)
  return column === undefined ? order : `${column} DESC, ${order}`
}

/** Paths are stored percent-encoded: people search for them as they read them. */
function isFound({ columns: [column = ''] }: Pick<Export, 'columns'>, { search }: Plan): string {
  if (search === '') return '1'
  const texts = [column, `decodeURLComponent(${column})`]
  return texts.map((text) => `positionCaseInsensitiveUTF8(${text}, {search:String}) > 0`).join(' OR ')
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
