// Exact unique visitors of any range of days, from sums. A visitor of a scope (the site, or a page) who was there on the
// days d1 < d2 < d3 adds 1 to the counters (0, d1), (d1, d2) and (d2, d3). In the range [from, to), exactly one of the
// counters of a visitor who was there has its day in the range and its previous day before it: that of the first day in
// the range. So the uniques are the sum of the counters (previous, day) with from <= day < to and previous < from.
// Days are days since 1970-01-01 in the zone of the project; 0 as the previous day means: never before. Pure.

import type { Dimension } from './dimensions.ts'

/**
 * Counters (scope, previous, day) with the number of visitors of each class. Entries from `length` on are unused. Those
 * from `firsts` on have a previous day; of those before, some may.
 */
export type Counters = {
  readonly length: number
  readonly firsts: number
  /** No day is before the first, or after the last. */
  readonly firstDay: number
  readonly lastDay: number
  readonly scope: Uint32Array
  readonly previous: Uint16Array
  readonly day: Uint16Array
  readonly human: Int32Array
  readonly ai: Int32Array
  readonly total: Int32Array
}

/** Those of one window of visitors. The scopes of a dimension are the numbers of its values. */
export type WindowCounters = Readonly<Partial<Record<Dimension, Counters>>>

/** Sums of each scope or interval, by its number: human, ai, total, one after the other. */
export type Sums = Float64Array

export function createSums(length: number): Sums {
  return new Float64Array(length * 3)
}

/** Adds the uniques of the days in [from, to) to the sums of every scope. */
export function addUniques(sums: Sums, counters: Counters, from: number, to: number): void {
  const { firstDay, lastDay, scope, previous, day } = counters
  // Every previous day is in the range, too, so only counters without one count.
  const end = from <= firstDay && lastDay < to ? counters.firsts : counters.length
  for (let i = 0; i < end; i += 1) {
    const on = day[i] ?? 0
    if (on >= from && on < to && (previous[i] ?? 0) < from) addCounter(sums, scope[i] ?? 0, counters, i)
  }
}

/**
 * Adds the uniques of each of the intervals between `edges`, which follow one another: the first ends at `edges[1]`. The
 * counters are of one scope.
 */
export function addIntervals(sums: Sums, counters: Counters, edges: readonly number[]): void {
  const { length, previous, day } = counters
  const [first = 0] = edges
  const last = edges.at(-1) ?? first
  const intervals = new Uint16Array(last - first)
  for (let interval = 0; interval + 1 < edges.length; interval += 1) {
    intervals.fill(interval, (edges[interval] ?? 0) - first, (edges[interval + 1] ?? 0) - first)
  }
  for (let i = 0; i < length; i += 1) {
    const on = day[i] ?? 0
    if (on < first || on >= last) continue
    const interval = intervals[on - first] ?? 0
    if ((previous[i] ?? 0) < (edges[interval] ?? 0)) addCounter(sums, interval, counters, i)
  }
}

function addCounter(sums: Sums, place: number, { human, ai, total }: Counters, i: number): void {
  const at = place * 3
  sums[at] = (sums[at] ?? 0) + (human[i] ?? 0)
  sums[at + 1] = (sums[at + 1] ?? 0) + (ai[i] ?? 0)
  sums[at + 2] = (sums[at + 2] ?? 0) + (total[i] ?? 0)
}

export function createCounters(length: number): Counters {
  return {
    length,
    firsts: length,
    firstDay: 0,
    lastDay: 65_535,
    scope: new Uint32Array(length),
    previous: new Uint16Array(length),
    day: new Uint16Array(length),
    human: new Int32Array(length),
    ai: new Int32Array(length),
    total: new Int32Array(length),
  }
}

/** The counters of one scope, as the store has them. */
export type ScopeRow = Readonly<Record<'previous' | 'day' | 'human' | 'ai' | 'total', readonly number[]>> & {
  readonly scope: number
}

export function toCounters(rows: readonly ScopeRow[]): Counters {
  const counters = createCounters(rows.reduce((sum, { day }) => sum + day.length, 0))
  let [at, firstDay, lastDay] = [0, 65_535, 0]
  const addAll = (isFirst: boolean) => {
    for (const { scope, previous, day, human, ai, total } of rows) {
      for (const [i, on] of day.entries()) {
        if ((previous[i] === 0) !== isFirst) continue
        counters.scope[at] = scope
        counters.previous[at] = previous[i] ?? 0
        counters.day[at] = on
        counters.human[at] = human[i] ?? 0
        counters.ai[at] = ai[i] ?? 0
        counters.total[at] = total[i] ?? 0
        at += 1
        firstDay = Math.min(firstDay, on)
        lastDay = Math.max(lastDay, on)
      }
    }
  }
  addAll(true)
  const firsts = at
  addAll(false)
  return { ...counters, firsts, firstDay, lastDay }
}

/** The bytes of the arrays. */
export function sizeOf(counters: WindowCounters): number {
  return Object.values(counters).reduce((sum, { day }) => sum + day.length * 20, 0)
}
