// The id of a page view whose log has no ids: a hash of the line and of the number of identical lines just before it.
// So two identical requests in one second count twice, and a line that is read again, in a rotated or overlapping file,
// counts once. Identical lines have the same time, so they are close together: lines further back than twice `window`
// different lines are forgotten.

import { hash } from 'node:crypto'

const lineWindow = 65_536

/** `scope` is anything else that distinguishes page views, such as the host given for lines without one. */
export function createLineIds(scope: string, window = lineWindow): (line: Uint8Array) => string {
  const suffix = scope === '' ? '' : `@${hash('sha256', scope, 'base64url').slice(0, 8)}`
  // Two generations: the older one is forgotten whole.
  let young = createCounts(window)
  let old = createCounts(window)
  return (line) => {
    const text = hash('sha256', line, 'base64url')
    const words: Words = [wordOf(text, 0), wordOf(text, 4), wordOf(text, 8)]
    const place = young.find(words)
    const before = young.at(place) || old.at(old.find(words))
    young.set(place, words, before + 1)
    if (young.size() >= window) {
      const forgotten = old
      forgotten.clear()
      old = young
      young = forgotten
    }
    const id = text.slice(0, 22)
    return before === 0 ? id + suffix : `${id}-${before}${suffix}`
  }
}

/** The first 72 bits of a hash, as text in 32-bit units: two lines with the same are one. */
type Words = readonly [number, number, number]

function wordOf(text: string, at: number): number {
  return (
    text.charCodeAt(at) |
    (text.charCodeAt(at + 1) << 8) |
    (text.charCodeAt(at + 2) << 16) |
    (text.charCodeAt(at + 3) << 24)
  )
}

/** Counts of up to `most` hashes, in a table with open addresses, which takes a fifth of the time that a Map of texts does. */
function createCounts(most: number) {
  const bits = Math.ceil(Math.log2(most * 2))
  const places = 2 ** bits
  const keys = new Int32Array(places * 3)
  const counts = new Uint32Array(places)
  const state = { size: 0 }
  return {
    size: () => state.size,
    /** The place of a hash, or of the first empty one, where it belongs. */
    find: ([a, b, c]: Words): number => {
      let place = Math.imul(a ^ (b << 1), 0x9e3779b1) >>> (32 - bits)
      while (counts[place] !== 0) {
        const at = place * 3
        if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c) return place
        place = (place + 1) & (places - 1)
      }
      return place
    },
    at: (place: number): number => counts[place] ?? 0,
    set: (place: number, [a, b, c]: Words, count: number) => {
      if (counts[place] === 0) {
        state.size += 1
        keys[place * 3] = a
        keys[place * 3 + 1] = b
        keys[place * 3 + 2] = c
      }
      counts[place] = count
    },
    clear: () => {
      state.size = 0
      counts.fill(0)
    },
  }
}
