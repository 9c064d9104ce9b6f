// One repository: the mirror, its lock and the verbs over them.

import { Failure } from '../lib/failure.ts'
import { makeCommit } from './write/commit.ts'
import { diffFiles, diffText } from './read/diff.ts'
import { createFetch } from './cache/fetch.ts'
import { createLock } from './cache/lock.ts'
import { haveSameTree, isAncestor, mergeBase, mergeCommits, transplantCommit } from './write/merge.ts'
import { type Mirror, removeMirror, tryGit } from './cache/mirror.ts'
import { pushCommit } from './write/push.ts'
import { listRemote } from './transport/remote.ts'
import { createTrees } from './read/tree.ts'
import type { Oid, Repository } from './types.ts'

export type OpenRepository = {
  readonly repository: Repository
  /** Deletes the mirror, when the fetch that runs has ended. */
  remove(): Promise<void>
  /** Ends the process that reads objects. */
  end(): Promise<void>
}

/** Whoever reads a diff waits no longer for a repository that does not answer. */
const ensureMs = 120_000

export function openRepository(mirror: Mirror): OpenRepository {
  const lock = createLock()
  const trees = createTrees(mirror)
  const fetch = createFetch({ mirror, lock, inspect: async (commit) => await trees.load(commit) })
  const hasAll = async (oids: readonly Oid[]) => await hasObjects(mirror, oids)
  const repository: Repository = {
    maxFileBytes: mirror.options.maxFileBytes,
    fetch,
    probe: async (branch, signal) => await probe(mirror, branch, signal),
    tree: async (commit) => await trees.load(commit),
    commit: async ({ parent, ...input }) => await makeCommit(mirror, await trees.load(parent), input),
    transplant: async (commit, onto) => await transplantCommit(mirror, commit, onto),
    merge: async (input) => await mergeCommits(mirror, input),
    isAncestor: async (ancestor, descendant) => await isAncestor(mirror, ancestor, descendant),
    mergeBase: async (one, other) => await mergeBase(mirror, one, other),
    sameTree: async (one, other) => await haveSameTree(mirror, one, other),
    has: async (oid) => await hasAll([oid]),
    ensure: async (commits, wanted) => {
      if (!mirror.state.isDamaged && (await hasAll(commits))) return
      await fetch(wanted, AbortSignal.timeout(ensureMs))
      if (await hasAll(commits)) return
      throw new Failure('not_found', 'The commits of this change are not in the repository any more.')
    },
    push: async (input, signal) => await pushCommit(mirror, lock, input, signal),
    diff: async (from, to) => await diffText(mirror, from, to),
    diffFiles: async (from, to) => await diffFiles(mirror, from, to),
  }
  return {
    repository,
    remove: async () => {
      await lock(async () => await removeMirror(mirror))
    },
    end: async () => await mirror.objects.end(),
  }
}

async function probe(mirror: Mirror, branch: string | null, signal: AbortSignal) {
  const { head, branches } = await listRemote(mirror, branch === null ? [] : [branch], signal)
  const name = branch ?? head
  return { branch: name, commit: (name !== null && branches.get(name)) || null }
}

/** Asks a process of its own: the long-lived one may still read files that were deleted. No mirror, no objects. */
async function hasObjects(mirror: Mirror, oids: readonly Oid[]): Promise<boolean> {
  const input = oids.map((oid) => `${oid}\n`).join('')
  const { ended, code, stdout } = await tryGit(mirror, { args: ['cat-file', '--batch-check'], input })
  return ended === 'exit' && code === 0 && !/ missing$/m.test(stdout.toString())
}
