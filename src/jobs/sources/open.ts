// Opens the sources of a run, at the commits where it reads them.

import type { Sources } from '../../agent/sources.ts'
import type { Git, SourceRepository } from '../../git/types.ts'
import type { RunSource } from './run-sources.ts'
import { createIsVisible } from './visible.ts'

/** The repositories of those that the run has. */
export function sourcesOf(git: Pick<Git, 'source'>, sources: readonly RunSource[]): readonly SourceRepository[] {
  return sources.flatMap(({ id, repository, commit }) => (commit === null ? [] : [git.source(id, repository)]))
}

export async function openSources(git: Pick<Git, 'source'>, sources: readonly RunSource[]): Promise<Sources> {
  const present = await Promise.all(
    sources.map(async ({ id, name, repository, paths, commit }) => {
      if (commit === null) return []
      const tree = await git.source(id, repository).tree(commit, createIsVisible(paths))
      return [{ name, files: { ...tree, list: () => Promise.resolve(tree.entries()) } }]
    }),
  )
  const missing = sources.flatMap(({ name, missing: reason }) => (reason === undefined ? [] : [{ name, reason }]))
  return { present: present.flat(), missing }
}
