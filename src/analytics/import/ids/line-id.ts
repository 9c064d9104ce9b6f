// The id of a page view whose log has no ids: a hash of the line and of the number of identical lines before it in that
// second. So two identical requests in one second count twice, and a line that is read again, in a rotated or overlapping
// file, counts once. Identical lines have the same time, so they are close together: lines further back than twice `window`
// different lines are forgotten.

import { createHash, type Hash, toBytes } from './line-hash.ts'

const lineWindow = 65_536

export type Counted = {
  readonly hash: Hash
  /** How many identical lines come before it in this log. */
  readonly before: number
}

export type LineIds = {
  /** Call it for the page views of one log, in the order of their lines. Other lines may be counted, too. */
  readonly count: (line: Uint8Array) => Counted
  /** Call it for a line that is not counted. */
  readonly pass: () => void
  /** How often a line was counted. */
  readonly times: (hash: Hash) => number
  /** True if all lines were the same. */
  readonly isOneLine: () => boolean
}

/** Ids of two projects have nothing in common. */
export function createLineHash(projectId: string): (line: Uint8Array) => Hash {
  return createHash(`lines of ${projectId}`)
}

/** `number` is that of identical lines before. `scope` distinguishes page views with the same line. */
export function toLineId(hash: Hash, number: number, scope: string): Hash {
  return number === 0 && scope === '' ? hash : createHash(scope)(toBytes([...hash, number]))
}

export function createLineIds(hashOf: (line: Uint8Array) => Hash, window = lineWindow): LineIds {
  // Two generations: the older one is forgotten whole.
  let young = createCounts(window)
  let old = createCounts(window)
  const state = { hasOthers: false }
  const times = (hash: Hash) => young.at(young.find(hash)) || old.at(old.find(hash))
  return {
    count: (line) => {
      const hash = hashOf(line)
      const place = young.find(hash)
      const before = young.at(place) || old.at(old.find(hash))
      young.set(place, hash, before + 1)
      if (young.size() >= window) {
        const forgotten = old
        forgotten.clear()
        old = young
        young = forgotten
      }
      return { hash, before }
    },
    pass: () => void (state.hasOthers = true),
    times,
    isOneLine: () => !state.hasOthers && young.size() + old.size() === 1,
  }
}

/**
 * Counts of up to `most` hashes, in a table with open addresses, which takes a fifth of the time that a Map of texts does. The
 * first 64 bits are all that an id has of a hash. They are beside the count, since most of the time is waiting for memory.
 */
function createCounts(most: number) {
  const bits = Math.ceil(Math.log2(most * 2))
  const slots = 2 ** bits
  const cells = new Int32Array(slots * cellsOfSlot)
  const state = { size: 0 }
  return {
    size: () => state.size,
    /** The place of a hash, or of the first empty slot, where it belongs. */
    find: ([a, b]: Hash): number => {
      let slot = Math.imul(a ^ (b << 1), 0x9e3779b1) >>> (32 - bits)
      for (;;) {
        const at = slot * cellsOfSlot
        if (cells[at + 2] === 0 || (cells[at] === a && cells[at + 1] === b)) return at
        slot = (slot + 1) & (slots - 1)
      }
    },
    at: (place: number): number => cells[place + 2] ?? 0,
    set: (place: number, [a, b]: Hash, count: number) => {
      if (cells[place + 2] === 0) state.size += 1
      cells[place] = a
      cells[place + 1] = b
      cells[place + 2] = count
    },
    clear: () => {
      state.size = 0
      cells.fill(0)
    },
  }
}

/** Two for the hash, one for the count, and one that keeps a slot within a line of the processor's cache. */
const cellsOfSlot = 4
