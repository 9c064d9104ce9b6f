// The commits of a branch by their first parents: one for each change that reached it, whatever was merged with it.

import { failureOf, type Mirror } from '../cache/mirror.ts'
import { isDone } from '../transport/run.ts'
import type { MainlineCommit, MainlineEntry, MainlineQuery, Oid } from '../types.ts'
import { maxCommitBytes } from '../write/commit-object.ts'
import { changesOf } from './changes.ts'
import { readCommitText } from './message.ts'
import { walkRange } from './range.ts'

const maxBytes = 64_000_000
/** Commits whose changes are listed together. */
const step = 200
/** Trailers are at the end. */
const endingBytes = 2_000

/** The oldest first. Undefined: one of the two is not here. */
export async function readMainline(
  mirror: Mirror,
  { to, from }: MainlineQuery,
  signal: AbortSignal,
): Promise<readonly MainlineEntry[] | undefined> {
  for (const end of from === undefined ? [to] : [to, from]) {
    if ((await mirror.objects.read(end)) === undefined) return undefined
  }
  const walked = from && (await walkRange(mirror, { from, to, isMainline: true }))
  if (walked) return walked.map(({ commit, parents }) => ({ commit, parent: parents[0] ?? null })).toReversed()
  const range = from === undefined ? [to] : [to, `^${from}`]
  const args = ['rev-list', '--first-parent', '--parents', '--reverse', '--end-of-options', ...range]
  const result = await mirror.runner.run({ args, maxBytes, gitDir: mirror.gitDir }, signal)
  if (!isDone(result)) throw failureOf(mirror, result, { args })
  return result.stdout
    .toString('latin1')
    .split('\n')
    .flatMap((line) => {
      const [commit = '', parent] = line.split(' ')
      return commit === '' ? [] : [{ commit, parent: parent ?? null }]
    })
}

/** In the order of `commits`. A commit whose files are too many to list has those that were read. */
export async function describeMainline(
  mirror: Mirror,
  commits: readonly Oid[],
  signal: AbortSignal,
): Promise<readonly MainlineCommit[]> {
  const described: MainlineCommit[] = []
  for (let at = 0; at < commits.length;) {
    const page = commits.slice(at, at + step)
    const changes = await changesOf(mirror, page, { timeoutMs: mirror.options.timeoutMs }, signal)
    for (const commit of page.slice(0, Math.max(1, changes.size))) {
      const found = await mirror.objects.read(commit)
      const content = found?.content
      const isShort = content !== undefined && content.length <= maxCommitBytes
      const text = readCommitText(isShort ? content : Buffer.from('\n\n(a message that is too long)'))
      const files = changes.get(commit)?.files ?? []
      const paths = files.flatMap(({ path, previousPath }) => (previousPath === null ? [path] : [path, previousPath]))
      described.push({ commit, ...text, paths, ending: isShort ? content.subarray(-endingBytes).toString('utf8') : '' })
    }
    at += Math.max(1, changes.size)
  }
  return described
}
