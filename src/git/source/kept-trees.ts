// Keeps the trees of a source by commit and by what may be seen, so that a run on a commit that is here starts no process of git
// for it. They say which contents are here, so they are forgotten when contents come.

import type { Mirror } from '../cache/mirror.ts'
import { keepByCommit } from '../read/tree.ts'
import type { IsVisible, Oid, SourceTree } from '../types.ts'
import type { Listing } from './listing.ts'
import { makeSourceTree } from './source-tree.ts'

export type KeptTrees = {
  load(commit: Oid, isVisible: IsVisible): Promise<SourceTree>
  forget(): void
}

export function keepTrees(mirror: Mirror, list: (commit: Oid) => Promise<Listing>): KeptTrees {
  const state = { kept: new WeakMap<IsVisible, (commit: Oid) => Promise<SourceTree>>() }
  return {
    load: async (commit, isVisible) => {
      const make = async (one: Oid) => await makeSourceTree(mirror, one, await list(one), isVisible)
      const load = state.kept.get(isVisible) ?? keepByCommit(mirror, make)
      state.kept.set(isVisible, load)
      return await load(commit)
    },
    forget: () => (state.kept = new WeakMap()),
  }
}
