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
  /** Call it for every line of one log, in order. */
  readonly count: (line: Uint8Array) => Counted
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
    times,
    isOneLine: () => young.size() + old.size() === 1,
  }
}

/** Counts of up to `most` hashes, in a table with open addresses, which takes a fifth of the time that a Map of texts does. */
function createCounts(most: number) {
  const bits = Math.ceil(Math.log2(most * 2))
  const places = 2 ** bits
  const keys = new Int32Array(places * 4)
  const counts = new Uint32Array(places)
  const state = { size: 0 }
  return {
    size: () => state.size,
    /** The place of a hash, or of the first empty one, where it belongs. */
    find: ([a, b, c, d]: Hash): number => {
      let place = Math.imul(a ^ (b << 1), 0x9e3779b1) >>> (32 - bits)
      while (counts[place] !== 0) {
        const at = place * 4
        if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d) return place
        place = (place + 1) & (places - 1)
      }
      return place
    },
    at: (place: number): number => counts[place] ?? 0,
    set: (place: number, hash: Hash, count: number) => {
      if (counts[place] === 0) {
        state.size += 1
        keys.set(hash, place * 4)
      }
      counts[place] = count
    },
    clear: () => {
      state.size = 0
      counts.fill(0)
    },
  }
}
