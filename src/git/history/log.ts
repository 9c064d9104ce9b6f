// Lists commits of a range with their messages and visible files. Finds them in steps until there are enough, so that a
// history in which few commits change visible files ends too: at a number of commits, or after ten seconds.

import { Failure } from '../../lib/failure.ts'
import { failureOf, type Mirror } from '../cache/mirror.ts'
import { refusal, toSearchPattern } from '../read/search-pattern.ts'
import { sizesOf } from '../read/sizes.ts'
import { treeFlags } from '../read/tree-flags.ts'
import { isDone } from '../transport/run.ts'
import type { CommitLog, LoggedCommit, LogQuery, Oid, RemoteRefs } from '../types.ts'
import { maxCommitBytes } from '../write/commit-object.ts'
import { type Changes, changesOf, isWithin, type RawChange, visibleOf } from './changes.ts'
import { readCommitText } from './message.ts'
import { walkRange } from './range.ts'

const maxMilliseconds = 10_000
const mostScanned = 5_000
/** Commits of the first step. Each step is twice as long as the one before, because starting git takes longer than reading a commit. */
const firstStep = 50
const longestStep = 800
const mostFiles = 200
const maxPatternLength = 1_000

export type LogContext = { readonly mirror: Mirror; readonly tags: RemoteRefs['tags'] }

/** Throws `invalid_input` for a pattern that is refused. */
export async function readLog(context: LogContext, query: LogQuery, signal: AbortSignal): Promise<CommitLog> {
  const end = Date.now() + maxMilliseconds
  const left = () => Math.max(1, Math.min(end - Date.now(), context.mirror.options.timeoutMs))
  const { ids, isAll } = await findCommits(context.mirror, query, left(), signal)
  const commits: LoggedCommit[] = []
  let step = firstStep
  for (let at = 0; at < ids.length && commits.length <= query.limit; step = Math.min(step * 2, longestStep)) {
    if (Date.now() >= end) return { commits, isCut: true }
    const page = ids.slice(at, at + step)
    const changes = await changesOf(context.mirror, page, { timeoutMs: left() }, signal)
    if (changes.size === 0) return { commits, isCut: true }
    commits.push(...(await describe(context, changes, query, { timeoutMs: left(), signal })))
    at += changes.size
  }
  return { commits: commits.slice(0, query.limit), isCut: !isAll || commits.length > query.limit }
}

async function findCommits(mirror: Mirror, query: LogQuery, timeoutMs: number, signal: AbortSignal) {
  const { from, to, path, pattern } = query
  if (![from ?? to, to].every((oid) => /^[0-9a-f]{40,64}$/.test(oid)))
    throw new Failure('internal', 'An id is expected.')
  const isWhole = pattern === undefined && (path === undefined || isWithin('', path))
  const walked = from !== undefined && isWhole ? await walkRange(mirror, { from, to }) : undefined
  if (walked) return { ids: walked.map(({ commit }) => commit), isAll: true }
  const grep = pattern === undefined ? [] : ['-E', '-i', `--grep=${toPattern(pattern)}`]
  const range = from === undefined ? [to] : [to, `^${from}`]
  const inPath = path === undefined || isWithin('', path) ? [] : [`:(top,literal)${path.replace(/^(?:\.?\/)+/, '')}`]
  const args = ['rev-list', `--max-count=${mostScanned}`, ...grep, '--end-of-options', ...range, '--', ...inPath]
  const result = await mirror.runner.run({ args, timeoutMs, gitDir: mirror.gitDir }, signal)
  if (!isDone(result) && result.ended !== 'timeout') {
    if (/-e option|Invalid|Unmatched|regex/i.test(result.stderr)) throw refusal('git does not understand it')
    throw failureOf(mirror, result, { args })
  }
  // The last line of a process that was ended may be half of one.
  const ids = result.stdout.toString('latin1').split('\n').slice(0, -1)
  return { ids, isAll: isDone(result) && ids.length < mostScanned }
}

