// Sums of counters and counts of the store together: windows of visitors have nothing in common, so their counts add up.

import type { Counted } from '../uniques/counted.ts'
import { addUniques, createSums, type Sums } from '../uniques/counters.ts'
import type { Dimension } from '../uniques/dimensions.ts'
import { dayNumberOf } from '../../zone.ts'
import type { Plan } from './plan.ts'
import type { Row, Stored } from './rows.ts'

export type Counts = { readonly human: number; readonly ai: number; readonly total: number }
export type PageCounts = { readonly path: string } & Counts

const nothing = { human: 0, ai: 0, total: 0 }

/** For dimensions without classes. */
export function ofTotal(total: number): Counts {
  return { ...nothing, total }
}

/** The counts of each value of a dimension in the range of the plan. Those without any are left out. */
export function sumByValue(
  { counters, valuesOf }: Counted,
  dimension: Dimension,
  plan: Plan,
  stored: ReadonlyMap<string, Counts>,
): ReadonlyMap<string, Counts> {
  const values = valuesOf(dimension)
  const sums = createSums(values.size)
  const [from, to] = [dayNumberOf(plan.dateFrom), dayNumberOf(plan.dateTo)]
  for (const { [dimension]: some } of counters) if (some) addUniques(sums, some, from, to)
  const found = new Map<string, Counts>()
  for (const [value, at] of values) {
    const counts = plus(sums, at, stored.get(value))
    if (counts.total > 0) found.set(value, counts)
  }
  for (const [value, counts] of stored) if (!values.has(value)) found.set(value, counts)
  return found
}

/** The counts at a place of `sums`, and those of the store. */
export function plus(sums: Sums, at: number, { human, ai, total }: Counts = nothing): Counts {
  return {
    human: (sums[at * 3] ?? 0) + human,
    ai: (sums[at * 3 + 1] ?? 0) + ai,
    total: (sums[at * 3 + 2] ?? 0) + total,
  }
}

export function addAll(counts: Iterable<Counts>): Counts {
  const sum = { ...nothing }
  for (const { human, ai, total } of counts) {
    sum.human += human
    sum.ai += ai
    sum.total += total
  }
  return sum
}

/** Takes apart what a statement returned: its totals, and its rows by their key. */
export function byKey<R extends Row>(
  rows: readonly Stored<R>[],
  key: (row: R) => string,
): { readonly totals: R | undefined; readonly stored: ReadonlyMap<string, R> } {
  const others = rows.filter(({ isTotal }) => isTotal === 0)
  return { totals: rows.find(({ isTotal }) => isTotal === 1), stored: new Map(others.map((row) => [key(row), row])) }
}

export function pagesOf(counts: ReadonlyMap<string, Counts>): readonly PageCounts[] {
  return Array.from(counts, ([path, { human, ai, total }]) => ({ path, human, ai, total }))
}
