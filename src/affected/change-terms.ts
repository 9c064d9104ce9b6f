// The terms of a change: of its added and removed lines, the functions around them, its paths and its messages, each with how much
// it says. A term that only moved says almost nothing.

import { isMarkedByForm, readTerms, type Term } from '../docs-syntax/terms/code-terms.ts'
import { isCommonWord } from '../docs-syntax/terms/common-words.ts'
import { termKeys } from '../docs-syntax/terms/term-keys.ts'
import { readMessage } from './subjects.ts'
import type { Change, ChangedFile } from './types.ts'
import type { Weights } from './weights.ts'

/** `text`: a spelling of it in the change. `isWhole`: the change has it as a term, and not only in one. */
export type WeighedKey = { weight: number; text: string; best: number; isWhole: boolean }
export type ChangeTerms = ReadonlyMap<string, WeighedKey>

/** Longer lines are data or minified. */
const maxLine = 1_000
const maxBody = 100
/** A change with more is judged by its first ones. */
const maxLines = 50_000
const testPath =
  /(?:^|[/._-])(?:tests?|specs?|__tests__|testdata|fixtures?|e2e|playground|bench(?:marks?)?|examples?)(?:[/._-]|$)/i
/** Lines that say what users see: exports, options, fields of schemas, arguments of commands, names of variables. */
const declaration =
  /^\s*(?:export\b|pub\b|public\b|def \w|class \w|func (?:\([^)]*\) )?[A-Z]|#\[|@[A-Za-z]|["']?[\w-]+["']?\??\s*[:=])|add_argument|add_option|\.(?:option|flag|command|route|get|post|put|delete|Flag|StringVar|BoolVar)\(|\b(?:json|yaml|toml|env):"/
