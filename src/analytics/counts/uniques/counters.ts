// Exact unique visitors of any range of days, from sums. A visitor of a scope (the site, or a page) who was there on the
// days d1 < d2 < d3 adds 1 to the counters (0, d1), (d1, d2) and (d2, d3). In the range [from, to), exactly one of the
// counters of a visitor who was there has its day in the range and its previous day before it: that of the first day in
// the range. So the uniques are the sum of the counters (previous, day) with from <= day < to and previous < from.
// Days are days since 1970-01-01 in the zone of the project; 0 as the previous day means: never before. Pure.

import type { Dimension } from './dimensions.ts'

/** Numbers of visitors of each class, by the number of their scope. */
type Visitors = {
  readonly scope: Uint32Array
  readonly human: Int32Array
  readonly ai: Int32Array
  readonly total: Int32Array
}

/** Counters (scope, previous, day) with the number of visitors of each class. Entries from `length` on are unused. */
export type Counters = Visitors & {
  readonly length: number
  readonly previous: Uint16Array
  readonly day: Uint16Array
  /** Undefined: they still change, and are in no order. */
  readonly sorted: Sorted | undefined
}

/** For counters that are sorted by day. */
type Sorted = {
  readonly firstDay: number
  /** The place of the first counter of each day from the first on, and at last the end of all. */
  readonly starts: Uint32Array
  /** The visitors of all days together. */
  readonly whole: Visitors
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
  const { length, previous, day, sorted } = counters
  const [start = 0, end = length] = sorted ? placesOf(sorted, from, to) : []
  if (sorted && start === 0 && end === length && from <= sorted.firstDay) {
    for (let i = 0; i < sorted.whole.scope.length; i += 1) addCounter(sums, sorted.whole, i)
    return
  }
  for (let i = start; i < end; i += 1) {
    const on = day[i] ?? 0
    if (on >= from && on < to && (previous[i] ?? 0) < from) addCounter(sums, counters, i)
  }
}

/** The counters of the days in [from, to) are those from the first place to before the second. */
function placesOf({ firstDay, starts }: Sorted, from: number, to: number): [number, number] {
  const placeOf = (day: number) => starts[Math.min(Math.max(day - firstDay, 0), starts.length - 1)] ?? 0
  return [placeOf(from), placeOf(Math.max(from, to))]
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
    if ((previous[i] ?? 0) < (edges[interval] ?? 0)) addCounter(sums, counters, i, interval)
  }
}

/** `place`: that of the sums. Default: the number of the scope. */
function addCounter(sums: Sums, { scope, human, ai, total }: Visitors, i: number, place = scope[i] ?? 0): void {
  const at = place * 3
  sums[at] = (sums[at] ?? 0) + (human[i] ?? 0)
  sums[at + 1] = (sums[at + 1] ?? 0) + (ai[i] ?? 0)
  sums[at + 2] = (sums[at + 2] ?? 0) + (total[i] ?? 0)
}

/** `sorted` says so once all of them are there. */
export function createCounters(length: number): Counters {
  const [previous, day] = [new Uint16Array(length), new Uint16Array(length)]
  return { ...createVisitors(length), length, previous, day, sorted: undefined }
}

