// Reads the terms of a page for its facts: code in a line, code blocks, names in prose that their form marks, operations. Each
// term is kept once, with the line where it is first; the facts of a page stay small.

import type { MarkdownPage } from '../../../docs-syntax/page.ts'
import { isCommonWord } from '../../../docs-syntax/terms/common-words.ts'
import { readMarkedTerms, readOperations, readTerms, type Term } from '../../../docs-syntax/terms/code-terms.ts'
import type { Range } from '../../../docs-syntax/text.ts'
import type { PageTerms } from '../page-facts.ts'
import type { LineOf } from '../syntax/source.ts'

/** Pages with more are generated; the rest of their terms is left out. */
const maxTerms = 3_000
const span = /`[^`\n]{1,200}`/g
const mayBeOperation = /(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|QUERY)/

type Found = { readonly line: number; count: number; readonly text: string }

export const noTerms: PageTerms = { inline: '', blocks: '', prose: '', operations: [] }

export function readPageTerms({ code }: Pick<MarkdownPage, 'code'>, source: string, lineOf: LineOf): PageTerms {
  const { lists, add } = createLists(source, lineOf)
  const blocks = code.filter((range) => isBlock(range, source))
  const isBlockRange = new Set(blocks)
  // Roles of reStructuredText, and code in HTML that the parser leaves alone.
  const spans = gapsBetween(code, source.length).flatMap((gap) => spansIn(gap, source))
  for (const range of [...code, ...spans]) if (!isBlockRange.has(range)) add('inline', range, readTerms, isTerm)
  for (const gap of gapsBetween([...code, ...spans], source.length)) add('prose', gap, readMarkedTerms, isNoPath)
  for (const range of blocks) add('blocks', withoutInfo(range, source), readTerms, isBlockTerm)
  return { ...lists(), operations: operationsOf(source, lineOf) }
}

type Wanted = readonly [read: (text: string) => Term[], isWanted: (term: Term) => boolean]

function createLists(source: string, lineOf: LineOf) {
  const found = new Map<string, Found>()
  const lists = { inline: [] as Found[], blocks: [] as Found[], prose: [] as Found[] }
  return {
    lists: () => ({ inline: write(lists.inline), blocks: write(lists.blocks), prose: write(lists.prose) }),
    add: (name: keyof typeof lists, { start, end }: Range, ...[readAll, isWanted]: Wanted) => {
      for (const term of readAll(source.slice(start, end))) {
        if (!isWanted(term)) continue
        const known = found.get(term.text)
        if (known) known.count += 1
        else if (found.size < maxTerms) {
          const fresh = { line: lineOf(start + term.start), count: 1, text: term.text }
          found.set(term.text, fresh)
          lists[name].push(fresh)
        }
      }
    },
  }
}

function gapsBetween(ranges: readonly Range[], length: number): Range[] {
  const gaps: Range[] = []
  let position = 0
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    if (start > position) gaps.push({ start: position, end: start })
    position = Math.max(position, end)
  }
  return position < length ? [...gaps, { start: position, end: length }] : gaps
}

function spansIn({ start, end }: Range, source: string): Range[] {
  const text = source.slice(start, end)
  if (!text.includes('`')) return []
  return Array.from(text.matchAll(span), ({ index, 0: { length } }) => ({
    start: start + index + 1,
    end: start + index + length - 1,
  }))
}

/** Outside code, a path is the address of a link. */
function isNoPath({ kind }: Term): boolean {
  return kind !== 'path'
}

/** A third of the terms of code blocks are words that are in all of them. */
function isBlockTerm(term: Term): boolean {
  return isTerm(term) && !(term.kind === 'word' && (term.text.length < 3 || isCommonWord(term.text)))
}

function isTerm({ kind }: Term): boolean {
  return kind !== 'number' && kind !== 'address'
}

/** Code of whole lines. */
function isBlock({ start, end }: Range, source: string): boolean {
  const text = source.slice(start, end)
  if (/[\r\n]/.test(text) || /^(?:`{3}|~{3}|[ \t])/.test(text)) return true
  if (text.startsWith('`')) return false
  const before = source.slice(source.lastIndexOf('\n', start - 1) + 1, start)
  const after = source.slice(end, source.indexOf('\n', end) === -1 ? undefined : source.indexOf('\n', end))
  return before.trim() === '' && after.trim() === ''
}

/** Without the first line of a fence, which names the language. */
function withoutInfo({ start, end }: Range, source: string): Range {
  if (!/^(?:`{3}|~{3})/.test(source.slice(start, start + 3))) return { start, end }
  const first = source.indexOf('\n', start)
  return { start: first === -1 || first > end ? end : first, end }
}

function operationsOf(source: string, lineOf: LineOf): string[] {
  if (!mayBeOperation.test(source)) return []
  const known = new Map<string, number>()
  for (const { text, start } of readOperations(source)) if (!known.has(text)) known.set(text, lineOf(start))
  return Array.from(known, ([text, line]) => `${line} ${text}`).slice(0, maxTerms)
}

function write(list: readonly Found[]): string {
  let written = ''
  let last = 0
  for (const { line, count, text } of list) {
    if (line !== last || written === '') written += `${written === '' ? '' : ';'}${line - last}`
    written += count > 1 ? ` ${text}*${count}` : ` ${text}`
    last = line
  }
  return written
}
