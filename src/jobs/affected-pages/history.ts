// The titles of the commits before a change, and the files that they changed. Kept by repository, because the next
// change is a few commits later: only those are read.

import { readMessage } from '../../affected/subjects.ts'
import type { PastCommit } from '../../affected/types.ts'
import type { LoggedCommit, Oid, Repository } from '../../git/types.ts'

const mostCommits = 2_000
/** About 100 bytes each. With more, the history is read each time. */
const mostPaths = 100_000

type Kept = { readonly to: Oid; readonly commits: readonly PastCommit[] }

const kept = new WeakMap<object, Kept>()

/** The newest first. */
export async function readHistory(
  repository: Pick<Repository, 'log' | 'mainline'>,
  to: Oid,
  signal: AbortSignal,
): Promise<readonly PastCommit[]> {
  const before = kept.get(repository)
  if (before?.to === to) return before.commits
  const added = before && (await repository.mainline({ from: before.to, to }, signal))
  const known = before !== undefined && added?.[0]?.parent === before.to ? before : undefined
  const query = { from: known?.to, to, isVisible: () => true, limit: mostCommits, countsLines: false }
  const { commits: read, isCut } = await repository.log(query, signal)
  const commits = [...read.map(toPast), ...(isCut ? [] : (known?.commits ?? []))].slice(0, mostCommits)
  // Cut by time: the next reading may find more.
  const isWhole = !isCut || commits.length === mostCommits
  const size = commits.reduce((sum, { paths }) => sum + paths.length, 0)
  if (isWhole && size <= mostPaths) kept.set(repository, { to, commits })
  return commits
}

function toPast({ files, subject, body }: LoggedCommit): PastCommit {
  return { subject: readMessage(`${subject}\n\n${body}`).title, paths: files.map(({ path }) => path) }
}
