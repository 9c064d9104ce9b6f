// Opens what a run reads: its sources at the commits where it reads them, and the past of every repository.

import type { History } from '../../agent/history.ts'
import type { Source, Sources } from '../../agent/sources.ts'
import type { Files } from '../../agent/workspace.ts'
import type { Git, Oid, RemoteRefs, Repository, SourceRepository } from '../../git/types.ts'
import { isSecretPath } from '../../lib/outbound/secret-paths.ts'
import { openPast } from './past.ts'
import type { RunSource } from './run-sources.ts'
import { createIsVisible } from './visible.ts'

/** The repositories of those that the run has. */
export function sourcesOf(git: Pick<Git, 'source'>, sources: readonly RunSource[]): readonly SourceRepository[] {
  return sources.flatMap(({ id, repository, commit }) => (commit === null ? [] : [git.source(id, repository)]))
}

/** The names of those that are not known to be public. */
export async function findPrivate(
  git: Pick<Git, 'source'>,
  sources: readonly RunSource[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const present = sources.filter(({ commit }) => commit !== null)
  const isPublic = await Promise.all(present.map(({ id, repository }) => git.source(id, repository).isPublic(signal)))
  return new Set(present.flatMap(({ name }, at) => (isPublic[at] === true ? [] : [name])))
}

export async function openSources(git: Pick<Git, 'source'>, sources: readonly RunSource[]): Promise<Sources> {
  const present = await Promise.all(
    sources.map(async (source) => (source.commit === null ? [] : [await openSource(git, source, source.commit)])),
  )
  const missing = sources.flatMap(({ name, missing: reason }) => (reason === undefined ? [] : [{ name, reason }]))
  return { present: present.flat(), missing }
}

async function openSource(git: Pick<Git, 'source'>, source: RunSource, at: Oid): Promise<Source> {
  const { id, name, repository: address, branch, paths } = source
  const repository = git.source(id, address)
  const isVisible = createIsVisible(paths)
  const filesAt = async (commit: Oid) => toFiles(await repository.tree(commit, isVisible))
  const history = openPast(repository, {
    at,
    hasTags: true,
    isVisible,
    filesAt: async (commit, signal) => {
      await repository.ensure(commit, { branch, isVisible }, signal)
      return await filesAt(commit)
    },
  })
  return { name, files: await filesAt(at), history }
}

/** The past of the documentation itself, seen from the base of the run. */
export function openHistory(repository: Repository, at: Oid, tags: RemoteRefs['tags']): History {
  return openPast(repository, {
    at,
    hasTags: tags.size > 0,
    isVisible: (path) => !isSecretPath(path),
    filesAt: async (commit) => toFiles(await repository.tree(commit)),
  })
}

type Listed = Pick<Files, 'read' | 'search'> & { entries(): Awaited<ReturnType<Files['list']>> }

/** The files of a commit as tools and engines read them. */
export function toFiles(tree: Listed): Files {
  return {
    list: () => Promise.resolve(tree.entries()),
    read: (path) => tree.read(path),
    search: (query, signal) => tree.search(query, signal),
  }
}
