// How far the base has moved on from an open pull request, and whether the two can be merged: from git alone, the same
// for every forge. Each process asks the repository at most once a minute for a pull request, however many people look.

import { LRUCache } from 'lru-cache'
import type { Behind } from '../../forge/own/response.ts'
import type { Repository } from '../../git/types.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/observability/log.ts'

export type Branches = { readonly base: string; readonly branch: string }

export type BehindReader = {
  /** `key` names the pull request and its head. Returns null when the repository does not say. Never throws. */
  read(key: string, repository: () => Promise<Repository>, branches: Branches): Promise<Behind | null>
}

type Kept = { readonly at: number; readonly found: Promise<Behind | null> }

const keptMs = 60_000
const mostKept = 1_000
const deadlineMs = 20_000
/** The message of a failure names fewer; a list of thousands helps nobody. */
const mostPaths = 100

export function createBehindReader({
  clock,
  log,
}: {
  readonly clock: Clock
  readonly log: Pick<Log, 'debug'>
}): BehindReader {
  const kept = new LRUCache<string, Kept>({ max: mostKept })
  return {
    read: (key, repository, branches) => {
      const now = clock.now()
      const before = kept.peek(key)
      if (before && Math.abs(now.getTime() - before.at) < keptMs) return before.found
      const found = findBehind(repository, branches, now).catch((error: unknown) => {
        log.debug({ err: error, pull: key }, 'the base of a pull request could not be read')
        return null
      })
      kept.set(key, { at: now.getTime(), found })
      return found
    },
  }
}

async function findBehind(
  open: () => Promise<Repository>,
  { base, branch }: Branches,
  now: Date,
): Promise<Behind | null> {
  const repository = await open()
  const deadline = AbortSignal.timeout(deadlineMs)
  const refs = await repository.fetch({ branch: base, branches: [branch] }, deadline)
  const head = refs.heads.get(branch)
  if (head === undefined) return null
  const commits = await repository.countMissing(refs.base.commit, head, deadline)
  const merge = { into: head, from: refs.base.commit, message: 'Merge', date: new Date(0) }
  const merged = commits === 0 ? undefined : await repository.merge(merge, deadline)
  const conflicts = merged?.kind === 'conflict' ? merged.paths.slice(0, mostPaths) : []
  return { commits, conflicts, checkedAt: now.toISOString() }
}
