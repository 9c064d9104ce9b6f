// Finds pieces of known texts in any other text, in one pass: the known texts are cut into blocks, a rolling hash says
// where one may be, and a block that matches is extended to the whole piece. Pure; the letters A to Z count as a to z.

export type KnownForm = {
  readonly text: string
  /** A piece of this many characters is found, from anywhere in the text. */
  readonly least: number
  /** The same for a piece from its beginning. */
  readonly leastHead: number
}

export type Found = { readonly from: number; readonly until: number }

export type KnownTexts = {
  add(form: KnownForm): void
  /** Returns the pieces of `text` in order, without overlaps. */
  find(text: string): readonly Found[]
}

type Place = { readonly form: KnownForm; readonly at: number }
/** The blocks of one size, by their hash. `marks`: not 0 if a block may have such a hash; most places of a text are skipped. */
type Blocks = { readonly size: number; readonly places: Map<number, Place[]>; marks: Uint8Array; markBits: number }

const longestBlock = 10
const fewestBits = 12
const mostBits = 20
/** A mark for every 16 blocks or less. */
const spareBits = 4
const factor = 0x01_00_01_93

export function createKnownTexts(): KnownTexts {
  const bySize = new Map<number, Blocks>()
  return {
    add: (given) => {
      const form = { ...given, text: fold(given.text) }
      for (const [at, size] of blocksOf(form)) {
        const blocks = bySize.get(size) ?? createBlocks(size)
        bySize.set(size, blocks)
        addBlock(blocks, { form, at })
      }
    },
    find: (text) => joined([...bySize.values()].flatMap((blocks) => findBlocks(text, blocks))),
  }
}

function createBlocks(size: number): Blocks {
  return { size, places: new Map(), marks: new Uint8Array(2 ** fewestBits), markBits: fewestBits }
}

function addBlock(blocks: Blocks, place: Place): void {
  let hash = 0
  for (let at = place.at; at < place.at + blocks.size; at += 1) {
    hash = (Math.imul(hash, factor) + place.form.text.charCodeAt(at)) | 0
  }
  const known = blocks.places.get(hash)
  if (known) known.push(place)
  else blocks.places.set(hash, [place])
  blocks.marks[hash >>> (32 - blocks.markBits)] = 1
  if (blocks.places.size <= 2 ** (blocks.markBits - spareBits) || blocks.markBits === mostBits) return
  blocks.markBits = Math.min(mostBits, blocks.markBits + 4)
  blocks.marks = new Uint8Array(2 ** blocks.markBits)
  for (const one of blocks.places.keys()) blocks.marks[one >>> (32 - blocks.markBits)] = 1
}

/** The hash of the last `size` characters rolls over the text. */
function findBlocks(text: string, { size, places, marks, markBits }: Blocks): readonly Found[] {
  const found: Found[] = []
  const shift = 32 - markBits
  let leaving = 1
  for (let count = 0; count < size; count += 1) leaving = Math.imul(leaving, factor)
  let hash = 0
  for (let end = 0; end < text.length; end += 1) {
    hash = (Math.imul(hash, factor) + foldCode(text.charCodeAt(end))) | 0
    if (end >= size) hash = (hash - Math.imul(leaving, foldCode(text.charCodeAt(end - size)))) | 0
    if (marks[hash >>> shift] === 0 || end < size - 1) continue
    for (const place of places.get(hash) ?? []) {
      const piece = extend(text, end - size + 1, place)
      if (piece) found.push(piece)
    }
  }
  return found
}

function foldCode(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

/** The letters A to Z in lower case. Keeps the length, unlike `toLowerCase`, which changes it in some scripts. */
function fold(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Blocks beside each other: every piece of `least` characters holds a whole one, and the first one begins the text. */
function blocksOf({ text, least, leastHead }: KnownForm): readonly (readonly [at: number, size: number])[] {
  if (text.length < leastHead) return []
  // A text that counts only as a whole needs no other block than its first.
  const size = Math.min(text.length <= least ? longestBlock : Math.floor((least + 1) / 2), leastHead)
  const count = text.length <= least ? 1 : Math.floor(text.length / size)
  return Array.from({ length: count }, (_, index) => [index * size, size])
}

/** The longest piece of the form around the block at `at`; undefined if it is too short. */
function extend(text: string, at: number, { form, at: inForm }: Place): Found | undefined {
  const known = form.text
  let before = 0
  while (
    before < inForm &&
    at > before &&
    foldCode(text.charCodeAt(at - before - 1)) === known.charCodeAt(inForm - before - 1)
  ) {
    before += 1
  }
  let length = before
  const start = inForm - before
  while (
    start + length < known.length &&
    foldCode(text.charCodeAt(at - before + length)) === known.charCodeAt(start + length)
  ) {
    length += 1
  }
  const least = start === 0 ? form.leastHead : form.least
  return length < least ? undefined : { from: at - before, until: at - before + length }
}

function joined(found: readonly Found[]): readonly Found[] {
  const all: { from: number; until: number }[] = []
  for (const { from, until } of found.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1)
    if (last && from <= last.until) last.until = Math.max(last.until, until)
    else all.push({ from, until })
  }
  return all
}
