// The past of a repository as the tools of the agent ask for it: names of people become commits, and files that nobody may
// see stay unseen at each commit.

import type { Change, History, LoggedCommit, Range, ShownFile } from '../../agent/history.ts'
import { isGenerated } from '../../agent/tools/search/generated.ts'
import type { Files } from '../../agent/workspace.ts'
import type { IsVisible, Oid, Past, ShownFile as GitFile } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import { escapePattern } from '../../lib/plain-text.ts'

export type PastPlace = {
  /** The commit that the run reads: names are looked for in its history. */
  readonly at: Oid
  readonly hasTags: boolean
  readonly isVisible: IsVisible
  readonly filesAt: (commit: Oid, signal: AbortSignal) => Promise<Files>
}

/** A call shows this much at once; the rest of a diff is read with its path. */
const maxPatchBytes = 1_000_000

const leftWords: Readonly<Record<NonNullable<GitFile['left']>, string>> = {
  generated: 'a program writes it: no diff',
  not_fetched: 'its content is not fetched: no diff',
  over_limit: 'too large for a diff',
  submodule: 'a submodule',
  unnameable: 'its name is not UTF-8',
  later: 'no room for its diff: call with this path',
  cut: 'only the beginning of its diff fits',
}

export function openPast(past: Past, { at, hasTags, isVisible, filesAt }: PastPlace): History {
  const find = async (name: string, signal: AbortSignal) => await findCommit({ past, at }, name, signal)
  return {
    hasTags,
    log: async ({ from, to, path, pattern, limit, offset }, signal) => {
      const query = {
        to: to === undefined ? at : await find(to, signal),
        from: from === undefined ? undefined : await find(from, signal),
        path,
        pattern: pattern && escapePattern(pattern),
        limit: offset + limit,
        isVisible,
      }
      const { commits, isCut } = await past.log(query, signal)
      return { commits: commits.slice(offset).map(toLogged), hasMore: isCut }
    },
    change: async (range, path, signal) => {
      const ends = await findEnds(range, { at, find: (name) => find(name, signal) })
      const asked = { ...ends, path, isVisible, isGenerated: isWritten, maxBytes: maxPatchBytes }
      const { files, isCut } = await past.showChange(asked, signal)
      return { ...toCommits(ends), files: files.map(toShown), isCut }
    },
    at: async (name, signal) => {
      const commit = await find(name, signal)
      return { commit, files: await filesAt(commit, signal) }
    },
  }
}

/** The commit that a date, a tag, a branch or a commit names, as seen from `at`. Throws `invalid_input` for any other name. */
export async function findCommit(
  { past, at }: { readonly past: Pick<Past, 'resolve'>; readonly at: Oid },
  name: string,
  signal: AbortSignal,
): Promise<Oid> {
  const found = await past.resolve(name, at, signal)
  if (found !== undefined) return found
  throw new Failure('invalid_input', `There is no date, tag or commit ${JSON.stringify(name)} in the history.`)
}

type Ends = { readonly commit: Oid } | { readonly from: Oid; readonly to: Oid }
type Finding = { readonly at: Oid; readonly find: (name: string) => Promise<Oid> }

async function findEnds(range: Range, { at, find }: Finding): Promise<Ends> {
  if ('commit' in range) return { commit: await find(range.commit) }
  return { from: await find(range.from), to: range.to === undefined ? at : await find(range.to) }
}

function toCommits(ends: Ends): Pick<Change, 'from' | 'to'> {
  return 'commit' in ends ? { from: undefined, to: ends.commit } : ends
}

function toLogged({ pullRequests, ...commit }: Awaited<ReturnType<Past['log']>>['commits'][number]): LoggedCommit {
  return { ...commit, pulls: pullRequests }
}

function toShown({ path, previousPath, status, patch, left }: GitFile): ShownFile {
  return { path, previousPath, status, patch: patch ?? '', left: left === null ? null : leftWords[left] }
}

function isWritten(path: string): boolean {
  return isGenerated({ path, size: 0 })
}
