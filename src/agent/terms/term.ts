// Finds whole mentions of a term and replaces them. Matching is case-sensitive, and a line break between the words of a
// term counts as a space. A part of a longer word, a URL or an identifier is not a mention.

import type { Range, Splice } from '../../docs-syntax/text.ts'
import { escapePattern } from '../../lib/plain-text.ts'

export type Mention = Range & { readonly text: string }

const letter = '[\\p{L}\\p{M}\\p{N}_]'
const gap = '(?:[ \\t\\u00a0]+|[ \\t]*\\n(?:[ \\t]*>)*[ \\t]*)'

export function findMentions(text: string, term: string): Mention[] {
  return Array.from(text.matchAll(termPattern(term)), (found) => ({
    start: found.index,
    end: found.index + found[0].length,
    text: found[0],
  }))
}

export function replaceMentions(text: string, term: string, replacement: string): string {
  return text.replace(termPattern(term), () => replacement)
}

/**
 * Returns the splice that replaces a mention. A mention that crosses a line break keeps the break: between the same
 * words if the word count is equal, otherwise before the replacement.
 */
export function toSplice(source: string, mention: Mention, replacement: string): Splice {
  const { start, end, text } = mention
  const gaps = text.match(new RegExp(gap, 'gu')) ?? []
  const words = replacement.split(' ')
  const lineBreak = gaps.find((one) => one.includes('\n'))
  if (lineBreak === undefined) return { start, end, text: replacement }
  if (words.length === gaps.length + 1)
    return { start, end, text: words.map((word, index) => word + (gaps[index] ?? '')).join('') }
  return source[start - 1] === ' '
    ? { start: start - 1, end, text: lineBreak + replacement }
    : { start, end, text: replacement }
}

/** Returns a POSIX search pattern for lines that end with the first words of the term; undefined for a single word. */
export function wrappedPattern(term: string): string | undefined {
  const words = term.split(/\s+/)
  if (words.length < 2) return undefined
  const heads = words.slice(1).map((_, index) =>
    words
      .slice(0, index + 1)
      .map(escapePattern)
      .join('[[:space:]]+'),
  )
  return `(${heads.join('|')})[[:space:]]*$`
}

function termPattern(term: string): RegExp {
  const words = term.split(/\s+/)
  // A single word joined to others is part of an identifier or a URL. A capitalised word may be followed by a hyphen.
  const joints = words.length > 1 ? '.' : /^\p{Lu}/u.test(term) ? './\\\\' : './\\\\-'
  const isWord = (character: string | undefined): boolean => new RegExp(letter, 'u').test(character ?? '')
  const before = isWord(term[0]) ? `(?<!${letter}|[@$\\\\]|${letter}[${joints}]|(?<![^\\s])[./]+)` : ''
  const after = isWord(term.at(-1)) ? `(?!${letter}|[${joints}]${letter})` : ''
  return new RegExp(before + words.map(escapePattern).join(gap) + after, 'gu')
}
