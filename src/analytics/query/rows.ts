// Asks the store what a plan and an export come to: a page of rows with their totals, or all rows piece by piece.

import type { Params } from '../../clickhouse/ask.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import type { Plan } from './plan.ts'

/** One kind of answer: its rows as SQL, and what the caller sees of them. */
export type Export<Row> = {
  /** Names the statement in the log of the store, and the file that a browser saves. */
  readonly name: string
  /** In the order of the caller; each is a column of `sql`. */
  readonly columns: readonly (keyof Row & string)[]
  /** A query of all rows. A row with `isTotal` 1 holds the totals over all others. */
  readonly sql: (plan: Plan) => string
  /** A total order of the rows. */
  readonly order: string
}

export type RowPage<Row> = {
  /** undefined: nothing was counted, or the export has none. */
  readonly totals: Row | undefined
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

type Stored<Row> = Row & { readonly isTotal: 0 | 1 }

/** Totals and rows are of one moment: both are read at once. Throws `question_too_large`, `unavailable`. */
export async function readPage<Row>(
  store: ClickHouse,
  { name, sql, order, columns }: Export<Row>,
  plan: Plan,
  signal?: AbortSignal,
): Promise<RowPage<Row>> {
  if (plan.from >= plan.to) return { totals: undefined, rows: [], hasMore: false }
  const statement = `/* analytics.${name} */ SELECT * EXCEPT place FROM (
    SELECT *, row_number() OVER (PARTITION BY isTotal ORDER BY ${order}) AS place FROM (${sql(plan)})
  ) WHERE isTotal = 1 OR (place > {offset:UInt64} AND place <= {end:UInt64}) ORDER BY isTotal DESC, place`
  const found = await store.read<Stored<Row>>(statement, toParams(plan), signal)
  const all = found.filter(({ isTotal }) => isTotal === 0)
  const pick = (row: Stored<Row>) => Object.fromEntries(columns.map((column) => [column, row[column]])) as Row
  const totals = found.find(({ isTotal }) => isTotal === 1)
  return {
    totals: totals && pick(totals),
    rows: all.slice(0, plan.limit).map(pick),
    hasMore: all.length > plan.limit,
  }
}

/** What the statements of all exports name. */
function toParams(plan: Plan): Params {
  const { projectId, from, to, human, ai, offset, limit } = plan
  return { projectId, from, to, human, ai, offset, end: offset + limit + 1 }
}