function createVisitors(length: number): Visitors {
  return {
    scope: new Uint32Array(length),
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
  const { firstDay, starts } = startsOf(rows)
  const places = starts.slice()
  const whole = createVisitors(rows.length)
  for (const [at, row] of rows.entries()) {
    whole.scope[at] = row.scope
    for (const [i, on] of row.day.entries()) {
      const place = places[on - firstDay] ?? 0
      places[on - firstDay] = place + 1
      const previous = row.previous[i] ?? 0
      counters.scope[place] = row.scope
      counters.previous[place] = previous
      counters.day[place] = on
      for (const name of ['human', 'ai', 'total'] as const) {
        const visitors = row[name][i] ?? 0
        counters[name][place] = visitors
        // A visitor of all days together counts on the first.
        if (previous === 0) whole[name][at] = (whole[name][at] ?? 0) + visitors
      }
    }
  }
  return { ...counters, sorted: { firstDay, starts, whole } }
}

function startsOf(rows: readonly ScopeRow[]): Pick<Sorted, 'firstDay' | 'starts'> {
  let [firstDay, lastDay] = [65_535, 0]
  for (const { day } of rows) {
    for (const on of day) {
      firstDay = Math.min(firstDay, on)
      lastDay = Math.max(lastDay, on)
    }
  }
  const starts = new Uint32Array(Math.max(0, lastDay - firstDay + 1) + 1)
  for (const { day } of rows) for (const on of day) starts[on - firstDay + 1] = (starts[on - firstDay + 1] ?? 0) + 1
  for (let at = 1; at < starts.length; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
  return { firstDay, starts }
}

/** Those of some scopes: the number that a scope has among the new ones, by its number. -1: it is left out. */
export function selectScopes(counters: Counters, numbers: Int32Array): Counters {
  const { length, day, sorted } = counters
  const isKept = (visitors: Visitors, i: number) => (numbers[visitors.scope[i] ?? 0] ?? -1) >= 0
  const places: number[] = []
  for (let i = 0; i < length; i += 1) if (isKept(counters, i)) places.push(i)
  const found = { ...pickVisitors(counters, places, numbers), length: places.length, sorted: undefined }
  const kept = { ...found, previous: pick(counters.previous, places), day: pick(day, places) }
  if (!sorted) return kept
  const whole = sorted.whole.scope.keys().filter((i) => isKept(sorted.whole, i))
  const starts = new Uint32Array(sorted.starts.length)
  for (const on of kept.day) starts[on - sorted.firstDay + 1] = (starts[on - sorted.firstDay + 1] ?? 0) + 1
  for (let at = 1; at < starts.length; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
  return { ...kept, sorted: { ...sorted, starts, whole: pickVisitors(sorted.whole, [...whole], numbers) } }
}

function pick(from: Uint16Array, places: readonly number[]): Uint16Array {
  return Uint16Array.from(places, (i) => from[i] ?? 0)
}

function pickVisitors(from: Visitors, places: readonly number[], numbers: Int32Array): Visitors {
  const { scope, human, ai, total } = from
  return {
    scope: Uint32Array.from(places, (i) => numbers[scope[i] ?? 0] ?? 0),
    human: Int32Array.from(places, (i) => human[i] ?? 0),
    ai: Int32Array.from(places, (i) => ai[i] ?? 0),
    total: Int32Array.from(places, (i) => total[i] ?? 0),
  }
}

/** Those of the page views of some classes. */
export function selectClasses(
  counters: Counters,
  classes: { readonly human: boolean; readonly ai: boolean },
): Counters {
  if (classes.human && classes.ai) return counters
  const ofClasses = (visitors: Visitors): Visitors => {
    const nobody = new Int32Array(visitors.human.length)
    const human = classes.human ? visitors.human : nobody
    const ai = classes.ai ? visitors.ai : nobody
    return { scope: visitors.scope, human, ai, total: classes.human ? human : ai }
  }
  const { sorted } = counters
  const whole = sorted && { ...sorted, whole: ofClasses(sorted.whole) }
  return { ...counters, ...ofClasses(counters), sorted: whole }
}

/** The bytes of the arrays. */
export function sizeOf(counters: WindowCounters): number {
  return Object.values(counters).reduce((sum, one) => sum + bytesOfCounters(one), 0)
}

export function bytesOfCounters({ day, sorted }: Counters): number {
  return day.length * 20 + bytesOf(sorted)
}

function bytesOf(sorted: Sorted | undefined): number {
  return sorted ? sorted.starts.byteLength + sorted.whole.scope.length * 16 : 0
}
