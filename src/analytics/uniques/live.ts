// The counters of a window that still receives page views, in memory: for each visitor of each scope, the days on which the
// visitor was there, as bits. A new day changes at most three counters, also between two earlier days. Adding the same
// view again changes nothing, so rows may be read from the store while new ones arrive.

import { type Counters, createCounters, type WindowCounters } from './counters.ts'
import type { Dimension } from './dimensions.ts'

export type LiveWindow = {
  readonly counters: () => Required<Pick<WindowCounters, 'site' | 'page'>>
  /** `path`: its number. `days` as bits, from the first day of the window on. */
  readonly add: (path: number, visitor: bigint, days: Days) => void
  readonly bytes: () => number
}

/** The dimensions that a live window has. Rows answer for the others. */
export const liveDimensions: ReadonlySet<Dimension> = new Set(['site', 'page'])

/** The days that one window can have: more than any window of a month, in any zone. */
export const daysOfWindow = 32

/** The days of one visitor in one scope, as bits, for each class. */
type Days = { readonly human: number; readonly ai: number }

/** `firstDay`: the first of the 32 days, since 1970. */
export function createLive(firstDay: number): LiveWindow {
  const [site, page] = [createGrowing(firstDay), createGrowing(firstDay)]
  const visitors = createTable()
  const mark = (to: Growing, scope: number, visitor: bigint, days: Days) => {
    const at = visitors.find(visitor, to === site ? 0 : scope + 1)
    const before = visitors.days(at)
    to.add(scope, before, days)
    visitors.set(at, before.human | days.human, before.ai | days.ai)
  }
  return {
    counters: () => ({ site: site.counters(), page: page.counters() }),
    add: (path, visitor, days) => {
      mark(site, 0, visitor, days)
      mark(page, path, visitor, days)
    },
    bytes: () => site.bytes() + page.bytes() + visitors.bytes(),
  }
}

type Growing = {
  readonly counters: () => Counters
  /** Adds days of a visitor who had `before`. */
  readonly add: (scope: number, before: Days, days: Days) => void
  readonly bytes: () => number
}

function createGrowing(firstDay: number): Growing {
  const places = new Map<number, number>()
  const state = { arrays: createCounters(64), length: 0 }
  /** The place of a counter. Days count from the first one; -1 as the previous day means: never before. */
  const placeOf = (scope: number, previous: number, day: number): number => {
    const key = (scope * (daysOfWindow + 1) + previous + 1) * daysOfWindow + day
    const known = places.get(key)
    if (known !== undefined) return known
    if (state.length === state.arrays.day.length) state.arrays = grow(state.arrays)
    const at = state.length
    state.length += 1
    places.set(key, at)
    state.arrays.scope[at] = scope
    state.arrays.previous[at] = previous < 0 ? 0 : firstDay + previous
    state.arrays.day[at] = firstDay + day
    return at
  }
  const change = (place: number, name: 'human' | 'ai' | 'total', by: number) => {
    const numbers = state.arrays[name]
    numbers[place] = (numbers[place] ?? 0) + by
  }
  /** For each new day, (previous, next) becomes (previous, day) and (day, next). */
  const addDays = (scope: number, name: 'human' | 'ai' | 'total', before: number, days: number) => {
    let known = before
    for (let left = days & ~before; left !== 0; left &= left - 1) {
      const bit = left & -left
      const earlier = known & (bit - 1)
      const later = known & ~(bit - 1)
      const day = lowest(bit)
      const previous = earlier === 0 ? -1 : 31 - Math.clz32(earlier)
      if (later !== 0) {
        change(placeOf(scope, previous, lowest(later)), name, -1)
        change(placeOf(scope, day, lowest(later)), name, 1)
      }
      change(placeOf(scope, previous, day), name, 1)
      known |= bit
    }
  }
  return {
    counters: () => ({ ...state.arrays, length: state.length, firsts: state.length }),
    add: (scope, before, { human, ai }) => {
      addDays(scope, 'human', before.human, human)
      addDays(scope, 'ai', before.ai, ai)
      addDays(scope, 'total', before.human | before.ai, human | ai)
    },
    // An entry of a Map takes about 40 bytes.
    bytes: () => state.arrays.day.length * 20 + places.size * 40,
  }
}

/** The place of the lowest bit. */
function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

function grow(arrays: Counters): Counters {
  const wider = createCounters(arrays.day.length * 2)
  for (const name of ['scope', 'previous', 'day', 'human', 'ai', 'total'] as const) wider[name].set(arrays[name])
  return wider
}

type Table = {
  /** The place of a visitor in a scope; a new one has no days. */
  readonly find: (visitor: bigint, scope: number) => number
  readonly days: (at: number) => Days
  readonly set: (at: number, human: number, ai: number) => void
  readonly bytes: () => number
}

/** A hash table in typed arrays, with linear probing: an object for each visitor would take ten times the memory. */
function createTable(): Table {
  let [slots, size] = [1_024, 0]
  // Per slot: the upper and lower half of the visitor, the scope plus one (0: free), and the days of both classes.
  let cells = new Int32Array(slots * 5)
  const seek = (high: number, low: number, mark: number): number => {
    let slot = (mix(high, low, mark) >>> 0) % slots
    for (;;) {
      const at = slot * 5
      const there = cells[at + 2]
      if (there === 0 || (there === mark && cells[at] === high && cells[at + 1] === low)) return at
      slot = slot + 1 === slots ? 0 : slot + 1
    }
  }
  const widen = () => {
    const before = cells
    slots = Math.ceil(slots * 1.6)
    cells = new Int32Array(slots * 5)
    for (let at = 0; at < before.length; at += 5) {
      if (before[at + 2] === 0) continue
      cells.set(before.subarray(at, at + 5), seek(before[at] ?? 0, before[at + 1] ?? 0, before[at + 2] ?? 0))
    }
  }
  return {
    find: (visitor, scope) => {
      const [high, low] = [Number(visitor >> 32n) | 0, Number(visitor & 0xff_ff_ff_ffn) | 0]
      const at = seek(high, low, scope + 1)
      if (cells[at + 2] !== 0) return at
      if (size >= slots * 0.75) {
        widen()
        size += 1
        return put(seek(high, low, scope + 1), high, low, scope + 1)
      }
      size += 1
      return put(at, high, low, scope + 1)
    },
    days: (at) => ({ human: cells[at + 3] ?? 0, ai: cells[at + 4] ?? 0 }),
    set: (at, human, ai) => {
      cells[at + 3] = human
      cells[at + 4] = ai
    },
    bytes: () => cells.byteLength,
  }
  function put(at: number, high: number, low: number, mark: number): number {
    cells[at] = high
    cells[at + 1] = low
    cells[at + 2] = mark
    return at
  }
}

function mix(high: number, low: number, mark: number): number {
  let hash = Math.imul(high ^ Math.imul(mark, 0x9e_37_79_b1), 0x85_eb_ca_6b) ^ low
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2_b2_ae_35)
  return hash ^ (hash >>> 13)
}
