// One repository: its mirror, its lock, and the operations on them.

import { join } from 'node:path'
import { Failure } from '../lib/failure.ts'
import { makeCommit } from './write/commit.ts'
import { changedFiles, diffFiles, diffText } from './read/diff.ts'
import { branchesAbove, refuseBlocked } from '../lib/push-rules/blocked-branch.ts'
import { createFetch } from './cache/fetch.ts'
import { commitFacts, fetchCommit } from './cache/fetch-commit.ts'
import { createLock } from './cache/lock.ts'
import { createHistoryFetch, type HistoryFetch } from './cache/history-fetch.ts'
import { haveSameTree, mergeCommits, transplantCommit } from './write/merge.ts'
import { endReading, factsFile, type Mirror, removeMirror, tryGit } from './cache/mirror.ts'
import { pushCommit } from './write/push.ts'
import { restoreBranch } from './write/restore-branch.ts'
import { deleteRef, pushObject } from './write/temporary-ref.ts'
import { createPast } from './history/past.ts'
import { openWholePast } from './past/whole-past.ts'
import { isPublic, probeBoth } from './transport/access.ts'
import type { Address } from './transport/address.ts'
import { listRemote, probe } from './transport/remote.ts'
import { isDone } from './transport/run.ts'
import { createHistory } from './read/history.ts'
import { createTrees } from './read/tree.ts'
import type { Oid, Repository } from './types.ts'

export type OpenRepository = {
  readonly repository: Repository
  /** Deletes the mirror after the current fetch. */
  remove(): Promise<void>
  /** Ends the processes that read the mirror, and the fetch of the history. */
  end(): Promise<void>
}

/** How long the reader of a diff waits for a repository that does not respond. */
const ensureMs = 120_000

/** `fork`: has the branches of jobs; null: the repository itself has them. */
export function openRepository(mirror: Mirror, fork: Address | null = null): OpenRepository {
  const lock = createLock()
  const trees = createTrees(mirror)
  const published = fork === null ? mirror : { ...mirror, address: fork }
  const fetchRefs = createFetch({ mirror, published, lock, inspect: (commit) => trees.load(commit) })
  const historyFetch = createHistoryFetch({ mirror, lock })
  const { keep, ...past } = createPast({ historyFetch })
  const fetch: Repository['fetch'] = async (wanted, signal) => keep(await fetchRefs(wanted, signal))
  const history = createHistory(mirror, historyFetch)
  const hasAll = hasAllOf(mirror, historyFetch)
  const arrived = arrivedAt(published, historyFetch)
  const publishing = { mirror: published, lock, isAncestor: history.isAncestor, arrived }
  const repository: Repository = {
    maxFileBytes: mirror.options.maxFileBytes,
    factsFile: join(mirror.gitDir, factsFile),
    fetch,
    bringHistory: historyFetch.begin,
    ...history,
    ...past,
    probe: (branch, signal) => probe(mirror, branch, signal),
    refuseBlocked: (planned, signal) => refusePlanned(published, planned, signal),
    probeAccess: (signal) => probeBoth(mirror, published, signal),
    isPublic: (signal) => isPublic(mirror, signal),
    tree: (commit) => trees.load(commit),
    pastOf: (commit) => openWholePast({ mirror, historyFetch }, { name: mirror.id, commit }),
    commitFacts: (commit) => commitFacts(mirror, commit),
    commit: async ({ parent, ...input }) => makeCommit(mirror, await trees.load(parent), input),
    transplant: (commit, onto) => transplantCommit(mirror, commit, onto),
    merge: async (input, signal) => mergeCommits(await historyFetch.arrived(signal), input),
    sameTree: (one, other) => haveSameTree(mirror, one, other),
    has: (oid) => hasObjects(mirror, [oid]),
    contains: (oid, signal) => hasAll([oid], signal),
    ensure: async (commits, wanted) => {
      if (!mirror.state.isDamaged && (await hasObjects(mirror, commits))) return
      const signal = AbortSignal.timeout(ensureMs)
      await fetch(wanted, signal)
      if (await hasAll(commits, signal)) return
      throw new Failure('not_found', 'The commits of this change are no longer in the repository.')
    },
    push: (input, signal) => pushCommit(publishing, input, signal),
    restoreBranch: (input, signal) => restoreBranch(published, input, signal),
    pushObject: (input, signal) => pushObject(publishing, input, signal),
    deleteRef: (ref, signal) => deleteRef(published, ref, signal),
    fetchCommit: (commit, branch, signal) => fetchCommit(mirror, lock, { commit, branch }, signal),
    diff: (from, to) => diffText(mirror, from, to),
    diffFiles: (from, to) => diffFiles(mirror, from, to),
    changedFiles: (from, to) => changedFiles(mirror, from, to),
  }
  return {
    repository,
    remove: async () => {
      await lock(() => removeMirror(mirror))
    },
    end: async () => {
      await Promise.all([endReading(mirror), historyFetch.end()])
    },
  }
}

async function refusePlanned(mirror: Mirror, planned: string, signal: AbortSignal): Promise<void> {
  refuseBlocked(planned, (await listRemote(mirror, [planned, ...branchesAbove(planned)], signal)).branches)
}

/** Waits for the history before it says no. */
function hasAllOf(mirror: Mirror, { present, arrived }: HistoryFetch) {
  return async (oids: readonly Oid[], signal: AbortSignal): Promise<boolean> => {
    const whole = await present()
    if (await hasObjects(mirror, oids)) return true
    return whole === undefined && (await hasObjects(await arrived(signal), oids))
  }
}

/** The history of the mirror, with the address that commits are pushed to. */
function arrivedAt({ address }: Mirror, { arrived }: HistoryFetch): HistoryFetch['arrived'] {
  return async (signal) => ({ ...(await arrived(signal)), address })
}

/**
 * Checks with a separate process: the long-lived one may still read deleted files. Without a mirror there are no
 * objects.
 */
async function hasObjects(mirror: Mirror, oids: readonly Oid[]): Promise<boolean> {
  const input = oids.map((oid) => `${oid}\n`).join('')
  const result = await tryGit(mirror, { args: ['cat-file', '--batch-check'], input })
  return isDone(result) && !/ missing$/m.test(result.stdout.toString())
}
