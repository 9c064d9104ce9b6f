// Chooses the page or file that a wrong name most likely means. Works on names alone; returns nothing unless one candidate
// is clearly better than the others.

export type Candidate<Value> = {
  readonly value: Value
  readonly name: NameParts
  /** The title of a page: its name may differ. */
  readonly title?: string | undefined
}

/** The parts of a path in a comparable form: no case, extension, number in front, or name of a first page. */
export type NameParts = readonly string[]

/** Names that pages of many folders have: only one in a folder of the same name is meant. */
const common: ReadonlySet<string> = new Set(
  'api configuration examples faq gettingstarted intro introduction overview quickstart reference setup usage'.split(
    ' ',
  ),
)
const leastSimilar = 0.75
/** Among few candidates, `domains` may become `custom-domains`. */
const leastOfFew = 0.65
const leastLead = 0.1

export function toParts(path: string): NameParts {
  const name = path
    .toLowerCase()
    .replace(/\.(?:mdx?|markdown|html?)$/, '')
    .replace(/(?:^|\/)(?:index|readme)$/, '')
  return name.split('/').flatMap((part) => {
    const plain = part.replace(/^\d+[-_. ]+(?=.)/, '')
    return plain === '' || plain === '.' || plain === '..' ? [] : [plain]
  })
}

/**
 * The ways in the order of their certainty: the same path, name, or title, then the most similar name. `areFew`: the
 * candidates were chosen before, so less similarity is enough.
 */
export function choose<Value>(
  wanted: NameParts,
  candidates: readonly Candidate<Value>[],
  areFew = false,
): Value | undefined {
  const last = squash(wanted.at(-1) ?? '')
  if (last === '') return undefined
  const whole = squash(wanted.join('/'))
  const same = candidates.filter(({ name }) => squash(name.join('/')) === whole)
  if (same.length > 0) return only(same)
  const named = candidates.filter(({ name }) => squash(name.at(-1) ?? '') === last)
  if (named.length > 0) return nearest(wanted, named)
  if (common.has(last)) return undefined
  const titled = candidates.filter(({ title }) => title !== undefined && squash(title.toLowerCase()) === last)
  return titled.length > 0 ? only(titled) : mostSimilar(wanted, candidates, areFew ? leastOfFew : leastSimilar)
}

/** Returns the text that is most similar, such as the anchor of a heading that was reworded. */
export function chooseText(wanted: string, texts: readonly string[]): string | undefined {
  const candidates = [...new Set(texts)].map((text) => ({ value: text, name: [text.toLowerCase()] }))
  const last = squash(wanted.toLowerCase())
  const same = candidates.filter(({ name }) => squash(name[0] ?? '') === last)
  return same.length > 0 ? only(same) : mostSimilar([wanted.toLowerCase()], candidates, leastSimilar)
}

function only<Value>(found: readonly Candidate<Value>[]): Value | undefined {
  return found.length === 1 ? found[0]?.value : undefined
}

/** Returns the one in the folder that has most in common with the folder in the address. */
function nearest<Value>(wanted: NameParts, named: readonly Candidate<Value>[]): Value | undefined {
  if (named.length === 1 && !common.has(squash(wanted.at(-1) ?? ''))) return named[0]?.value
  const scored = named.map(({ value, name }) => ({ value, score: shared(wanted.slice(0, -1), name.slice(0, -1)) }))
  const [best, second] = scored.toSorted((a, b) => b.score - a.score)
  return best && best.score > (second?.score ?? 0) ? best.value : undefined
}

function mostSimilar<Value>(wanted: NameParts, candidates: readonly Candidate<Value>[], least: number) {
  const words = toWords(wanted.at(-1) ?? '')
  const folders = wanted.slice(0, -1)
  const scored = candidates.flatMap(({ value, name }) => {
    const similarity = similarWords(words, toWords(name.at(-1) ?? ''))
    if (similarity < least - leastLead) return []
    const others = name.slice(0, -1)
    const most = Math.max(folders.length, others.length)
    const score = similarity * 0.8 + (most === 0 ? 1 : shared(folders, others) / most) * 0.2
    return [{ value, similarity, score }]
  })
  const [best, second] = scored.toSorted((a, b) => b.score - a.score)
  const isClear = best && best.similarity >= least && best.score - (second?.score ?? 0) >= leastLead
  return isClear ? best.value : undefined
}

/** From 0 to 1, by the words of both texts. */
export function similarity(text: string, other: string): number {
  return similarWords(toWords(text.toLowerCase()), toWords(other.toLowerCase()))
}

function shared(folders: readonly string[], others: readonly string[]): number {
  return folders.filter((folder) => others.includes(folder)).length
}

function squash(name: string): string {
  return name.replace(/[-_. ]/g, '')
}

/** Without articles. */
function toWords(name: string): string[] {
  return name.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => !/^(?:an?|the)?$/.test(word))
}

/** From 0 to 1. Each word counts by the word of the other name that is most like it. */
function similarWords(words: readonly string[], others: readonly string[]): number {
  if (words.length === 0 || others.length === 0) return 0
  const fit = (from: readonly string[], to: readonly string[]) =>
    from.reduce((sum, word) => sum + Math.max(...to.map((other) => similarWord(word, other))), 0)
  return (fit(words, others) + fit(others, words)) / (words.length + others.length)
}

/** 0 for words that only look alike; numbers must be the same. */
function similarWord(word: string, other: string): number {
  if (word === other) return 1
  if (/\d/.test(word + other)) return 0
  const [short, long] = word.length < other.length ? [word, other] : [other, word]
  const start = !long.startsWith(short) || short.length < 3 ? 0 : short.length === 3 ? 0.7 : 0.8
  // No two words of such different lengths are similar, and the comparison of long ones takes time.
  if (short.length < long.length * 0.7 || long.length > 40) return start
  const similarity = 1 - distance(short, long) / long.length
  return similarity < 0.7 ? start : Math.max(start, similarity)
}

/** Letters to change, add or leave out; two neighbours that change places count as one. */
function distance(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const change = (row[j - 1] ?? 0) + (isSame ? 0 : 1)
      let least = Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (isSwap) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}