function toPattern(pattern: string): string {
  if (pattern === '') throw refusal('it is empty')
  if (pattern.length > maxPatternLength) throw refusal('it is longer than 1,000 characters')
  if (/[\0\n\r]/.test(pattern)) throw refusal('it has line breaks; the search looks at one line at a time')
  return toSearchPattern(pattern).source
}

type Bounds = { readonly timeoutMs: number; readonly signal: AbortSignal }

async function describe(
  { mirror, tags }: LogContext,
  changes: ReadonlyMap<Oid, Changes>,
  { isVisible, path, countsLines = true }: LogQuery,
  bounds: Bounds,
): Promise<readonly LoggedCommit[]> {
  const shown = [...changes].flatMap(([commit, { files }]) => {
    const visible = visibleOf(files, isVisible)
    const isNamed = visible.some((file) => isWithin(file.path, path) || isWithin(file.previousPath ?? file.path, path))
    const isWanted = isNamed || (files.length === 0 && path === undefined)
    return isWanted ? [{ commit, files, visible }] : []
  })
  const changed = shown.map(({ commit, files }) => ({ commit, contents: countsLines ? files.flatMap(contentsOf) : [] }))
  // git takes long to find out that an object is missing, so one content of each commit comes first.
  const sizes = await sizesOf(
    mirror,
    changed.flatMap(({ commit, contents }) => [commit, ...contents.slice(0, 1)]),
  )
  const likely = changed.filter(({ contents }) => contents.slice(0, 1).every((oid) => sizes.has(oid)))
  const here = await sizesOf(
    mirror,
    likely.flatMap(({ contents }) => contents),
  )
  const countable = countsLines ? likely.filter(({ contents }) => contents.every((oid) => here.has(oid))) : []
  const ids = countable.map(({ commit }) => commit)
  const counts = await countLines(mirror, ids, isVisible, bounds)
  return await Promise.all(
    shown.map(async ({ commit, visible }) => {
      const isShort = (sizes.get(commit) ?? 0) <= maxCommitBytes
      const found = isShort ? await mirror.objects.read(commit) : undefined
      const text = readCommitText(found?.content ?? Buffer.from('\n\n(a message that is too long)'))
      const files = visible
        .slice(0, mostFiles)
        .map(({ path, previousPath, status }) => ({ path, previousPath, status }))
      const named = { tags: tags.get(commit) ?? [], counts: counts.get(commit) }
      return { commit, ...text, ...named, files, fileCount: visible.length }
    }),
  )
}

function contentsOf({ before, after, isSubmodule }: RawChange): Oid[] {
  return isSubmodule ? [] : [before, after].filter((oid) => oid !== null)
}

/** Without those that take too long. A content over the limit for files counts as one without lines. */
async function countLines(
  mirror: Mirror,
  commits: readonly Oid[],
  isVisible: LogQuery['isVisible'],
  { timeoutMs, signal }: Bounds,
): Promise<ReadonlyMap<Oid, LoggedCommit['counts']>> {
  const counts = new Map<Oid, { additions: number; deletions: number }>()
  if (commits.length === 0) return counts
  const flags = ['-z', '--numstat', '--stdin', '--root', '--always', '--diff-merges=first-parent', '--no-renames']
  const config = [`core.bigFileThreshold=${mirror.options.maxFileBytes}`]
  const args = ['diff-tree', ...treeFlags, ...flags]
  const input = commits.map((commit) => `${commit}\n`).join('')
  const result = await mirror.runner.run({ args, config, input, timeoutMs, gitDir: mirror.gitDir }, signal)
  if (!isDone(result)) return counts
  let current = { additions: 0, deletions: 0 }
  for (const field of result.stdout.toString('utf8').split('\0')) {
    const [, added, deleted, path = ''] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(field) ?? []
    if (added === undefined && field !== '') counts.set(field, (current = { additions: 0, deletions: 0 }))
    if (added === undefined || !isVisible(path)) continue
    current.additions += Number(added) || 0
    current.deletions += Number(deleted) || 0
  }
  return counts
}
