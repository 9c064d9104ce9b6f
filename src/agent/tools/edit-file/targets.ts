// Finds parts of a file that an edit names without quoting them: a section by its heading, or lines by their numbers. The
// edit names how the first and the last line begin, so that numbers from before another edit are noticed. Pure.

import { isPagePath, parsePage } from '../../../docs-syntax/markdown.ts'
import { count } from '../result.ts'
import { findHeading } from './heading.ts'
import { type Range, showInvisible } from '../../../docs-syntax/text.ts'
import { startOf } from '../../../lib/plain-text.ts'

export type Target = {
  /** The text of a heading, or `#anchor`. */
  readonly section?: string | undefined
  readonly startLine?: number | undefined
  readonly endLine?: number | undefined
  readonly first?: string | undefined
  readonly last?: string | undefined
}

/** The text has LF line breaks. */
type Source = { readonly path: string; readonly text: string }
type Wanted = Target & { readonly newText: string }
type Found = { readonly range: Range; readonly newText: string } | { readonly problem: string }

export function findTarget(source: Source, wanted: Wanted): Found {
  return wanted.section === undefined ? findLines(source, wanted) : findSection(source, wanted.section, wanted.newText)
}

/** A section goes from its heading to the next heading that is not below it. */
function findSection({ path, text }: Source, section: string, newText: string): Found {
  if (!isPagePath(path)) return { problem: 'section is for Markdown, reStructuredText and AsciiDoc; use oldText.' }
  const meant = findHeading(text, parsePage(path, text), section)
  if ('problem' in meant) return { problem: `${meant.problem}. ${meant.advice}` }
  const { found, headings } = meant
  const next = headings.find(({ start, depth }) => start > found.start && depth <= found.depth)
  const range = { start: found.start, end: next?.start ?? text.length }
  const gap = /\n*$/.exec(text.slice(range.start, range.end))?.[0] ?? ''
  if (newText !== '') return { range, newText: newText.replace(/\n*$/, '') + gap }
  // The last section leaves no blank lines at the end of the file.
  const before = next ? 0 : (/\n*$/.exec(text.slice(0, range.start))?.[0].length ?? 0)
  return { range: { ...range, start: range.start - Math.max(0, before - 1) }, newText: '' }
}

function findLines({ text }: Source, { startLine = 0, endLine = startLine, first, last, newText }: Wanted): Found {
  const lines = text.split('\n')
  const total = text.endsWith('\n') ? lines.length - 1 : lines.length
  if (endLine < startLine) return { problem: 'endLine is before startLine.' }
  if (endLine > total) return { problem: `the file has only ${count(total, 'line')}.` }
  const edges: readonly (readonly [name: string, line: number, words: string | undefined])[] = [
    ['first', startLine, first],
    ...(endLine > startLine ? [['last', endLine, last] as const] : []),
  ]
  for (const [name, line, words] of edges) {
    const there = showInvisible(lines[line - 1] ?? '')
    if (words === undefined) return { problem: `${name} is missing: write how line ${line} begins.` }
    if (!begins(there, words)) return { problem: explainOther(lines, { name, line, words }) }
  }
  const before = lines.slice(0, startLine - 1).reduce((sum, line) => sum + line.length + 1, 0)
  const inside = lines.slice(startLine - 1, endLine).reduce((sum, line) => sum + line.length + 1, 0)
  const range = { start: before, end: Math.min(before + inside, text.length) }
  const isOpen = newText !== '' && !newText.endsWith('\n') && text.slice(0, range.end).endsWith('\n')
  return { range, newText: isOpen ? `${newText}\n` : newText }
}

function begins(line: string, words: string): boolean {
  const wanted = words.trim()
  return wanted === '' ? line.trim() === '' : line.trim().startsWith(wanted)
}

type Edge = { readonly name: string; readonly line: number; readonly words: string }

function explainOther(lines: readonly string[], { name, line, words }: Edge): string {
  const there = startOf(showInvisible(lines[line - 1] ?? ''), 100)
  const places = lines.flatMap((text, index) =>
    words.trim() !== '' && begins(showInvisible(text), words) ? [index + 1] : [],
  )
  const nearest = places.toSorted((a, b) => Math.abs(a - line) - Math.abs(b - line)).slice(0, 5)
  const named = nearest.toSorted((a, b) => a - b).join(', ')
  const where = places.length === 0 ? 'no line begins so' : `lines that begin so: ${named}`
  return `line ${line} is not the line that ${name} names (${where}). Line ${line} is: ${there}`
}
