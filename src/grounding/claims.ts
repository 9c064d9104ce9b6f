// The terms that a change adds to pages, and what would prove each of them. A line that a page had before says nothing new,
// wherever it is now. Pure.

import { isPagePath, parsePage } from '../docs-syntax/markdown.ts'
import { codeRangesOf } from '../docs-syntax/terms/code-ranges.ts'
import { readOperations, readTerms, type Term } from '../docs-syntax/terms/code-terms.ts'
import { inRanges, type Range } from '../docs-syntax/text.ts'
import { isCommon, isMadeUp, ownCommand } from './common.ts'
import { formsOf, spellingsOf } from './forms.ts'
import { declaredNames } from './declared.ts'
import type { ChangedText } from './places.ts'
import { type Amount, amountOf, amountsIn } from './amounts.ts'

/**
 * `name`: one of the forms is somewhere. `joined`: the whole is somewhere, or all parts are, each near the next one. `value`:
 * the amount is near one of the names; without names it is anywhere.
 */
export type Need =
  | { readonly kind: 'name'; readonly forms: readonly string[] }
  | { readonly kind: 'joined'; readonly whole: string; readonly parts: readonly Part[]; readonly isPath: boolean }
  | { readonly kind: 'value'; readonly names: readonly string[]; readonly amount: Amount }

/** The spellings of it. */
export type Part = readonly string[]

export type Claim = {
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  readonly term: string
  readonly where: 'inline' | 'block' | 'prose'
  readonly need: Need
}

const fileName =
  /\.(?:[cm]?[jt]sx?|json[5c]?|ya?ml|toml|ini|cfg|conf|mdx?|rst|adoc|html?|css|s[ac]ss|less|py[ix]?|rs|go|rb|java|kts?|cs|c|h|cpp|hpp|sh|bash|zsh|fish|ps1|bat|sql|proto|txt|xml|lock|env|vue|svelte|lua|ex|exs|erl|php|swift|tf|hcl|svg|png|log|csv|whl|tar|gz|zip|exe|dll|so|scm|nu)$/
/** Roles of reStructuredText that name a place in the documentation. */
const placeRole =
  /:(?:ref|doc|term|numref|download|any|pep|rfc|issue|pr|gh|user|cve|abbr|guilabel|kbd|menuselection|email|github_user|sha|pull|bug):$/
/** Pages with more are generated. */
const mostClaims = 5_000

/** `own`: names of the product, whose commands are looked up even if they are common. */
export function claimsOf(change: readonly ChangedText[], own: ReadonlySet<string>): Claim[] {
  const old = new Set(change.flatMap(({ before = '' }) => before.split('\n').map((line) => line.trim())))
  return change.flatMap(({ path, after }) =>
    after === undefined || !isPagePath(path)
      ? []
      : claimsOfPage({ path, source: after.replaceAll('\r\n', '\n') }, old, own),
  )
}

type Page = { readonly path: string; readonly source: string }

function claimsOfPage({ path, source }: Page, old: ReadonlySet<string>, own: ReadonlySet<string>): Claim[] {
  const page = parsePage(path, source)
  const { inline, blocks, rest } = codeRangesOf(page, source)
  const isElsewhere = inRanges(page.links.flatMap(({ url, label }) => (label && /^https?:/.test(url) ? [label] : [])))
  const isRst = page.syntax === 'rst'
  const declared = declaredNames(blocks.map(({ start, end }) => source.slice(start, end)))
  const lines = createLines(source)
  const claims = new Map<string, Claim>()
  const isNew = (offset: number) => !old.has(lines.textAt(offset).trim())
  const add = (where: Claim['where'], offset: number, term: string, need: Need) => {
    const key = JSON.stringify([term, need])
    if (claims.size < mostClaims && !claims.has(key)) {
      claims.set(key, { path, line: lines.numberAt(offset), term, where, need })
    }
  }
  for (const range of inline.toSorted((a, b) => a.start - b.start)) {
    // A name that leads to another site is that of another product.
    if (!isNew(range.start) || isElsewhere(range.start) || (isRst && isReference(source, range))) continue
    for (const { offset, term, need } of claimsIn(source, range, { own, declared, isBlock: false }))
      add('inline', offset, term, need)
  }
  for (const block of blocks) {
    for (const range of linesOf(source, block)) {
      if (!isNew(range.start)) continue
      for (const { offset, term, need } of claimsIn(source, range, { own, declared, isBlock: true }))
        add('block', offset, term, need)
    }
  }
  const spans = inline.toSorted((a, b) => a.start - b.start)
  for (const range of rest) {
    for (const found of claimsInProse(source, range, spans))
      if (isNew(found.offset)) add('prose', found.offset, found.term, found.need)
  }
  return [...claims.values()]
}

