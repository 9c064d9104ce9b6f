// Searches one commit with `git grep`: regular text files only, line by line. Stops at the limit of matches or after ten
// seconds. The pattern comes from the model: it is passed as one argument and never reaches a shell.

import type { Failure } from '../../lib/failure.ts'
import { shorten } from '../../lib/plain-text.ts'
import { type Mirror, failureOf } from '../cache/mirror.ts'
import { decodePath, escapePath } from '../write/path.ts'
import { refusal, toSearchPattern } from './search-pattern.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import type { GitResult } from '../transport/run.ts'
import type { Oid, SearchMatch, SearchQuery, SearchResult } from '../types.ts'

/**
 * The files to search: those of a commit without some, those of an index, whose contents must all be here, or those of a work
 * tree that git tracks or would track.
 */
type Searched =
  | { readonly commit: Oid; readonly skipped: readonly string[] }
  | { readonly indexFile: string }
  | { readonly workTree: string }

/** The repository that has them. `gitDir` says nothing of a work tree. */
export type SearchPlace = Pick<Mirror, 'gitDir' | 'runner'> & {
  readonly options: Pick<Mirror['options'], 'timeoutMs'>
  readonly state: Pick<Mirror['state'], 'isDamaged'>
}

type TreeQuery = SearchQuery & Searched

const maxMilliseconds = 10_000
const maxPatternLength = 1000
const maxLineLength = 500
/** Shown before a match far inside a long line. */
const leadBytes = 100
/** Linux allows 2 MiB. */
const maxArgumentBytes = 1_000_000
/** Limit on the output: a line may be a whole file, and is cut only here. */
const maxOutputBytes = 32 * 1024 * 1024

/** git continues without the file, and ends as if it had no match. */
const unreadContent = /: unable to read [0-9a-f]{40}/

/** Throws `invalid_input` for a pattern that git refuses or that takes too long. */
export async function searchTree(place: SearchPlace, query: TreeQuery, signal: AbortSignal): Promise<SearchResult> {
  checkQuery(query)
  const found = query.without === true ? createPaths(query) : createMatches(query)
  const timeoutMs = Math.min(maxMilliseconds, place.options.timeoutMs)
  const indexFile = 'indexFile' in query ? query.indexFile : undefined
  const call = { args: grepArguments(query), indexFile, timeoutMs, maxBytes: maxOutputBytes, onData: found.take }
  const result = await place.runner.run('workTree' in query ? call : { ...call, gitDir: place.gitDir }, signal)
  if (result.ended === 'timeout') throw refusal('it takes longer than 10 seconds; make it simpler or name some globs')
  const isRefused = result.ended === 'exit' && result.code !== null && result.code > 1
  if (isRefused || unreadContent.test(result.stderr)) throw grepFailure(place, result)
  if (result.ended === 'signal') throw refusal('git could not work with it')
  const isCut = result.ended === 'full' || found.matches.length > query.limit
  return { matches: found.matches.slice(0, query.limit), truncated: isCut }
}

function checkQuery(query: TreeQuery): void {
  if (query.pattern === '') throw refusal('it is empty')
  if (query.pattern.length > maxPatternLength) throw refusal('it is longer than 1,000 characters')
  if (/[\0\n\r]/.test(query.pattern)) throw refusal('it has line breaks; the search looks at one line at a time')
  const globs = [...query.globs, ...(query.exclude ?? [])]
  if (query.globs.length > 100 || globs.length > 300 || globs.some((glob) => glob.length > 1000))
    throw refusal('it has too many globs')
  if (globs.some((glob) => glob === '' || glob.includes('\0'))) throw refusal('a glob is empty')
}

function grepArguments(query: TreeQuery): string[] {
  const regex = query.syntax === 'regex' ? toSearchPattern(query.pattern) : undefined
  const output = query.without === true ? ['-L'] : ['-n', '--column']
  const isCaseless = query.ignoreCase || regex?.ignoreCase === true
  const flags = ['-z', '-I', '--no-color', '--full-name', regex ? '-E' : '-F', ...(isCaseless ? ['-i'] : [])]
  const pattern = ['-e', regex?.source ?? query.pattern]
  if ('indexFile' in query) return ['grep', '--cached', ...output, ...flags, ...pattern, '--', ...pathspecs(query)]
  if ('workTree' in query) {
    const where = ['-C', query.workTree, 'grep', '--untracked', '--no-recurse-submodules']
    return [...where, ...output, ...flags, ...pattern, '--', ...pathspecs(query)]
  }
  const skipped = withinLength(query.skipped).map((path) => `:(top,exclude,literal)${path}`)
  return ['grep', ...output, ...flags, ...pattern, query.commit, '--', ...pathspecs(query), ...skipped]
}

