// Finds which of some keys a spelling has: the same as making its keys and looking up each. It compares the characters where they
// are and makes no string, because a site has hundreds of thousands of terms.

import { classOf, lower, separator, upper } from './term-keys.ts'

export type KeyPart = 'whole' | 'segment' | 'word'

/** Calls back with the place of each key that the text has, the whole first. */
export type KeyFinder = (text: string, each: (key: number, part: KeyPart) => void) => void

const nothing = -1

/** `keys`: different ones, as `termKeys` makes them. */
export function createKeyFinder(keys: readonly string[]): KeyFinder {
  const { seed, factor } = createHashing()
  const mix = (hash: number, code: number) => Math.imul(hash ^ code, factor)
  const find = createTable(keys, { seed, mix })
  const segments: number[] = []
  const words: number[] = []
  return (text, each) => {
    const { length } = text
    let segmentCount = 0
    let wordCount = 0
    let whole = seed
    let segment = seed
    let segmentStart = 0
    let word = seed
    let wordStart = 0
    /** The hash of the word without its last character, which begins the next one in `HTTPServer`. */
    let shorter = seed
    let last = 0
    let before = 0
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(at)
      const kind = classOf(code)
      if (kind !== before) {
        if (kind === lower && before === upper) {
          if (shorter !== seed) {
            words[wordCount++] = find(shorter, text, wordStart, at - 1)
            wordStart = at - 1
            word = mix(seed, last)
          }
        } else {
          if (word !== seed) words[wordCount++] = find(word, text, wordStart, at)
          word = seed
          wordStart = at
        }
        before = kind
      }
      if (kind !== 0 && kind !== separator) {
        // The bit that tells `A` from `a`; digits have it.
        last = code | 32
        shorter = word
        word = mix(word, last)
        segment = mix(segment, last)
        whole = mix(whole, last)
      } else if (kind === separator) {
        if (segment !== seed) segments[segmentCount++] = find(segment, text, segmentStart, at)
        segment = seed
        segmentStart = at + 1
      }
    }
    if (segment !== seed) segments[segmentCount++] = find(segment, text, segmentStart, length)
    const own = segmentCount === 1 ? (segments[0] ?? nothing) : find(whole, text, 0, length)
    if (own !== nothing) each(own, 'whole')
    if (segmentCount > 1) emit(segments, segmentCount, 'segment', each)
    if (wordCount === 0) return
    if (word !== seed) words[wordCount++] = find(word, text, wordStart, length)
    if (wordCount > 1) emit(words, wordCount, 'word', each)
  }
}

function emit(keys: readonly number[], count: number, part: KeyPart, each: Parameters<KeyFinder>[1]): void {
  for (let at = 0; at < count; at += 1) {
    const key = keys[at] ?? nothing
    if (key !== nothing) each(key, part)
  }
}

type Hashing = { readonly seed: number; readonly mix: (hash: number, code: number) => number }

/** Open addressing: a key is in the place of its hash, or in the next free one. */
function createTable(keys: readonly string[], { seed, mix }: Hashing) {
  const mask = 2 ** Math.ceil(Math.log2(Math.max(16, keys.length * 4))) - 1
  const places = new Int32Array(mask + 1).fill(nothing)
  const hashes = new Int32Array(mask + 1)
  for (const [number, key] of keys.entries()) {
    let hash = seed
    for (let at = 0; at < key.length; at += 1) hash = mix(hash, key.charCodeAt(at))
    let place = placeOf(hash) & mask
    while (places[place] !== nothing) place = (place + 1) & mask
    places[place] = number
    hashes[place] = hash
  }
  /** The key with this hash that the text has from `start` to `end`. */
  return (hash: number, text: string, start: number, end: number): number => {
    for (let place = placeOf(hash) & mask; ; place = (place + 1) & mask) {
      const number = places[place] ?? nothing
      if (number === nothing) return nothing
      if (hashes[place] === hash && isAt(keys[number] ?? '', text, { start, end })) return number
    }
  }
}

function isAt(key: string, text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  let next = 0
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    const kind = classOf(code)
    if (kind === 0 || kind === separator) continue
    if (key.charCodeAt(next) !== (code | 32)) return false
    next += 1
  }
  return next === key.length
}

/** As FNV-1a, with numbers of its own, so that nobody can write names that are all in one place. */
function createHashing() {
  const [one, other] = crypto.getRandomValues(new Int32Array(2))
  return { seed: one ?? 0, factor: ((other ?? 0) & ~7) | 3 }
}

function placeOf(hash: number): number {
  return hash ^ (hash >>> 15)
}
