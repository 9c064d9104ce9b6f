// Splits a masked message into tokens: words, punctuation, and one token for each quotation or fenced block. Each token
// has its position in the text, so error messages can quote the original.

export type Token = {
  readonly kind: 'word' | 'mark' | 'quote' | 'fence'
  /** A word in lower case, or the token that masked.ts put in place of a quotation or block. */
  readonly text: string
  readonly isCapital: boolean
  readonly start: number
  readonly end: number
}

const chunk = /[\u{e000}\u{e002}]\d+[\u{e001}\u{e003}]|[^\s\u{e000}-\u{e003}]+/gu
const marks = '.,;:!?='

/** Tokens of `text` from `start` to `end`. */
export function tokenize(text: string, start = 0, end = text.length): Token[] {
  return Array.from(text.slice(start, end).matchAll(chunk)).flatMap((found) => {
    const at = start + found.index
    const [whole] = found
    if (whole.startsWith('\u{e000}')) return [token('quote', whole, at)]
    return whole.startsWith('\u{e002}') ? [token('fence', whole, at)] : split(whole, at)
  })
}

/** Splits punctuation and a possessive `'s` off a word. Punctuation inside the word, as in a path, stays. */
function split(chunk: string, at: number): Token[] {
  const after: Token[] = []
  const isLoose = chunk.includes('(') !== chunk.includes(')')
  const [opening, closing] = isLoose ? [',;:(', `${marks})`] : [',;:', marks]
  let first = 0
  let last = chunk.length
  while (first < last && opening.includes(chunk.charAt(first))) first += 1
  for (; last > first; last -= 1) {
    const end = chunk.charAt(last - 1)
    if (!closing.includes(end)) break
    after.push(token('mark', end, at + last - 1))
  }
  if (/['’]s$/.test(chunk.slice(first, last)) && last - first > 2) {
    last -= 2
    after.push(token('mark', "'s", at + last))
  }
  const before = Array.from(chunk.slice(0, first), (mark, index) => token('mark', mark, at + index))
  const word = first < last ? [token('word', chunk.slice(first, last), at + first)] : []
  return [...before, ...word, ...after.toReversed()]
}

function token(kind: Token['kind'], text: string, start: number): Token {
  const isCapital = /^\p{Lu}/u.test(text)
  return { kind, text: kind === 'word' ? text.toLowerCase() : text, isCapital, start, end: start + text.length }
}
