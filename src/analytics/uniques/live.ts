// The counters of a window that still receives page views, in memory: for each visitor of each scope, the days on which the
// visitor was there, as bits. A new day changes at most three counters, also between two earlier days. Adding the same
// view again changes nothing, so rows may be read from the store while new ones arrive.

import { type Counters, createCounters, siteScope, type WindowCounters } from './counters.ts'

export type LiveWindow = {
  readonly counters: () => WindowCounters
  /** `days` as bits, from the first day of the window on. */
  readonly add: (page: number, visitor: bigint, days: { readonly human: number; readonly ai: number }) => void
  readonly bytes: () => number
}

/** The days that one window can have: more than any window of a month, in any zone. */
export const daysOfWindow = 32

/** `firstDay`: the first of the 32 days, since 1970. */
export function createLive(firstDay: number): LiveWindow {
  const [site, pages] = [createGrowing(firstDay), createGrowing(firstDay)]
  const visitors = createTable()
  const mark = (to: Growing, scope: number, visitor: bigint, human: number, ai: number) => {
    const at = visitors.find(visitor, scope)
    const [humans, ais] = [visitors.human(at), visitors.ai(at)]
    addDays(to, scope, 'human', humans, human)
    addDays(to, scope, 'ai', ais, ai)
    addDays(to, scope, 'total', humans | ais, human | ai)
    visitors.set(at, humans | human, ais | ai)
  }
  return {
    counters: () => ({ site: site.counters(), pages: pages.counters() }),
    add: (page, visitor, { human, ai }) => {
      mark(site, siteScope, visitor, human, ai)
      mark(pages, page, visitor, human, ai)
    },
    bytes: () => site.bytes() + pages.bytes() + visitors.bytes(),
  }
}

type ClassName = 'human' | 'ai' | 'total'

/** Adds days to those of a visitor: (previous, next) becomes (previous, day) and (day, next). */
function addDays(to: Growing, scope: number, name: ClassName, before: number, days: number): void {
  let known = before
  for (let left = days & ~before; left !== 0; left &= left - 1) {
    const bit = left & -left
    const earlier = known & (bit - 1)
    const later = known & ~(bit - 1)
    const day = lowest(bit)
    const previous = earlier === 0 ? -1 : 31 - Math.clz32(earlier)
    if (later !== 0) {
      const next = lowest(later)
      to.change(scope, previous, next, name, -1)
      to.change(scope, day, next, name, 1)
    }
    to.change(scope, previous, day, name, 1)
    known |= bit
  }
}

/** The place of the lowest bit. */
function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

type Growing = {
  readonly counters: () => Counters
  /** `previous` and `day` count from the first day; -1: never before. */
  readonly change: (scope: number, previous: number, day: number, name: ClassName, by: number) => void
  readonly bytes: () => number
}

function createGrowing(firstDay: number): Growing {
  const places = new Map<number, number>()
  const state = { arrays: createCounters(64), length: 0 }
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
  return {
    counters: () => ({ ...state.arrays, length: state.length }),
    change: (scope, previous, day, name, by) => {
      const at = placeOf(scope, previous, day)
      const numbers = state.arrays[name]
      numbers[at] = (numbers[at] ?? 0) + by
    },
    // An entry of a Map takes about 40 bytes.
    bytes: () => state.arrays.day.length * 20 + places.size * 40,
  }
}

function grow(arrays: Counters): Counters {
  const wider = createCounters(arrays.day.length * 2)
  for (const name of ['scope', 'previous', 'day', 'human', 'ai', 'total'] as const) wider[name].set(arrays[name])
  return wider
}

type Table = {
  /** The place of a visitor in a scope; a new one has no days. */
  readonly find: (visitor: bigint, scope: number) => number
  readonly human: (at: number) => number
  readonly ai: (at: number) => number
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
    human: (at) => cells[at + 3] ?? 0,
    ai: (at) => cells[at + 4] ?? 0,
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
