// Defines a script: a generator that yields tool calls and receives their results. Also contains the steps that scripts
// share. A script depends only on its instruction and those results, so it can be replayed from a transcript.

import { isInvisible } from '../../docs-syntax/text.ts'
import type { Problem } from '../checks.ts'
import { startOf } from '../../lib/plain-text.ts'
import { sayRefusedEdit } from '../refused-edit.ts'
import type { SiteOutline } from '../../sites/site-map.ts'
import type { ResultFacts } from '../tool.ts'
import { fileOfLine } from '../tools/list-files/list-files.ts'
import { pathOfLine } from '../tools/result.ts'

export type Call = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
export type CallResult = { readonly text: string; readonly isError: boolean; readonly facts?: ResultFacts }
/** The calls of one turn, and a note that states their purpose. */
export type Step = { readonly note: string; readonly calls: readonly Call[] }
export type Script<Result = Outcome> = Generator<Step, Result, readonly CallResult[]>

export type Outcome = {
  readonly changed: boolean
  /** The words of a title, where the instruction alone does not say it. */
  readonly title?: string
  /** Sentences that describe the changes, and the parts that were left or failed. */
  readonly done: readonly string[]
  readonly left: readonly string[]
}

/** Caches expensive results. `make` must return the same value for the same key. */
export type Memo = <Value>(key: readonly string[], make: () => Value) => Value

/** The text of a page with LF line breaks, or the reason why it could not be read. */
export type ReadPage = { readonly text: string } | { readonly problem: string }

/** The loop runs at most 64 calls in a turn. */
const callsPerTurn = 50

export function unchanged(...left: string[]): Outcome {
  return { changed: false, done: [], left }
}

/** Makes independent calls, in as many turns as necessary. Returns the results in the order of the calls. */
export function* callAll(note: string, calls: readonly Call[]): Script<readonly CallResult[]> {
  const results: CallResult[] = []
  for (let start = 0; start < calls.length; start += callsPerTurn) {
    const batch = calls.slice(start, start + callsPerTurn)
    const given = yield { note, calls: batch }
    results.push(...batch.map((_, index) => given[index] ?? { text: 'Not run.', isError: true }))
  }
  return results
}

export function* callOne(note: string, call: Call): Script<CallResult> {
  const [result] = yield* callAll(note, [call])
  return result ?? { text: 'Not run.', isError: true }
}

type Listed = { readonly lines: readonly string[]; readonly sites: readonly SiteOutline[] }

/** Returns all lines of a paged result, without head lines; an empty list after an error. */
function* callPaged(note: string, call: Call): Script<Listed> {
  const lines: string[] = []
  let sites: readonly SiteOutline[] = []
  for (let offset = 0; ;) {
    const input = offset === 0 ? call.input : { ...call.input, offset }
    const result = yield* callOne(note, { ...call, input })
    if (result.isError) return { lines, sites }
    sites = result.facts?.sites ?? sites
    lines.push(...result.text.split('\n').slice(1))
    const next = result.facts?.next
    if (next === undefined || next <= offset) return { lines, sites }
    offset = next
  }
}

/** Says why a call failed, for people: what the policy says to a model stays out of a pull request. */
export function reasonOf({ text, facts }: CallResult): string {
  if (facts?.refusal !== 'policy') return startOf(text, 300)
  return `the policy refuses it${facts.refused ? `: ${sayRefusedEdit(facts.refused)}` : ''}.`
}

/** Returns the problems that calls of `check` with these inputs list, or the reason why nothing can be checked. */
export function* findProblems(
  note: string,
  inputs: readonly Readonly<Record<string, unknown>>[],
): Script<{ readonly problems: readonly Problem[] } | { readonly reason: string }> {
  const problems: Problem[] = []
  for (let waiting = inputs; waiting.length > 0;) {
    const results = yield* callAll(
      note,
      waiting.map((input) => ({ tool: 'check', input })),
    )
    const failed = results.find(({ isError }) => isError)
    if (failed) return { reason: failed.text }
    problems.push(...results.flatMap(({ facts }) => facts?.found ?? []))
    waiting = results.flatMap(({ facts }, index) =>
      facts?.next === undefined ? [] : [{ ...waiting[index], offset: facts.next }],
    )
  }
  return { problems }
}

