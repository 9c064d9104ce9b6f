// Finds names in the bytes of files, whatever their language, under the keys of `docs-syntax/terms/term-keys.ts`: letters and
// digits in lower case, so that `--max-lines`, `max_lines` and `MaxLines` are one name. It makes no texts, since a source may have
// 100 MB and a check has seconds.

/** Names of which nobody asks for one that is not there: a wrong yes keeps a finding back, for about one in 300 names. */
export type KeySet = {
  add(bytes: Uint8Array): void
  has(key: string): boolean
  /** Whether the key is a beginning to which code adds the rest: `'--ext-%s'`, `"ACME_" + name`. */
  isBeginning(key: string): boolean
}

/** Bits: 16 MB. A source of 100 MB has about half a million names. */
const size = 2 ** 27
const offset = 0x811c9dc5
const prime = 0x01000193
const separator = 0
const joiner = 1
const backslash = 2
/** For each byte: what it is, or the code of the letter in lower case or of the digit. */
const classes = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z\d]/i.test(character)) return character.toLowerCase().charCodeAt(0)
  if (character === '\\') return backslash
  return character === '-' || character === '_' ? joiner : separator
})

export function createKeySet(): KeySet {
  const bits = new Uint8Array(size / 8)
  return {
    add: (bytes) =>
      scan(bytes, (hash, _, end) => {
        set(hash)
        if (isJoiner(bytes[end - 1]) && isAdded(bytes[end])) set(beginningOf(hash))
      }),
    has: (key) => isSet(hashOf(key)),
    isBeginning: (key) => isSet(beginningOf(hashOf(key))),
  }

  function set(hash: number): void {
    const at = mix(hash) % size
    bits[at >>> 3] = (bits[at >>> 3] ?? 0) | (1 << (at & 7))
  }

  function isSet(hash: number): boolean {
    const at = mix(hash) % size
    return ((bits[at >>> 3] ?? 0) & (1 << (at & 7))) !== 0
  }
}

function beginningOf(hash: number): number {
  return Math.imul(hash ^ joiner, prime)
}

function isJoiner(byte: number | undefined): boolean {
  return classes[byte ?? 0] === joiner
}

/** The end of a text, or a place in it: a quote, `%`, `{`, `$`, `<`. */
function isAdded(byte: number | undefined): boolean {
  return byte !== undefined && [39, 34, 96, 37, 123, 36, 60].includes(byte)
}

/** Calls `onKey` with each of the keys that the bytes have, where it ends. */
export type NameFinder = (bytes: Uint8Array, onKey: (key: string, end: number) => void) => void

export function createNameFinder(keys: Iterable<string>): NameFinder {
  const known = new Map<number, string[]>()
  for (const key of keys) {
    const hash = hashOf(key)
    known.set(hash, [...(known.get(hash) ?? []), key])
  }
  // Most names are not asked for, and a lookup in a map takes longer than reading them.
  const filter = new Uint8Array(2 ** 16)
  for (const hash of known.keys()) filter[mix(hash) & 0xffff] = 1
  return (bytes, onKey) =>
    scan(bytes, (hash, start, end) => {
      if (filter[mix(hash) & 0xffff] === 0) return
      const found = known.get(hash)
      if (!found) return
      const text = plain(bytes, start, end)
      if (found.includes(text)) onKey(text, end)
    })
}

/** A whole run such as `max-lines_x`, and its parts between hyphens: `a-b` may also be a subtraction. */
function scan(bytes: Uint8Array, onHash: (hash: number, start: number, end: number) => void): void {
  const { length } = bytes
  for (let at = 0; at < length; at += 1) {
    const first = classes[bytes[at] ?? 0] ?? 0
    if (first === backslash) {
      // `\n` in a text is a line break.
      const next = bytes[at + 1]
      if (next === 110 || next === 114 || next === 116) at += 1
      continue
    }
    if (first < 3) continue
    const start = at
    let partStart = at
    let whole = offset
    let part = offset
    let isSplit = false
    for (; at < length; at += 1) {
      const byte = bytes[at] ?? 0
      const code = classes[byte] ?? 0
      if (code > backslash) {
        whole = Math.imul(whole ^ code, prime)
        part = Math.imul(part ^ code, prime)
      } else if (code !== joiner) break
      else if (byte === 45) {
        onHash(part, partStart, at)
        part = offset
        partStart = at + 1
        isSplit = true
      }
    }
    onHash(whole, start, at)
    if (isSplit) onHash(part, partStart, at)
    at -= 1
  }
}

function hashOf(key: string): number {
  let hash = offset
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), prime)
  return hash
}

/** Spreads the hash over all bits, without a sign. */
function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (mixed ^ (mixed >>> 13)) >>> 0
}

function plain(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at += 1) {
    const code = classes[bytes[at] ?? 0] ?? 0
    if (code > backslash) text += String.fromCharCode(code)
  }
  return text
}