const comment = /^\s*(?:\/\/|\/?\*|#(?!\[)|<!--|"""|''')/
const importing = /^\s*(?:import\b|from\b.{1,200}\bimport\b|use\b|require\(|#include|package\b)/
/** Comments from which programs make documentation. */
const docComment = /^\s*(?:\/\/\/|\/\*\*|\*\s|"""|''')/
const notice = /deprecat|experimental|unstable|\bwarn/i
const quoted = /["'`]([^"'`\n]{1,80})["'`]/g
/** Lines of messages that name people and other commits. */
const trailer = /^(?:[A-Z][\w-]+-by|Change-Id|Refs?|PR-URL|Reviewed|Fixes|Closes|See):/i

export type ReadChange = {
  readonly terms: ChangeTerms
  /** Changed lines of files that are no tests. */
  readonly lines: number
  readonly declarations: number
  readonly testLines: number
  /** Lines that name other modules, in files that are no tests. */
  readonly imports: number
  /** Lines that are comments, those of comments for documentation, and lines about deprecation or warnings, in files that are no tests. */
  readonly comments: number
  readonly docComments: number
  readonly notices: number
  /** Names that only their form marks, in files that are no tests, which the change has more often or less often than before. */
  readonly addedNames: readonly string[]
  readonly removedNames: readonly string[]
}

type Count = { added: number; removed: number; weight: number; readonly isName: boolean; isTest: boolean }

export function readChange({ files, messages }: Change, { query }: Weights): ReadChange {
  const terms = new Map<string, WeighedKey>()
  const counts = new Map<string, Count>()
  const found = { lines: 0, declarations: 0, testLines: 0, imports: 0, comments: 0, docComments: 0, notices: 0 }
  for (const file of files) {
    const isTest = testPath.test(file.path)
    const add = createLineReader(counts, isTest, query)
    if (found.lines + found.testLines < maxLines) {
      readPatch(file, (sign, line) => {
        const isDeclaration = add(sign, line)
        if (sign === '@') return
        if (isTest) found.testLines += 1
        else found.lines += 1
        if (isTest) return
        if (isDeclaration) found.declarations += 1
        if (importing.test(line)) found.imports += 1
        if (comment.test(line)) found.comments += 1
        if (docComment.test(line)) found.docComments += 1
        if (sign === '+' && notice.test(line)) found.notices += 1
      })
    }
    const weight = query.path * (isTest ? query.test : 1)
    for (const path of new Set([file.path, file.previousPath ?? file.path])) addPath(terms, path, weight, query)
  }
  const names = { addedNames: [] as string[], removedNames: [] as string[] }
  for (const [text, { added, removed, weight, isName, isTest }] of counts) {
    const net = added - removed
    const much = net === 0 ? query.moved * added : net > 0 ? net : -net * query.removed
    // How much a term says grows slowly with how often it is there.
    addKeys(terms, text, (weight / (added + removed)) * Math.log1p(much), query)
    if (isName && !isTest && net !== 0) (net > 0 ? names.addedNames : names.removedNames).push(text)
  }
  for (const message of messages) addMessage(terms, message, query)
  return { terms, ...found, ...names }
}

/** Calls back for each added and removed line, and for what a hunk is in. */
function readPatch({ patch }: ChangedFile, each: (sign: '+' | '-' | '@', line: string) => void): void {
  let isInHunk = false
  for (let start = 0; start < patch.length;) {
    const found = patch.indexOf('\n', start)
    const end = found === -1 ? patch.length : found
    const sign = patch[start]
    if (sign === '@') {
      isInHunk = true
      const head = patch.slice(start, Math.min(end, start + maxLine))
      each('@', head.slice(head.indexOf('@@', 2) + 2))
    } else if (sign === 'd') isInHunk = false
    else if (isInHunk && (sign === '+' || sign === '-') && end - start <= maxLine) {
      each(sign, patch.slice(start + 1, end))
    }
    start = end + 1
  }
}

/** Returns whether the line declares something. */
function createLineReader(counts: Map<string, Count>, isTest: boolean, query: Weights['query']) {
  return (sign: '+' | '-' | '@', line: string): boolean => {
    const isDeclaration = sign !== '@' && declaration.test(line)
    const isQuoted = isDeclaration ? undefined : findQuoted(line)
    const factor = (isTest ? query.test : 1) * (sign === '@' ? query.hunk : isDeclaration ? query.declared : 1)
    for (const term of readTerms(line)) {
      if (!isSaid(term)) continue
      let count = counts.get(term.text)
      if (!count) {
        count = { added: 0, removed: 0, weight: 0, isName: isMarkedByForm(term), isTest }
        counts.set(term.text, count)
      }
      if (sign === '-') count.removed += 1
      else count.added += 1
      if (!isTest) count.isTest = false
      count.weight += factor * (count.isName ? query.marked : 1) * (isQuoted?.(term.start) === true ? query.quoted : 1)
    }
    return isDeclaration
  }
}

function findQuoted(line: string): ((at: number) => boolean) | undefined {
  if (!/["'`]/.test(line)) return undefined
  const ranges = Array.from(line.matchAll(quoted), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }))
  return ranges.length === 0 ? undefined : (at) => ranges.some(({ start, end }) => at >= start && at < end)
}

function addPath(keys: Map<string, WeighedKey>, path: string, weight: number, query: Weights['query']): void {
  const parts = path.replace(/\.\w+$/, '').split('/')
  for (const [at, part] of parts.entries()) addKeys(keys, part, weight / (parts.length - at), query)
}

function addMessage(keys: Map<string, WeighedKey>, message: string, query: Weights['query']): void {
  const { title, body } = readMessage(message)
  for (const term of readTerms(title)) if (isSaid(term)) addKeys(keys, term.text, query.subject, query)
  for (const [at, line] of body.split('\n').entries()) {
    if (at >= maxBody || line.length > maxLine || trailer.test(line)) continue
    for (const term of readTerms(line)) if (isSaid(term)) addKeys(keys, term.text, query.body, query)
  }
}

function isSaid({ kind, text }: Term): boolean {
  return kind !== 'number' && kind !== 'address' && !(kind === 'word' && isCommonWord(text))
}

function addKeys(keys: Map<string, WeighedKey>, text: string, weight: number, query: Weights['query']): void {
  const { whole, segments, words } = termKeys(text)
  add(keys, whole, { weight, text, best: weight, isWhole: true })
  const addPart = (key: string, share: number) =>
    add(keys, key, { weight: weight * share, text: key, best: weight * share, isWhole: false })
  for (const key of segments) addPart(key, query.segment)
  for (const key of words) if (key.length > 2) addPart(key, query.word)
}

function add(keys: Map<string, WeighedKey>, key: string, found: WeighedKey): void {
  if (key.length < 2) return
  const known = keys.get(key)
  if (!known) {
    keys.set(key, found)
    return
  }
  known.weight += found.weight
  known.isWhole ||= found.isWhole
  if (found.best <= known.best) return
  known.best = found.best
  known.text = found.text
}