/** "`text <address>`_", and a role that names a page or a label. */
function isReference(source: string, { start, end }: Range): boolean {
  const open = source.slice(0, start).replace(/`*$/, '')
  return /^`*_/.test(source.slice(end, end + 3)) || placeRole.test(open.slice(-20))
}

type Found = { readonly offset: number; readonly term: string; readonly need: Need }
type Reading = { readonly own: ReadonlySet<string>; readonly declared: ReadonlySet<string>; readonly isBlock: boolean }

function claimsIn(source: string, range: Range, { own, declared, isBlock }: Reading): Found[] {
  // With the marks around it, or without them.
  const marks = /^`*/.exec(source.slice(range.start, range.end))?.[0].length ?? 0
  const written = source.slice(range.start + marks, range.end).replace(/`+$/, '')
  const part = ownCommand(written, own)
  if (part === undefined) return []
  const from = range.start + marks + written.length - part.length
  const found: Found[] = []
  const terms = readTerms(part)
  // A label: `Save As`.
  if (!isBlock && terms.length > 1 && /^[A-Z]/.test(part) && terms.every(({ kind }) => kind === 'word')) return []
  for (const [at, term] of terms.entries()) {
    const offset = from + term.start
    if (term.kind === 'number') {
      const name = at > 0 ? terms[at - 1] : undefined
      const names = name && isAttached(part, name, term) ? namesOf(name) : isBlock ? [] : namesBefore(source, range)
      const amount = amountOf(term.text)
      if (names.length > 0 && amount) found.push({ offset, term: term.text, need: { kind: 'value', names, amount } })
      continue
    }
    if (term.kind === 'address' || isPlaceholder(part, term) || isCommon(term.text)) continue
    if (!/[A-Za-z]{2}/.test(term.text) || (isBlock && !isBlockName(part, term))) continue
    const need = needOf(term, declared)
    if (need) found.push({ offset, term: term.text, need })
    const command = term.kind === 'flag' ? commandOf(terms.slice(0, at)) : undefined
    if (command === undefined) continue
    const whole = `${command} ${term.text}`
    found.push({
      offset,
      term: whole,
      need: { kind: 'joined', whole, parts: [[command], formsOf(term)], isPath: false },
    })
  }
  return found
}

/** The command within a program to which a flag belongs: `build` of `acme build --watch`. */
function commandOf(before: readonly Term[]): string | undefined {
  const end = before.findIndex(({ kind }) => kind === 'flag')
  const words = end === -1 ? before : before.slice(0, end)
  const [program, command] = words
  if (words.length !== 2 || program?.kind !== 'word' || !command || !/^[a-z][a-z-]+$/.test(command.text))
    return undefined
  return command.text
}

