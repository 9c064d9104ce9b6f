// The script that follows the changes of the product: finds flags, variables and names that were renamed since an earlier
// commit, and renames them in the documentation. A pair of lines that differ in one of these is a rename, if the old name is
// gone.

import { readTerms, type Term } from '../../../docs-syntax/terms/code-terms.ts'
import type { FollowChanges } from '../instruction.ts'
import {
  type Call,
  callOne,
  type CallResult,
  type Memo,
  type Outcome,
  readSources,
  type Script,
  searchLines,
  unchanged,
} from '../script.ts'
import { amount, listed } from '../words.ts'
import { replaceTerm } from './replace-term.ts'

type Rename = { readonly from: string; readonly to: string }

/** More renames are no work for rules. */
const mostRenames = 50
const kinds: ReadonlySet<Term['kind']> = new Set(['flag', 'variable', 'name'])

export function* followChanges(instruction: FollowChanges, memo: Memo): Script {
  const { since, source } = instruction
  const sources = yield* readSources()
  const roots = source === undefined ? sources.map((name) => `@${name}`) : [`@${source}`]
  const renames: Rename[] = []
  const left: string[] = []
  for (const root of roots.length === 0 ? [undefined] : roots) {
    const change = yield* readChange(root, since)
    if ('problem' in change) left.push(`${root ?? 'The documentation'}: ${change.problem}`)
    else renames.push(...(yield* findGone(root, findRenames(change.lines))))
  }
  const from = roots.length === 0 ? '' : ` of ${listed(roots)}`
  if (renames.length === 0) {
    return unchanged(`No flag, variable or name${from} was renamed since ${since}, as far as lines show.`, ...left)
  }
  const outcomes: Outcome[] = []
  for (const one of renames.slice(0, mostRenames)) {
    outcomes.push(yield* replaceTerm({ kind: 'replace', ...one, inCode: true, scopes: [], including: [] }, memo))
  }
  if (renames.length > mostRenames) left.push(`${amount(renames.length - mostRenames, 'more rename')} did not fit.`)
  return {
    changed: outcomes.some(({ changed }) => changed),
    title: `Update the docs for the changes${from} since ${since}`,
    done: outcomes.flatMap(({ done }) => done),
    // Most names of the product are not in its documentation.
    left: [...outcomes.flatMap((one) => one.left.filter((words) => !words.endsWith('” was not found.'))), ...left],
  }
}

type Read = { readonly lines: readonly string[] } | { readonly problem: string }

/** The lines of all diffs. A file whose diff was cut is asked for alone. */
function* readChange(path: string | undefined, since: string): Script<Read> {
  const whole = yield* readDiff(path, since)
  if ('problem' in whole) return whole
  const lines = [...whole.lines]
  const cut = whole.lines.flatMap((line) => /^\[\d+ more lines? of (.+): call with this path\]$/.exec(line)?.[1] ?? [])
  for (const file of cut) {
    const more = yield* readDiff(file, since)
    if ('lines' in more) lines.push(...more.lines)
  }
  return { lines }
}

function* readDiff(path: string | undefined, from: string): Script<Read> {
  const lines: string[] = []
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const input: Call['input'] = { from, ...(path === undefined ? {} : { path }), ...(offset === 0 ? {} : { offset }) }
    const result: CallResult = yield* callOne(`Looking at what changed since ${from}.`, { tool: 'show_change', input })
    if (result.isError) return { problem: result.text }
    lines.push(...result.text.split('\n').slice(1))
    const next: number | undefined = result.facts?.next
    offset = next === undefined || next <= offset ? undefined : next
  }
  return { lines }
}

/** Removed lines and the added lines after them, as many, with other names: what all of them agree on. */
export function findRenames(lines: readonly string[]): readonly Rename[] {
  const found = new Map<string, Set<string>>()
  for (let at = 0; at < lines.length;) {
    const removed = takeWhile(lines, at, '-')
    const added = takeWhile(lines, at + removed.length, '+')
    if (removed.length === added.length) {
      for (const [index, old] of removed.entries()) {
        for (const { from, to } of renamesIn(old.slice(1), (added[index] ?? '').slice(1))) {
          found.set(from, (found.get(from) ?? new Set()).add(to))
        }
      }
    }
    at += Math.max(1, removed.length + added.length)
  }
  return [...found].flatMap(([from, names]) => {
    const [to] = names
    return names.size === 1 && to !== undefined ? [{ from, to }] : []
  })
}

function takeWhile(lines: readonly string[], start: number, mark: string): readonly string[] {
  const end = lines.findIndex((line, at) => at >= start && !line.startsWith(mark))
  return lines.slice(start, end === -1 ? lines.length : Math.max(start, end))
}

/** The names in which two lines differ, if nothing else differs: neither a word of a sentence nor the value of a setting. */
function renamesIn(old: string, fresh: string): readonly Rename[] {
  const [before, after] = [readTerms(old), readTerms(fresh)]
  if (before.length !== after.length) return []
  const changed = before.flatMap((term, at) => {
    const to = after[at]
    return to === undefined || term.text === to.text ? [] : [{ from: term, to }]
  })
  if (!changed.every(({ from, to }) => kinds.has(from.kind) && isFit(from, to))) return []
  const line = changed.reduce((text, { from, to }) => text.replaceAll(from.text, to.text), old)
  return line === fresh ? changed.map(({ from, to }) => shortest({ from: from.text, to: to.text })) : []
}

/** A name may become a plain word: `maxColumns` becomes `width`. */
function isFit(from: Term, to: Term): boolean {
  return from.kind === to.kind || (from.kind === 'name' && to.kind === 'word')
}

/** Returns only the part in which `env.A_B` and `env.A_C` differ, if it is a name alone, too. */
function shortest(rename: Rename): Rename {
  const [old, fresh] = [partsOf(rename.from), partsOf(rename.to)]
  const changed = old.flatMap((part, at) => (part === fresh[at] ? [] : [{ from: part, to: fresh[at] ?? '' }]))
  const [only] = changed
  if (old.length !== fresh.length || changed.length !== 1 || !only) return rename
  return kinds.has(readTerms(only.from)[0]?.kind ?? 'word') ? only : rename
}

function partsOf(name: string): readonly string[] {
  return name.split(/\.|::|->/)
}

/** Those of which the source has nothing any more. */
function* findGone(root: string | undefined, renames: readonly Rename[]): Script<readonly Rename[]> {
  const gone: Rename[] = []
  for (const one of renames.slice(0, mostRenames * 2)) {
    if (root === undefined) gone.push(one)
    else {
      const lines = yield* searchLines(`Looking for “${one.from}”.`, { pattern: one.from, glob: root })
      const isThere = (line: string) =>
        readTerms(line).some(({ text }) => text === one.from || partsOf(text).includes(one.from))
      if (!lines.some(isThere)) gone.push(one)
    }
  }
  return gone
}