/** Selects the files that a query names. */
export function pathspecs({ globs, exclude = [] }: Pick<SearchQuery, 'globs' | 'exclude'>): string[] {
  const plain = (glob: string): string => glob.replace(/^\/+/, '')
  return [
    ...globs.map((glob) => `:(top,glob)${plain(glob)}`),
    ...exclude.map((glob) => `:(top,exclude,glob)${plain(glob)}`),
  ]
}

/** Returns as many excluded paths as fit into a command; the search then includes the others, within its limits. */
function withinLength(paths: readonly string[]): string[] {
  let length = 0
  return paths.filter((path) => (length += path.length * 3 + 100) < maxArgumentBytes)
}

type Found = { readonly matches: SearchMatch[]; readonly take: (chunk: Buffer) => boolean }

/** Parses `<commit>:<path>\0<line>\0<column>\0<text>\n` as it arrives; only a commit is named. */
function createMatches(query: TreeQuery): Found {
  const lead = leadOf(query)
  return createReader(query, 10, (bytes, start) => {
    const nameEnd = bytes.indexOf(0, start)
    const lineEnd = bytes.indexOf(0, nameEnd + 1)
    const columnEnd = bytes.indexOf(0, lineEnd + 1)
    const end = bytes.indexOf(10, columnEnd + 1)
    const path = toPath(bytes.subarray(start + lead, nameEnd))
    const line = Number(bytes.toString('latin1', nameEnd + 1, lineEnd))
    const column = Number(bytes.toString('latin1', lineEnd + 1, columnEnd))
    return { match: { path, line, ...shownLine(bytes.subarray(columnEnd + 1, end), column - 1) }, end }
  })
}

/** Parses `<commit>:<path>\0` as it arrives; only a commit is named. */
function createPaths(query: TreeQuery): Found {
  const lead = leadOf(query)
  return createReader(query, 0, (bytes, start) => {
    const end = bytes.indexOf(0, start)
    return { match: { path: toPath(bytes.subarray(start + lead, end)), line: 0, text: '' }, end }
  })
}

/** The bytes before each path. */
function leadOf(query: TreeQuery): number {
  return 'commit' in query ? query.commit.length + 1 : 0
}

type Parse = (bytes: Buffer, start: number) => { readonly match: SearchMatch; readonly end: number }

function createReader({ limit }: TreeQuery, last: number, parse: Parse): Found {
  const matches: SearchMatch[] = []
  const pending: Buffer[] = []
  function take(chunk: Buffer): boolean {
    pending.push(chunk)
    if (!chunk.includes(last)) return true
    const bytes = Buffer.concat(pending.splice(0))
    const end = bytes.lastIndexOf(last)
    pending.push(bytes.subarray(end + 1))
    for (let start = 0; start <= end && matches.length <= limit;) {
      const next = parse(bytes, start)
      matches.push(next.match)
      start = next.end + 1
    }
    return matches.length <= limit
  }
  return { matches, take }
}

function toPath(name: Buffer): string {
  return decodePath(name) ?? escapePath(name)
}

/** Shows a long line from shortly before the match on. */
function shownLine(bytes: Buffer, column: number): { text: string } {
  const start = bytes.length <= 300 || column <= 200 ? 0 : column - leadBytes
  // A character of UTF-8 is not split.
  let from = start
  while (from > 0 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from -= 1
  const text = shorten(bytes.toString('utf8', from, from + maxLineLength * 4 + 4).replace(/\r$/, ''), maxLineLength)
  return from === 0 ? { text } : { text: `…${text}` }
}

function grepFailure(place: SearchPlace, result: GitResult): Failure {
  const words = sanitise(result.stderr)
  if (/-e option|command line,|pathspec|Invalid|Unmatched|regex/i.test(words)) return refusal(`git says: ${words}`)
  return failureOf(place, result, { args: ['grep'] })
}
