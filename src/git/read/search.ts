// Searches one commit with `git grep`: regular text files only, line by line. Stops at the limit of matches or after ten
// seconds. The pattern comes from the model: it is passed as one argument and never reaches a shell.

import { Failure } from '../../lib/failure.ts'
import { shorten } from '../../lib/plain-text.ts'
import { type Mirror, failureOf } from '../cache/mirror.ts'
import { decodePath, escapePath } from '../write/path.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import type { GitResult } from '../transport/run.ts'
import type { Oid, SearchMatch, SearchQuery, SearchResult } from '../types.ts'

type TreeQuery = SearchQuery & {
  readonly commit: Oid
  /** Files that the search skips. */
  readonly without: readonly string[]
}

const maxMilliseconds = 10_000
const maxPatternLength = 1000
/**
 * Limit on the product of all repetition counts times the length. The C library expands a pattern when compiling it:
 * `((a{1,255}){1,255}){1,255}` takes 6 GB; at this limit it takes 50 MB.
 */
const maxPatternSize = 50_000
const maxLineLength = 500
/** Linux allows 2 MiB. */
const maxArgumentBytes = 1_000_000
/** Limit on the output: a line may be a whole file, and is cut only here. */
const maxOutputBytes = 32 * 1024 * 1024

/** Throws `invalid_input` for a pattern that git refuses or that takes too long. */
export async function searchTree(mirror: Mirror, query: TreeQuery, signal: AbortSignal): Promise<SearchResult> {
  checkQuery(query)
  const found = createMatches(query)
  const timeoutMs = Math.min(maxMilliseconds, mirror.options.timeoutMs)
  const call = { args: grepArguments(query), gitDir: mirror.gitDir, timeoutMs, maxBytes: maxOutputBytes }
  const result = await mirror.runner.run({ ...call, onData: found.take }, signal)
  if (result.ended === 'timeout') throw refused('it takes longer than 10 seconds; make it simpler or name some globs')
  if (result.ended === 'exit' && result.code !== null && result.code > 1) throw grepFailure(mirror, result)
  if (result.ended === 'signal') throw refused('git could not work with it')
  const isCut = result.ended === 'full' || found.matches.length > query.limit
  return { matches: found.matches.slice(0, query.limit), truncated: isCut }
}

function checkQuery(query: TreeQuery): void {
  if (query.pattern === '') throw refused('it is empty')
  if (query.pattern.length > maxPatternLength) throw refused('it is longer than 1,000 characters')
  if (/[\0\n\r]/.test(query.pattern)) throw refused('it has line breaks; the search looks at one line at a time')
  if (query.syntax === 'regex' && repetitions(query.pattern) * query.pattern.length > maxPatternSize) {
    throw refused('its repetition counts are too high')
  }
  if (query.globs.length > 100 || query.globs.some((glob) => glob.length > 1000)) throw refused('it has too many globs')
  if (query.globs.some((glob) => glob === '' || glob.includes('\0'))) throw refused('a glob is empty')
}

function repetitions(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d*)(?:,(\d*))?\}/g)].map(([, low, high]) =>
    Math.max(Number(low), Number(high ?? 0), 1),
  )
  return counts.reduce((product, count) => product * count, 1)
}

function grepArguments(query: TreeQuery): string[] {
  const syntax = query.syntax === 'literal' ? '-F' : '-E'
  const flags = ['-n', '-z', '-I', '--no-color', '--full-name', syntax, ...(query.ignoreCase ? ['-i'] : [])]
  const globs = query.globs.map((glob) => `:(top,glob)${glob.replace(/^\/+/, '')}`)
  const without = withinLength(query.without).map((path) => `:(top,exclude,literal)${path}`)
  return ['grep', ...flags, '-e', query.pattern, query.commit, '--', ...globs, ...without]
}

/** Returns as many excluded paths as fit into a command; the search then includes the others, within its limits. */
function withinLength(paths: readonly string[]): string[] {
  let length = 0
  return paths.filter((path) => (length += path.length * 3 + 100) < maxArgumentBytes)
}

/** Parses `<commit>:<path>\0<line>\0<text>\n` as it arrives. */
function createMatches(query: TreeQuery): { matches: SearchMatch[]; take: (chunk: Buffer) => boolean } {
  const matches: SearchMatch[] = []
  const pending: Buffer[] = []
  function take(chunk: Buffer): boolean {
    pending.push(chunk)
    if (!chunk.includes(10)) return true
    const bytes = Buffer.concat(pending.splice(0))
    const end = bytes.lastIndexOf(10)
    pending.push(bytes.subarray(end + 1))
    for (let start = 0; start <= end && matches.length <= query.limit;) {
      const next = parseMatch(bytes, start, query.commit.length + 1)
      matches.push(next.match)
      start = next.end + 1
    }
    return matches.length <= query.limit
  }
  return { matches, take }
}

function parseMatch(bytes: Buffer, start: number, prefix: number): { match: SearchMatch; end: number } {
  const nameEnd = bytes.indexOf(0, start)
  const lineEnd = bytes.indexOf(0, nameEnd + 1)
  const end = bytes.indexOf(10, lineEnd + 1)
  const name = bytes.subarray(start + prefix, nameEnd)
  const path = decodePath(name) ?? escapePath(name)
  const line = Number(bytes.toString('latin1', nameEnd + 1, lineEnd))
  return { match: { path, line, text: shownLine(bytes.subarray(lineEnd + 1, end)) }, end }
}

function shownLine(bytes: Buffer): string {
  return shorten(bytes.toString('utf8', 0, maxLineLength * 4 + 4).replace(/\r$/, ''), maxLineLength)
}

function grepFailure(mirror: Mirror, result: GitResult): Failure {
  const words = sanitise(result.stderr)
  if (/-e option|command line,|pathspec|Invalid|Unmatched|regex/i.test(words)) return refused(`git says: ${words}`)
  return failureOf(mirror, result, { args: ['grep'] })
}

function refused(reason: string): Failure {
  return new Failure('invalid_input', `The search pattern is refused: ${reason}.`)
}
