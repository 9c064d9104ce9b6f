// The counters of a window that still receives page views, in memory: for each visitor of each scope, the days on which the
// visitor was there, as bits of a frame of 32 days, and the last day before the frame. A new day changes at most three
// counters, also between two earlier days. Adding the same view again changes nothing, and the order does not matter, so
// rows may be read from the store while new ones arrive. Counters of the days before the frame no longer change.

import { type Counters, createCounters, sizeOf, type WindowCounters } from './counters.ts'
import type { Dimension } from './dimensions.ts'

type SiteAndPages = Required<Pick<WindowCounters, 'site' | 'page'>>

export type LiveWindow = {
  /** Those of the frame. */
  readonly counters: () => SiteAndPages
  /** Those of the days before the frame. */
  before: SiteAndPages | undefined
  /** `path`: its number. */
  readonly add: (path: number, visitor: bigint, seen: Seen) => void
  readonly bytes: () => number
}

/** The dimensions that a live window has. Rows answer for the others. */
export const liveDimensions: ReadonlySet<Dimension> = new Set(['site', 'page'])

/** The days of a frame: more than any window of a month has, in any zone. */
export const daysOfFrame = 32

/** The days of one visitor in one scope, for each class. */
export type Seen = {
  /** As bits, from the first day of the frame on. */
  readonly human: number
  readonly ai: number
  /** The last day before the frame, since 1970. 0: the visitor was not there before. */
  readonly lastHuman: number
  readonly lastAi: number
}

type Days = { readonly last: number; readonly bits: number }

/** `firstDay`: the first day of the frame, since 1970. */
export function createLive(firstDay: number): LiveWindow {
  const [site, page] = [createGrowing(firstDay), createGrowing(firstDay)]
  const visitors = createTable()
  const mark = (to: Growing, scope: number, visitor: bigint, seen: Seen) => {
    const at = visitors.find(visitor, to === site ? 0 : scope + 1)
    const known = visitors.seen(at)
    const all = merge(known, seen)
    to.change(scope, known, all)
    visitors.set(at, all)
  }
  const live: LiveWindow = {
    counters: () => ({ site: site.counters(), page: page.counters() }),
    before: undefined,
    add: (path, visitor, seen) => {
      mark(site, 0, visitor, seen)
      mark(page, path, visitor, seen)
    },
    bytes: () => site.bytes() + page.bytes() + visitors.bytes() + (live.before ? sizeOf(live.before) : 0),
  }
  return live
}

function merge(a: Seen, b: Seen): Seen {
  const [lastHuman, lastAi] = [Math.max(a.lastHuman, b.lastHuman), Math.max(a.lastAi, b.lastAi)]
  return { human: a.human | b.human, ai: a.ai | b.ai, lastHuman, lastAi }
}

type Growing = {
  readonly counters: () => Counters
  /** Changes the counters of a visitor from some days to more. */
  readonly change: (scope: number, from: Seen, to: Seen) => void
  readonly bytes: () => number
}

function createGrowing(firstDay: number): Growing {
  const places = new Map<number, number>()
  const state = { arrays: createCounters(64), length: 0 }
  /** The place of a counter. `day` counts from the first one of the frame. */
  const placeOf = (scope: number, previous: number, day: number): number => {
    const key = (scope * 65_536 + previous) * daysOfFrame + day
    const known = places.get(key)
    if (known !== undefined) return known
    if (state.length === state.arrays.day.length) state.arrays = grow(state.arrays)
    const at = state.length
    state.length += 1
    places.set(key, at)
    state.arrays.scope[at] = scope
    state.arrays.previous[at] = previous
    state.arrays.day[at] = firstDay + day
    return at
  }
  const add = (place: number, name: 'human' | 'ai' | 'total', by: number) => {
    const numbers = state.arrays[name]
    numbers[place] = (numbers[place] ?? 0) + by
  }
  const change = (scope: number, name: 'human' | 'ai' | 'total', from: Days, to: Days) => {
    if (from.last !== to.last && from.bits !== 0) {
      const first = lowest(from.bits)
      add(placeOf(scope, from.last, first), name, -1)
      add(placeOf(scope, to.last, first), name, 1)
    }
    // For each new day, (previous, next) becomes (previous, day) and (day, next).
    let known = from.bits
    for (let left = to.bits & ~known; left !== 0; left &= left - 1) {
      const bit = left & -left
      const earlier = known & (bit - 1)
      const later = known & ~(bit - 1)
      const day = lowest(bit)
      const previous = earlier === 0 ? to.last : firstDay + 31 - Math.clz32(earlier)
      if (later !== 0) {
        add(placeOf(scope, previous, lowest(later)), name, -1)
        add(placeOf(scope, firstDay + day, lowest(later)), name, 1)
      }
      add(placeOf(scope, previous, day), name, 1)
      known |= bit
    }
  }
  return {
    counters: () => ({ ...state.arrays, length: state.length }),
    change: (scope, from, to) => {
      change(scope, 'human', humanOf(from), humanOf(to))
      change(scope, 'ai', aiOf(from), aiOf(to))
      change(scope, 'total', totalOf(from), totalOf(to))
    },
    // An entry of a Map takes about 40 bytes.
    bytes: () => state.arrays.day.length * 20 + places.size * 40,
  }
}

