// Exact unique visitors of any range of days, from sums. A visitor of a scope (the site, or a page) who was there on the
// days d1 < d2 < d3 adds 1 to the counters (0, d1), (d1, d2) and (d2, d3). In the range [from, to), exactly one of the
// counters of a visitor who was there has its day in the range and its previous day before it: that of the first day in
// the range. So the uniques are the sum of the counters (previous, day) with from <= day < to and previous < from.
// Days are days since 1970-01-01 in the zone of the project; 0 as the previous day means: never before. Pure.

/** The counters of one window of visitors. The pairs of `scopes[i]` are those from `starts[i]` to `starts[i + 1]`. */
export type Counters = {
  readonly scopes: Uint32Array
  readonly starts: Uint32Array
  readonly previous: Uint16Array
  readonly day: Uint16Array
  readonly human: Uint32Array
  readonly ai: Uint32Array
  readonly total: Uint32Array
}

/** Sums of each scope, by its number: `human`, `ai`, `total`, one after the other. */
export type Sums = Float64Array

export function createSums(scopes: number): Sums {
  return new Float64Array(scopes * 3)
}

/** Adds the uniques of the days in [from, to) to the sums of every scope. */
export function addUniques(sums: Sums, counters: Counters, from: number, to: number): void {
  const { scopes, starts, previous, day, human, ai, total } = counters
  for (let scope = 0; scope < scopes.length; scope += 1) {
    const at = (scopes[scope] ?? 0) * 3
    const end = starts[scope + 1] ?? 0
    let [humans, ais, all] = [0, 0, 0]
    for (let i = starts[scope] ?? 0; i < end; i += 1) {
      const on = day[i] ?? 0
      if (on < from || on >= to || (previous[i] ?? 0) >= from) continue
      humans += human[i] ?? 0
      ais += ai[i] ?? 0
      all += total[i] ?? 0
    }
    sums[at] = (sums[at] ?? 0) + humans
    sums[at + 1] = (sums[at + 1] ?? 0) + ais
    sums[at + 2] = (sums[at + 2] ?? 0) + all
  }
}

/**
 * Adds the uniques of one scope in each of the intervals between `edges`, which follow one another: the first ends at
 * `edges[1]`. `sums` has three numbers for each interval.
 */
export function addIntervals(sums: Sums, counters: Counters, wanted: number, edges: readonly number[]): void {
  const { scopes, starts, previous, day, human, ai, total } = counters
  const place = scopes.indexOf(wanted)
  if (place < 0) return
  const [first = 0] = edges
  const last = edges.at(-1) ?? 0
  const intervals = new Uint32Array(last - first)
  for (let interval = 0; interval + 1 < edges.length; interval += 1) {
    intervals.fill(interval, (edges[interval] ?? 0) - first, (edges[interval + 1] ?? 0) - first)
  }
  const end = starts[place + 1] ?? 0
  for (let i = starts[place] ?? 0; i < end; i += 1) {
    const on = day[i] ?? 0
    if (on < first || on >= last) continue
    const interval = intervals[on - first] ?? 0
    if ((previous[i] ?? 0) >= (edges[interval] ?? 0)) continue
    const at = interval * 3
    sums[at] = (sums[at] ?? 0) + (human[i] ?? 0)
    sums[at + 1] = (sums[at + 1] ?? 0) + (ai[i] ?? 0)
    sums[at + 2] = (sums[at + 2] ?? 0) + (total[i] ?? 0)
  }
}

/** The pairs of one scope, as the store has them. */
export type ScopeRow = {
  readonly scope: number
  readonly previous: readonly number[]
  readonly day: readonly number[]
  readonly human: readonly number[]
  readonly ai: readonly number[]
  readonly total: readonly number[]
}

/** Each scope has one row. */
export function toCounters(rows: readonly ScopeRow[]): Counters {
  const pairs = rows.reduce((sum, { day }) => sum + day.length, 0)
  const counters = {
    scopes: Uint32Array.from(rows, ({ scope }) => scope),
    starts: new Uint32Array(rows.length + 1),
    previous: new Uint16Array(pairs),
    day: new Uint16Array(pairs),
    human: new Uint32Array(pairs),
    ai: new Uint32Array(pairs),
    total: new Uint32Array(pairs),
  }
  let at = 0
  for (const [index, row] of rows.entries()) {
    for (const name of ['previous', 'day', 'human', 'ai', 'total'] as const) counters[name].set(row[name], at)
    at += row.day.length
    counters.starts[index + 1] = at
  }
  return counters
}

/** The bytes of the arrays. */
export function sizeOf({ scopes, day }: Counters): number {
  return scopes.length * 8 + day.length * 16
}