/** Returns the paths of the files that contain the pattern. */
export function* searchFiles(note: string, input: Readonly<Record<string, unknown>>): Script<readonly string[]> {
  const { lines } = yield* callPaged(note, { tool: 'search', input: { ...input, filesOnly: true } })
  return lines.map(pathOfLine)
}

/** Returns the lines that contain the pattern, each after its path and number. */
export function* searchLines(note: string, input: Readonly<Record<string, unknown>>): Script<readonly string[]> {
  return (yield* callPaged(note, { tool: 'search', input })).lines
}

/** Returns the paths of the files that match the glob. */
export function* listFiles(note: string, glob?: string): Script<readonly string[]> {
  const input = { limit: 2000, ...(glob === undefined ? {} : { glob }) }
  const { lines } = yield* callPaged(note, { tool: 'list_files', input })
  return lines.flatMap((line) => fileOfLine(line) ?? [])
}

/** All files, and the sites that they make. */
export type Layout = { readonly paths: readonly string[]; readonly sites: readonly SiteOutline[] }

export function* readLayout(): Script<Layout> {
  const { lines, sites } = yield* callPaged('Looking at the layout of the site.', {
    tool: 'list_files',
    input: { limit: 2000 },
  })
  return { paths: lines.flatMap((line) => fileOfLine(line) ?? []), sites }
}

/** Returns the names of the sources that the run reads. */
export function* readSources(): Script<readonly string[]> {
  const { facts } = yield* callOne('Looking for sources.', { tool: 'list_files', input: { limit: 1 } })
  return facts?.sources ?? []
}

/** Reads whole files; long ones in parts. */
export function* readPages(note: string, paths: readonly string[]): Script<ReadonlyMap<string, ReadPage>> {
  const pages = new Map<string, ReadPage>()
  const texts = new Map<string, string>()
  let waiting = paths.map((path) => ({ path, startLine: 1 }))
  while (waiting.length > 0) {
    const calls = waiting.map(({ path, startLine }) => ({
      tool: 'read_file',
      input: startLine === 1 ? { path } : { path, startLine },
    }))
    const results = yield* callAll(note, calls)
    waiting = waiting.flatMap(({ path }, index) => {
      const part = toPart(results[index])
      const text = (texts.get(path) ?? '') + ('text' in part ? part.text : '')
      texts.set(path, text)
      if ('text' in part && part.next !== undefined) return [{ path, startLine: part.next }]
      pages.set(path, 'text' in part ? { text } : part)
      return []
    })
  }
  return pages
}

/** Those of the pages that could be read. */
export function textsOf(
  paths: readonly string[],
  read: ReadonlyMap<string, ReadPage>,
): { readonly path: string; readonly text: string }[] {
  return paths.flatMap((path) => {
    const page = read.get(path)
    return page && 'text' in page ? [{ path, text: page.text }] : []
  })
}

type Part = { readonly text: string; readonly next: number | undefined } | { readonly problem: string }

function toPart(result: CallResult | undefined): Part {
  if (!result || result.isError) return { problem: result?.text ?? 'Not run.' }
  const { next, isCut = false, isEscaped = false } = result.facts ?? {}
  if (isCut) return { problem: 'A line of it is too long to be read.' }
  const end = result.text.indexOf('\n')
  const text = end === -1 ? '' : result.text.slice(end + 1)
  return { text: isEscaped ? unescapeInvisible(text) : text, next }
}

/** Restores the invisible characters that read_file escapes. */
function unescapeInvisible(text: string): string {
  return text.replace(/\\u\{([0-9A-F]{4,6})\}/g, (written, hex: string) => {
    const character = String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10_ff_ff))
    return isInvisible(character) ? character : written
  })
}
