// Finds the whole mentions of a term and replaces them. Case counts; a line break between the words of a term is as
// good as a space; part of a longer word, of an address or of an identifier is not the term.

import type { Range, Splice } from '../../docs-syntax/text.ts'

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

/** The splice for a mention; one that crosses a line break keeps the break, before the new words when need be. */
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

/** A pattern for search, in POSIX form, for lines that end with a part of the term; undefined for one word. */
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
  // A single word joined to others is part of an identifier or an address; a capital one may have a hyphen.
  const joints = words.length > 1 ? '.' : /^\p{Lu}/u.test(term) ? './\\\\' : './\\\\-'
  const isWord = (character: string | undefined): boolean => new RegExp(letter, 'u').test(character ?? '')
  const before = isWord(term[0]) ? `(?<!${letter}|[@$\\\\]|${letter}[${joints}]|(?<![^\\s])[./]+)` : ''
  const after = isWord(term.at(-1)) ? `(?!${letter}|[${joints}]${letter})` : ''
  return new RegExp(before + words.map(escapePattern).join(gap) + after, 'gu')
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
