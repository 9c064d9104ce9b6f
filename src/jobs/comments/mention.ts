// Finds out whether a comment calls Docent, and for what: `@name` between spaces or marks, or `/docent` at the start of a line.
// Names in code, quotes, links and HTML call nobody, and neither do comments that Docent wrote. Pure.

import { readCommonMark } from '../../docs-syntax/commonmark/commonmark.ts'
import type { SyntaxNode } from '../../docs-syntax/syntax.ts'
import { hasCommentMarker } from '../../forge/comments/comments.ts'
import { startOf } from '../../lib/plain-text.ts'

/** The word that works in every project. */
export const command = '/docent'

/** As GitHub completes it: the login of an App is `slug[bot]`. */
export function nameOf(login: string): string {
  return login.replace(/\[bot\]$/, '')
}

/** The rest of a comment is not read. */
const mostCharacters = 20_000

/**
 * `names`: without `@`. Returns the comment without the words that call, and without comments of HTML, which people do not
 * see; it may be empty. Undefined: it calls nobody.
 */
export function findMention(text: string, names: readonly string[]): string | undefined {
  const calls = patternOf(names)
  const source = startOf(text, mostCharacters).replaceAll('\r\n', '\n')
  // Reading Markdown is the expensive part.
  if (source.search(calls) < 0 || hasCommentMarker(source)) return undefined
  const all = Array.from(source.matchAll(calls), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
  const found: Range[] = []
  const hidden: Range[] = []
  walk(readCommonMark(source), (node) => {
    const range = rangeOf(node)
    if (node.type === 'html' && String(node.value).startsWith('<!--')) hidden.push(range)
    if (node.type !== 'text') return
    found.push(...all.filter(({ start, end }) => start >= range.start && end <= range.end))
  })
  if (found.length === 0) return undefined
  return withoutCalls(text, found, hidden)
}

type Range = { readonly start: number; readonly end: number }

/** The bounds are not part of a match. Logins are the same in any case. */
function patternOf(names: readonly string[]): RegExp {
  const escaped = names.filter((name) => name !== '').map((name) => name.replaceAll(/\W/g, String.raw`\$&`))
  const mention = escaped.length === 0 ? '' : String.raw`(?<![^\s])@(?:${escaped.join('|')})|`
  return new RegExp(String.raw`(?:${mention}(?<=^[ ]{0,3})${command})(?=[\s.,!?;:]|$)`, 'gim')
}

/** Not into quotes and links: they have the words of others. */
function walk(node: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  if (node.type === 'blockquote' || node.type === 'link' || node.type === 'linkReference') return
  visit(node)
  for (const child of node.children ?? []) walk(child, visit)
}

function rangeOf({ position }: SyntaxNode): Range {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}

/** A name in the middle of a sentence stays: the sentence needs it. */
function withoutCalls(text: string, found: readonly Range[], hidden: readonly Range[]): string {
  const source = text.replaceAll('\r\n', '\n')
  const isFirst = ({ start }: Range) => source.slice(0, start).trim() === ''
  const isCommand = ({ start }: Range) => source[start] === '/'
  const cut = [...hidden, ...found.filter((one) => isFirst(one) || isCommand(one)).map((one) => withMarks(source, one))]
  let rest = source
  for (const { start, end } of cut.toSorted((a, b) => b.start - a.start)) rest = rest.slice(0, start) + rest.slice(end)
  return rest.trim()
}

/** `@docent, please`: the comma belongs to the name. */
function withMarks(source: string, { start, end }: Range): Range {
  const marks = /^[,:;.!]?[ \t]*/.exec(source.slice(end))?.[0] ?? ''
  return { start, end: end + marks.length }
}
