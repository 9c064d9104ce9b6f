// Finds what a change would publish of a source that is private: ten lines that are there one after the other, or the name
// of an internal host. Blank lines and indentation do not count. The change is compared with what its files said before.

import type { Files, SearchMatch } from '../../agent/workspace.ts'
import { Failure } from '../../lib/failure.ts'
import { escapePattern, startOf } from '../../lib/plain-text.ts'

/** `before` and `after`: the text of one file; '' if it does not exist then. */
export type ChangedText = { readonly path: string; readonly before: string; readonly after: string }
export type PrivateSource = { readonly name: string; readonly files: Files }

/** `lines`: how many are in both, from `line` of the changed file on. `host`: an internal host name, in the source too. */
export type Quoted = {
  readonly path: string
  readonly line: number
  readonly source: string
  readonly sourcePath: string
  readonly sourceLine: number
} & ({ readonly lines: number } | { readonly host: string })

const leastLines = 10
/** Every ten lines hold a whole block of so many, whose longest line is searched for. */
const blockLines = 5
/** Shorter lines, such as `return undefined`, are in every file. */
const leastCharacters = 12
const leastTelling = 4
const mostPattern = 1_000
const mostMatches = 500
/** The most places of one line in a file of the source that are compared. */
const mostPlaces = 100

export async function findQuoted(
  changes: readonly ChangedText[],
  sources: readonly PrivateSource[],
  signal: AbortSignal,
): Promise<readonly Quoted[]> {
  const texts = changes.map(({ path, before, after }) => ({ path, before: toLines(before), after: toLines(after) }))
  const blocks = texts.flatMap(newLines)
  const found: Quoted[] = []
  for (const source of sources) {
    found.push(...(await findCopies(texts, probesOf(blocks), source, signal)))
    found.push(...(await findHosts(changes, source, signal)))
  }
  return found
}

/** Whether a change is long enough, or names a host: most are not, and need no look into a source. */
export function mayQuote(changes: readonly ChangedText[]): boolean {
  return changes.some(({ path, before, after }) => {
    const known = new Set(toLines(before).map(({ text }) => text))
    const added = toLines(after).filter(({ text }) => !known.has(text))
    const isLong = added.length > 0 && toLines(after).length >= leastLines
    return isLong || newHosts({ path, before, after }).length > 0
  })
}

type Line = { readonly text: string; readonly number: number }
type Text = { readonly path: string; readonly before: readonly Line[]; readonly after: readonly Line[] }

/** The lines that are not blank, without their indentation. */
function toLines(text: string): readonly Line[] {
  return text
    .split(/\r\n?|\n/)
    .flatMap((line, at) => (line.trim() === '' ? [] : [{ text: line.trim(), number: at + 1 }]))
}

/** Lines that the file did not have before. */
function newLines({ before, after }: Text): readonly string[][] {
  const known = new Set(before.map(({ text }) => text))
  const blocks: string[][] = []
  for (let at = 0; at < after.length; at += blockLines) {
    const block = after.slice(at, at + blockLines).map(({ text }) => text)
    if (block.some((text) => !known.has(text))) blocks.push(block)
  }
  return blocks
}

/** The longest line of each block, in patterns that a search takes. */
function probesOf(blocks: readonly string[][]): readonly string[] {
  const longest = blocks.map((block) => block.reduce((best, text) => (text.length > best.length ? text : best)))
  const lines = [...new Set(longest.filter(isTelling))].map((line) => startOf(escapePattern(line), 200))
  const patterns: string[] = []
  for (const line of lines.map(withoutHalf)) {
    const last = patterns.at(-1)
    if (last !== undefined && last.length + line.length < mostPattern) patterns[patterns.length - 1] = `${last}|${line}`
    else patterns.push(line)
  }
  return patterns
}

function isTelling(line: string): boolean {
  return line.replace(/[^\p{L}\p{N}]/gu, '').length >= leastCharacters
}

/** A pattern that was cut must not end within an escape. */
function withoutHalf(pattern: string): string {
  return pattern.replace(/(?<!\\)(?:\\\\)*\\$/, '')
}

