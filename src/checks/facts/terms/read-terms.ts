// Reads the terms of a page for its facts: code in a line, code blocks, names in prose that their form marks, operations. Each
// term is kept once, with the line where it is first; the facts of a page stay small.

import type { MarkdownPage } from '../../../docs-syntax/page.ts'
import { codeRangesOf } from '../../../docs-syntax/terms/code-ranges.ts'
import { isCommonWord } from '../../../docs-syntax/terms/common-words.ts'
import { readMarkedTerms, readOperations, readTerms, type Term } from '../../../docs-syntax/terms/code-terms.ts'
import type { Range } from '../../../docs-syntax/text.ts'
import type { PageTerms } from '../page-facts.ts'
import type { LineOf } from '../syntax/source.ts'

/** Pages with more are generated; the rest of their terms is left out. */
const maxTerms = 3_000
const mayBeOperation = /(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|QUERY)/

type Found = { readonly line: number; count: number; readonly text: string }

export const noTerms: PageTerms = { inline: '', blocks: '', prose: '', operations: [] }

export function readPageTerms({ code }: Pick<MarkdownPage, 'code'>, source: string, lineOf: LineOf): PageTerms {
  const { lists, add } = createLists(source, lineOf)
  const ranges = codeRangesOf({ code }, source)
  for (const range of ranges.inline) add('inline', range, readTerms, isTerm)
  for (const range of ranges.rest) add('prose', range, readMarkedTerms, isNoPath)
  for (const range of ranges.blocks) add('blocks', range, readTerms, isBlockTerm)
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