function humanOf({ human, lastHuman }: Seen): Days {
  return { bits: human, last: lastHuman }
}

function aiOf({ ai, lastAi }: Seen): Days {
  return { bits: ai, last: lastAi }
}

function totalOf({ human, ai, lastHuman, lastAi }: Seen): Days {
  return { bits: human | ai, last: Math.max(lastHuman, lastAi) }
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
  readonly seen: (at: number) => Seen
  readonly set: (at: number, seen: Seen) => void
  readonly bytes: () => number
}

const cellsOfSlot = 6
/** A table grows by copying it, which would hold up requests for a second if there was one for all. */
const shards = 64

function createTable(): Table {
  const tables = Array.from({ length: shards }, createShard)
  const shardOf = (at: number) => tables[at % shards] as Shard
  return {
    find: (visitor, scope) => {
      const [high, low] = [Number(visitor >> 32n) | 0, Number(visitor & 0xff_ff_ff_ffn) | 0]
      const hash = mix(high, low, scope + 1) >>> 0
      return shardOf(hash).find(hash, high, low, scope + 1) * shards + (hash % shards)
    },
    seen: (at) => {
      const [cells, cell] = [shardOf(at).cells(), Math.floor(at / shards)]
      const last = cells[cell + 5] ?? 0
      return { human: cells[cell + 3] ?? 0, ai: cells[cell + 4] ?? 0, lastHuman: last >>> 16, lastAi: last & 0xff_ff }
    },
    set: (at, { human, ai, lastHuman, lastAi }) => {
      const [cells, cell] = [shardOf(at).cells(), Math.floor(at / shards)]
      cells[cell + 3] = human
      cells[cell + 4] = ai
      cells[cell + 5] = (lastHuman << 16) | lastAi
    },
    bytes: () => tables.reduce((sum, table) => sum + table.cells().byteLength, 0),
  }
}

type Shard = ReturnType<typeof createShard>

/** A hash table in typed arrays, with linear probing: an object for each visitor would take ten times the memory. */
function createShard() {
  let [slots, size] = [16, 0]
  // Per slot: the upper and lower half of the visitor, the scope plus one (0: free), the days of both classes as bits, and
  // their last days before the frame, 16 bits each.
  let cells = new Int32Array(slots * cellsOfSlot)
  const seek = (hash: number, high: number, low: number, mark: number): number => {
    let slot = Math.floor(hash / shards) % slots
    for (;;) {
      const at = slot * cellsOfSlot
      const there = cells[at + 2]
      if (there === 0 || (there === mark && cells[at] === high && cells[at + 1] === low)) return at
      slot = slot + 1 === slots ? 0 : slot + 1
    }
  }
  const widen = () => {
    const before = cells
    slots = Math.ceil(slots * 1.6)
    cells = new Int32Array(slots * cellsOfSlot)
    for (let at = 0; at < before.length; at += cellsOfSlot) {
      const [high = 0, low = 0, mark = 0] = [before[at], before[at + 1], before[at + 2]]
      if (mark === 0) continue
      cells.set(before.subarray(at, at + cellsOfSlot), seek(mix(high, low, mark) >>> 0, high, low, mark))
    }
  }
  return {
    cells: () => cells,
    find: (hash: number, high: number, low: number, mark: number): number => {
      const known = seek(hash, high, low, mark)
      if (cells[known + 2] !== 0) return known
      if (size >= slots * 0.75) widen()
      size += 1
      const at = seek(hash, high, low, mark)
      cells[at] = high
      cells[at + 1] = low
      cells[at + 2] = mark
      return at
    },
  }
}

function mix(high: number, low: number, mark: number): number {
  let hash = Math.imul(high ^ Math.imul(mark, 0x9e_37_79_b1), 0x85_eb_ca_6b) ^ low
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2_b2_ae_35)
  return hash ^ (hash >>> 13)
}