async function findCopies(
  texts: readonly Text[],
  patterns: readonly string[],
  source: PrivateSource,
  signal: AbortSignal,
): Promise<readonly Quoted[]> {
  const paths = new Set<string>()
  for (const pattern of patterns) for (const { path } of await search(source, pattern, signal)) paths.add(path)
  const found: Quoted[] = []
  for (const sourcePath of paths) {
    const bytes = await source.files.read(sourcePath).catch(ignoreUnreadable)
    if (!bytes) continue
    const theirs = toLines(new TextDecoder().decode(bytes))
    for (const text of texts) {
      const run = longestRun(text, theirs)
      if (run) found.push({ path: text.path, source: source.name, sourcePath, ...run })
    }
  }
  return found
}

/** The longest run of lines in both, unless the file had it before. */
function longestRun({ before, after }: Text, theirs: readonly Line[]) {
  const places = Map.groupBy(theirs.keys(), (at) => theirs[at]?.text)
  const old = `\n${before.map(({ text }) => text).join('\n')}\n`
  let best: { readonly line: number; readonly sourceLine: number; readonly lines: number } | undefined
  for (const [at, { text, number }] of after.entries()) {
    for (const there of (places.get(text) ?? []).slice(0, mostPlaces)) {
      const length = commonLength(after, at, theirs, there)
      if (length < leastLines || length <= (best?.lines ?? 0)) continue
      const run = after.slice(at, at + length).map((line) => line.text)
      if (run.filter(isTelling).length < leastTelling || old.includes(`\n${run.join('\n')}\n`)) continue
      best = { line: number, sourceLine: theirs[there]?.number ?? 1, lines: length }
    }
  }
  return best
}

/** 0 if the lines before these are equal, too: that run was measured from its beginning. */
function commonLength(ours: readonly Line[], at: number, theirs: readonly Line[], there: number): number {
  if (at > 0 && there > 0 && ours[at - 1]?.text === theirs[there - 1]?.text) return 0
  let length = 0
  while (at + length < ours.length && ours[at + length]?.text === theirs[there + length]?.text) length += 1
  return length
}

/** Names under domains that only a private network resolves (RFC 6762, RFC 8375, ICANN's `internal`), and its addresses. */
const internal =
  /(?<![\w.-])(?:(?:[a-z0-9-]{1,63}\.){1,8}(?:internal|intranet|intra|corp|lan|local|localdomain|private|home\.arpa)|10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})(?![\w-]|\.\w)/gi
const mostHosts = 50

async function findHosts(
  changes: readonly ChangedText[],
  source: PrivateSource,
  signal: AbortSignal,
): Promise<readonly Quoted[]> {
  const found: Quoted[] = []
  for (const change of changes) {
    for (const { host, line } of newHosts(change)) {
      const [match] = await search(source, escapePattern(host), signal)
      if (!match) continue
      const { path } = change
      found.push({ path, line, source: source.name, sourcePath: match.path, sourceLine: match.line, host })
    }
  }
  return found
}

type HostPlace = { readonly host: string; readonly line: number }

function newHosts({ before, after }: ChangedText): readonly HostPlace[] {
  const old = new Set(hostsIn(before).map(({ host }) => host))
  return hostsIn(after)
    .filter(({ host }) => !old.has(host))
    .slice(0, mostHosts)
}

function hostsIn(text: string): readonly HostPlace[] {
  const lines = text.split(/\r\n?|\n/)
  const all = lines.flatMap((line, at) =>
    [...line.matchAll(internal)].map(([host]) => ({ host: host.toLowerCase(), line: at + 1 })),
  )
  return [...new Map(all.toReversed().map((one) => [one.host, one])).values()]
}

async function search({ files }: PrivateSource, pattern: string, signal: AbortSignal): Promise<readonly SearchMatch[]> {
  const query = { pattern, syntax: 'regex', ignoreCase: true, globs: [], limit: mostMatches } as const
  return (await files.search(query, signal)).matches
}

/** A file that cannot be read was not read by the model. */
function ignoreUnreadable(error: unknown): undefined {
  if (!(error instanceof Failure) || error.meaning.retry) throw error
}