/** Undefined: the page declares it itself. */
function needOf(term: Term, declared: ReadonlySet<string> = new Set()): Need | undefined {
  if (declared.has(term.text)) return undefined
  const isPath = term.kind === 'path' || fileName.test(term.text)
  const isJoined = isPath || /\w::\w|\w[.#]\w/.test(term.text)
  if (term.kind === 'flag' || !isJoined) return { kind: 'name', forms: formsOf(term) }
  const names = (isPath ? term.text.split('/') : term.text.split(/::|[.#:]/)).filter(
    (part) => /[A-Za-z]{2}/.test(part) && !/^[.~]+$|[{}<>*$]/.test(part),
  )
  if (names.some(isMadeUp)) return undefined
  const [owner = '', ...members] = names
  const own = isPath ? names : [owner, ...members.filter((member) => !isCommon(member))]
  // A variable of an example: its members still have to be somewhere.
  if (!isPath && declared.has(owner)) {
    const last = own.slice(1).at(-1)
    return last === undefined ? undefined : { kind: 'name', forms: [last] }
  }
  const parts = own.map((part) => [part])
  return { kind: 'joined', whole: term.text.replace(/^\.{0,2}\//, ''), parts, isPath }
}

/** `port: 8080`, `--port=8080`, `timeout = 30`. */
function isAttached(text: string, name: Term, { start }: Term): boolean {
  const end = name.start + name.text.length
  return name.kind !== 'number' && /^["'`\]]{0,2}\s*(?:[=:]|=>|\s)\s*["'`]?$/.test(text.slice(end, start))
}

function namesOf({ kind, text }: Pick<Term, 'kind' | 'text'>): readonly string[] {
  if (kind === 'address' || kind === 'path' || text.length < 3) return []
  return spellingsOf(text.replace(/^-+(?:no-)?/, '').replace(/^.*[.:#]/, ''))
}

/** The span of code before a value, in the same line: "`port` defaults to `3000`". */
function namesBefore(source: string, { start }: Range): readonly string[] {
  const line = source.slice(source.lastIndexOf('\n', start) + 1, start)
  return namesIn(line)
}

function namesIn(line: string): readonly string[] {
  const spans = [...line.matchAll(/`([^`\n]+)`/g)].flatMap(({ 1: text = '' }) => readTerms(text).slice(-1))
  const name = spans.findLast(({ kind }) => kind !== 'number')
  return name ? namesOf(name) : []
}

function isPlaceholder(text: string, { start, text: term, kind }: Term): boolean {
  const [before, after] = [text[start - 1], text[start + term.length]]
  if (before === '\\') return true
  if (before === '$' || before === '%') return true
  if (before === '<' && after === '>' && /^[a-z]/.test(term)) return true
  if (before === '{' && after === '}') return true
  if (before === '[' && after === ']' && kind === 'word') return true
  return /[{}<>*]/.test(term) && kind !== 'path'
}

/** In a code block: no plain word but a key, and nothing in a comment or in quotes, which an example makes up. */
function isBlockName(line: string, { start, kind, text }: Term): boolean {
  const before = line.slice(0, start)
  const after = line.slice(start + text.length)
  if (/^\s*(?:- |export )?["']?$/.test(before) && /^["']?\s*[:=](?![:=>])/.test(after)) return true
  if (kind === 'word') return false
  if (/(?:^|\s)(?:\/\/|#(?!\[)|--\s|\*\s|\/\*|<!--|;;)/.test(before)) return false
  return kind === 'flag' || (before.match(/["'`]/g)?.length ?? 0) % 2 === 0
}

/** Amounts in sentences, with the name of the same line that they belong to; operations. */
function claimsInProse(source: string, range: Range, spans: readonly Range[]): Found[] {
  const text = source.slice(range.start, range.end)
  const found: Found[] = []
  for (const { text: written, start, amount } of amountsIn(text)) {
    const offset = range.start + start
    const lineStart = source.lastIndexOf('\n', offset) + 1
    if (spans.length === 0) continue
    const names = namesIn(source.slice(lineStart, offset))
    if (names.length > 0) found.push({ offset, term: written, need: { kind: 'value', names, amount } })
  }
  for (const { text: written, start } of readOperations(text)) {
    const path = written.slice(written.indexOf(' ') + 1)
    const need = path.length > 1 ? needOf({ kind: 'path', text: path, start }) : undefined
    if (need) found.push({ offset: range.start + start, term: written, need })
  }
  return found
}

function linesOf(source: string, { start, end }: Range): Range[] {
  const lines: Range[] = []
  for (let at = start; at < end;) {
    const next = source.indexOf('\n', at)
    const stop = next === -1 ? end : Math.min(next, end)
    if (stop > at && stop - at < 2_000) lines.push({ start: at, end: stop })
    at = stop + 1
  }
  return lines
}

function createLines(source: string) {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  const indexOf = (offset: number) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
  return {
    numberAt: (offset: number) => indexOf(offset) + 1,
    textAt: (offset: number) => {
      const at = indexOf(offset)
      return source.slice(starts[at], starts[at + 1] ?? source.length)
    },
  }
}
