// MurmurHash3 with 128 bits for 32-bit machines (Austin Appleby, in the public domain), whose four states begin with a key
// instead of a seed. The same in Node.js and in browsers, and three times as fast as their SHA-256. It is not made against
// attackers: who finds two lines with one hash hides a page view of their own.

/** 128 bits as four numbers of 32 bits. */
export type Hash = readonly [number, number, number, number]
type HashBytes = (bytes: Uint8Array) => Hash

const none: Hash = [0, 0, 0, 0]
const [c1, c2, c3, c4] = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93] as const

export function createHash(key: string): HashBytes {
  const rest = new Uint8Array(16)
  const state = key === '' ? none : hashFrom(none, new TextEncoder().encode(key), rest)
  return (bytes) => hashFrom(state, bytes, rest)
}

/** 32 hexadecimal digits. */
export function toHex([a, b, c, d]: Hash): string {
  return wordToHex(a) + wordToHex(b) + wordToHex(c) + wordToHex(d)
}

function wordToHex(word: number): string {
  return (
    (pairs[word >>> 24] ?? '') +
    (pairs[(word >>> 16) & 255] ?? '') +
    (pairs[(word >>> 8) & 255] ?? '') +
    (pairs[word & 255] ?? '')
  )
}

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The bytes of a hash and of other numbers, to hash them together. */
export function toBytes(numbers: readonly number[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(numbers.length * 4))
  for (const [index, number] of numbers.entries()) view.setInt32(index * 4, number, true)
  return new Uint8Array(view.buffer)
}

/** `rest` is memory for the last bytes. */
function hashFrom(state: Hash, bytes: Uint8Array, rest: Uint8Array): Hash {
  let [h1, h2, h3, h4] = state
  const { length } = bytes
  const whole = length & ~15
  for (let at = 0; at < whole; at += 16) {
    h1 = (Math.imul(turn(h1 ^ Math.imul(turn(Math.imul(wordAt(bytes, at), c1), 15), c2), 19) + h2, 5) + 0x561ccd1b) | 0
    h2 =
      (Math.imul(turn(h2 ^ Math.imul(turn(Math.imul(wordAt(bytes, at + 4), c2), 16), c3), 17) + h3, 5) + 0x0bcaa747) | 0
    h3 =
      (Math.imul(turn(h3 ^ Math.imul(turn(Math.imul(wordAt(bytes, at + 8), c3), 17), c4), 15) + h4, 5) + 0x96cd1c35) | 0
    h4 =
      (Math.imul(turn(h4 ^ Math.imul(turn(Math.imul(wordAt(bytes, at + 12), c4), 18), c1), 13) + h1, 5) + 0x32ac3b17) |
      0
  }
  // The zeros after the last bytes change nothing.
  rest.fill(0)
  for (let at = whole; at < length; at += 1) rest[at - whole] = bytes[at] ?? 0
  h1 ^= Math.imul(turn(Math.imul(wordAt(rest, 0), c1), 15), c2)
  h2 ^= Math.imul(turn(Math.imul(wordAt(rest, 4), c2), 16), c3)
  h3 ^= Math.imul(turn(Math.imul(wordAt(rest, 8), c3), 17), c4)
  h4 ^= Math.imul(turn(Math.imul(wordAt(rest, 12), c4), 18), c1)
  return finish(h1 ^ length, h2 ^ length, h3 ^ length, h4 ^ length)
}

function finish(h1: number, h2: number, h3: number, h4: number): Hash {
  const sum = (h1 + h2 + h3 + h4) | 0
  const a = avalanche(sum)
  const b = avalanche((h2 + sum) | 0)
  const c = avalanche((h3 + sum) | 0)
  const d = avalanche((h4 + sum) | 0)
  const all = (a + b + c + d) | 0
  return [all, (b + all) | 0, (c + all) | 0, (d + all) | 0]
}

function avalanche(word: number): number {
  const first = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return second ^ (second >>> 16)
}

function turn(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}

/** There are four bytes from `at` on. */
function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
}
