// Sums of counters and counts of the store together: windows of visitors have nothing in common, so their counts add up.

import type { Counted } from '../uniques/counted.ts'
import { addUniques, createSums, type Sums } from '../uniques/counters.ts'
import type { Dimension } from '../uniques/dimensions.ts'
import { dayNumberOf } from '../../zone.ts'
import type { Plan } from './plan.ts'
import type { FromCounters, Row, Stored } from './rows.ts'

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

function addAll(counts: Iterable<Counts>): Counts {
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

type Keyed<Key extends string> = Readonly<Record<Key, string>> & Counts

/** The columns of exports that count people, AI agents and both for each value of `key`. */
export function countColumns<const Key extends string>(key: Key) {
  return {
    columns: [key, 'human', 'ai', 'total'],
    totals: ['human', 'ai', 'total'],
    order: ['-total', key],
    sorts: ['total', 'human', 'ai'],
  } as const
}

/** Rows by the visitors of a dimension. The totals are those of the site: a visitor may have several values. */
export function visitorsBy<const Key extends string>(key: Key, dimension: Dimension): FromCounters<Keyed<Key>> {
  return {
    dimensions: ['site', dimension],
    add: (counted, plan, rows) => {
      const { totals, stored } = byKey(rows, (row) => row[key])
      const site = sumByValue(counted, 'site', plan, new Map(totals && [['', totals]]))
      return { totals: site.get(''), rows: rowsOf(key, sumByValue(counted, dimension, plan, stored)) }
    },
  }
}

/** Rows whose sums are the totals. */
export function sumsBy<const Key extends string>(key: Key, dimension: Dimension): FromCounters<Keyed<Key>> {
  return {
    dimensions: [dimension],
    add: (counted, plan, rows) => {
      const sums = sumByValue(counted, dimension, plan, byKey(rows, (row) => row[key]).stored)
      return { totals: addAll(sums.values()), rows: rowsOf(key, sums) }
    },
  }
}

function rowsOf<Key extends string>(key: Key, counts: ReadonlyMap<string, Counts>): readonly Keyed<Key>[] {
  return Array.from(counts, ([value, { human, ai, total }]) => ({ [key]: value, human, ai, total }) as Keyed<Key>)
}
