// One repository: the mirror, its lock and the verbs over them.

import { makeCommit } from './commit.ts'
import { diffFiles, diffText } from './diff.ts'
import { createFetch } from './fetch.ts'
import { createLock } from './lock.ts'
import { haveSameTree, isAncestor, mergeBase, mergeCommits, transplantCommit } from './merge.ts'
import { type Mirror, removeMirror } from './mirror.ts'
import { pushCommit } from './push.ts'
import { createTrees } from './tree.ts'
import type { Repository } from './types.ts'

export type OpenRepository = {
  readonly repository: Repository
  /** Deletes the mirror, when the fetch that runs has ended. */
  remove(): Promise<void>
  /** Ends the process that reads objects. */
  end(): Promise<void>
}

export function openRepository(mirror: Mirror): OpenRepository {
  const lock = createLock()
  const trees = createTrees(mirror)
  const repository: Repository = {
    maxFileBytes: mirror.options.maxFileBytes,
    fetch: createFetch({ mirror, lock, inspect: async (commit) => await trees.load(commit) }),
    tree: async (commit) => await trees.load(commit),
    commit: async ({ parent, ...input }) => await makeCommit(mirror, await trees.load(parent), input),
    transplant: async (commit, onto) => await transplantCommit(mirror, commit, onto),
    merge: async (input) => await mergeCommits(mirror, input),
    isAncestor: async (ancestor, descendant) => await isAncestor(mirror, ancestor, descendant),
    mergeBase: async (one, other) => await mergeBase(mirror, one, other),
    sameTree: async (one, other) => await haveSameTree(mirror, one, other),
    has: async (oid) => (await mirror.objects.read(oid)) !== undefined,
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
