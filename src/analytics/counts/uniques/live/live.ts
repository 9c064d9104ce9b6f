// The counters of a window that still receives page views, in memory: for each visitor of each scope, the days on which the
// visitor was there, as bits of a frame of 32 days, and the last day before the frame. A new day changes at most three
// counters, also between two earlier days. Adding the same view again changes nothing, and the order does not matter, so
// rows may be read from the store while new ones arrive. Counters of the days before the frame no longer change.
//
// The page views of a day that count are the larger number of two reports, so both are kept for each visitor and page. Adding
// one again does change them: see `load.ts`.

import { type Counters, createCounters, sizeOf, type WindowCounters } from '../counters.ts'
import type { Dimension } from '../dimensions.ts'

export type LiveWindow = {
  /** Those of the frame. */
  readonly counters: () => WindowCounters
  /** Those of the days before the frame. */
  before: WindowCounters | undefined
  /** `scope`: the number of a value of the dimension. */
  readonly add: (dimension: Dimension, scope: number, visitor: bigint, seen: Seen) => void
  readonly addViews: (dimension: Dimension, scope: number, visitor: bigint, reports: Reports) => void
  readonly bytes: () => number
}

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

/** New page views of one visitor on one day of the frame, by who reported them. */
export type Reports = { readonly place: number; readonly byBrowser: number; readonly byServer: number }

type Days = { readonly last: number; readonly bits: number }

/** `firstDay`: the first day of the frame, since 1970. */
export function createLive(firstDay: number, dimensions: readonly Dimension[]): LiveWindow {
  const growing = dimensions.map((dimension) => [dimension, createGrowing(firstDay)] as const)
  const places = new Map(growing.map(([dimension, of], at) => [dimension, { of, at }]))
  const [visitors, reported] = [createTable(), createTable()]
  const placeOf = (dimension: Dimension) => {
    const found = places.get(dimension)
    if (!found) throw new Error(`A live window without ${dimension} cannot count it.`)
    return found
  }
  const live: LiveWindow = {
    counters: () => Object.fromEntries(growing.map(([dimension, of]) => [dimension, of.counters()])),
    before: undefined,
    add: (dimension, scope, visitor, seen) => {
      const { of, at } = placeOf(dimension)
      const slot = visitors.find(visitor, scope * dimensions.length + at)
      const known = seenIn(visitors.get(slot))
      const all = merge(known, seen)
      of.change(scope, known, all)
      visitors.set(slot, toCells(all))
    },
    addViews: (dimension, scope, visitor, { place, byBrowser, byServer }) => {
      const slot = reported.find(visitor, scope * daysOfFrame + place)
      const before = reported.get(slot)
      const now: Cells = [before[0] + byBrowser, before[1] + byServer, 0]
      reported.set(slot, now)
      const count = ([ofBrowser, ofServer]: Cells) =>
        visitor === 0n ? ofBrowser + ofServer : Math.max(ofBrowser, ofServer)
      placeOf(dimension).of.addViews(scope, place, count(now) - count(before))
    },
    bytes: () => {
      const ofCounters = growing.reduce((sum, [, of]) => sum + of.bytes(), 0)
      return ofCounters + visitors.bytes() + reported.bytes() + (live.before ? sizeOf(live.before) : 0)
    },
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
  readonly addViews: (scope: number, place: number, by: number) => void
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
    addViews: (scope, place, by) => add(placeOf(scope, 0, place), 'total', by),
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

/** Three numbers of 32 bits. */
type Cells = readonly [number, number, number]

/** The days of both classes, and their last days before the frame, 16 bits each. */
function toCells({ human, ai, lastHuman, lastAi }: Seen): Cells {
  return [human, ai, (lastHuman << 16) | lastAi]
}

function seenIn([human, ai, last]: Cells): Seen {
  return { human, ai, lastHuman: last >>> 16, lastAi: last & 0xff_ff }
}

type Table = {
  /** The place of a visitor in a scope; the cells of a new one are 0. */
  readonly find: (visitor: bigint, scope: number) => number
  readonly get: (at: number) => Cells
  readonly set: (at: number, cells: Cells) => void
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
      const mark = (scope + 1) | 0
      const hash = mix(high, low, mark) >>> 0
      return shardOf(hash).find(hash, high, low, mark) * shards + (hash % shards)
    },
    get: (at) => {
      const [cells, cell] = [shardOf(at).cells(), Math.floor(at / shards)]
      return [cells[cell + 3] ?? 0, cells[cell + 4] ?? 0, cells[cell + 5] ?? 0]
    },
    set: (at, values) =>
      shardOf(at)
        .cells()
        .set(values, Math.floor(at / shards) + 3),
    bytes: () => tables.reduce((sum, table) => sum + table.cells().byteLength, 0),
  }
}

type Shard = ReturnType<typeof createShard>

/** A hash table in typed arrays, with linear probing: an object for each visitor would take ten times the memory. */
function createShard() {
  let [slots, size] = [16, 0]
  // Per slot: the upper and lower half of the visitor, the scope plus one (0: free), and three cells.
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
