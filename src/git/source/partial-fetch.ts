// Fetches a part of a source into its mirror: commits and folders without contents, and contents by their ids. git does so in
// a folder beside the mirror (`cache/beside.ts` says why). A host that cannot leave out contents sends everything of the
// newest commit, which needs no second request; the limit on the size of a mirror holds for all of it.

import { Failure } from '../../lib/failure.ts'
import { removeBeside, withBeside } from '../cache/beside.ts'
import type { BringBranches } from '../cache/fetch.ts'
import type { Lock } from '../cache/lock.ts'
import { git, localRefs, type Mirror, mirrorBytes } from '../cache/mirror.ts'
import { fetchObjects, fetchRefs, fetchTips } from '../transport/remote.ts'
import type { Oid } from '../types.ts'

/** A flag of `git fetch` that leaves out the contents of files. */
export const withoutContents = '--filter=blob:none'

/** Says nothing about what is here: the host would send differences to contents that are not. */
const asNew = '--refetch'
const purpose = { kind: 'fetch', isPartial: true } as const

/** The caller of the result holds the lock. The first fetch brings the newest commit, later ones what came after. */
export function bringWithoutContents(mirror: Mirror): BringBranches {
  return async (branches, isFirst, signal) => {
    await removeBeside(mirror, 'fetch')
    await withBeside(mirror, purpose, async (beside) => {
      const more = { flags: [withoutContents], besideBytes: await mirrorBytes(mirror) }
      await (isFirst ? fetchTips : fetchRefs)(beside.mirror, branches, signal, more)
      const fetched = await localRefs(beside.mirror)
      await beside.adopt()
      const input = [...fetched].map(([name, oid]) => `update refs/heads/${name} ${oid}\n`).join('')
      await git(mirror, { args: ['update-ref', '--stdin'], input }, signal)
    })
  }
}

export type Place = { readonly mirror: Mirror; readonly lock: Lock }

/** Fetches a commit, and its folders, that may be in no branch of the host. Returns false if the host does not give it. */
export async function bringCommit(place: Place, commit: Oid, signal: AbortSignal): Promise<boolean> {
  return await bring(place, [commit], [asNew, '--depth=1', withoutContents], signal)
}

/** The same, with the history that is not here: the mirror has that of its branches. */
export async function bringWithHistory(place: Place, commit: Oid, signal: AbortSignal): Promise<boolean> {
  return await bring(place, [commit], [withoutContents], signal)
}

/**
 * Fetches contents. Of a folder's id everything in it comes, except contents over the limit for files. Returns false if the
 * host does not give objects by their ids.
 */
export async function bringContents(place: Place, oids: readonly Oid[], signal: AbortSignal): Promise<boolean> {
  const { maxFileBytes } = place.mirror.options
  return await bring(place, oids, [asNew, `--filter=blob:limit=${maxFileBytes + 1}`], signal)
}

/** Fetches everything of the newest commit of a branch again, for a host that leaves out contents and does not give them by id. */
export async function bringWholeTip({ mirror, lock }: Place, branch: string, signal: AbortSignal): Promise<void> {
  await inFolder({ mirror, lock }, async (beside, besideBytes) => {
    await fetchTips(beside, [branch], signal, { flags: [asNew], besideBytes })
    return true
  })
}

async function bring(
  place: Place,
  oids: readonly Oid[],
  flags: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  return await inFolder(
    place,
    async (beside, besideBytes) => await fetchObjects(beside, oids, signal, { flags, besideBytes }),
  )
}

async function inFolder(
  { mirror, lock }: Place,
  work: (beside: Mirror, besideBytes: number) => Promise<boolean>,
): Promise<boolean> {
  return await lock(async () => {
    await removeBeside(mirror, 'fetch')
    return await withBeside(mirror, purpose, async (beside) => {
      const isFetched = await work(beside.mirror, await mirrorBytes(mirror))
      if (isFetched) await beside.adopt()
      return isFetched
    })
  }).catch((error: unknown) => {
    // The folder's parent is the mirror: it was deleted meanwhile.
    if (error instanceof Failure) throw error
    throw new Failure('unavailable', 'The mirror is being made again.', { cause: error })
  })
}
