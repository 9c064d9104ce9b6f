// A source for tests: a repository of a product, served over HTTP by the real git, by a host that can leave out contents.

import { join } from 'node:path'
import { createSelector, toGlobs } from '../../src/docs-syntax/glob.ts'
import type { Git, GitOptions, IsVisible, SourceRepository } from '../../src/git/types.ts'
import type { Files } from './git-objects.ts'
import { type Cleanup, createRemote, plainGit, temporaryFolder, type TestRemote, testGit } from './git-remote.ts'
import { type GitServer, serveGit } from './git-server.ts'

export type ServedRepository = { readonly server: GitServer; readonly remote: TestRemote }

export type ServedSource = ServedRepository & {
  readonly source: SourceRepository
  readonly git: Git
  /** The folder of the mirrors. */
  readonly directory: string
  readonly mirror: string
}

export const sourceId = 'src_test'

/** Serves a repository with these commits on the branch main. */
export async function servedRepository(t: Cleanup, ...commits: readonly Files[]): Promise<ServedRepository> {
  const remote = createRemote(t)
  remote.git(['config', 'uploadpack.allowFilter', 'true'])
  for (const files of commits) remote.commit('main', files)
  return { remote, server: await serveGit(t, remote.directory) }
}

/** Serves a repository with these files on the branch main. It is not fetched. */
export async function servedSource(t: Cleanup, files: Files, given: Partial<GitOptions> = {}): Promise<ServedSource> {
  const directory = join(temporaryFolder(t), 'mirrors')
  const { remote, server } = await servedRepository(t, files)
  const git = await testGit(t, { directory, privateHosts: [server.host], ...given })
  const source = git.source(sourceId, server.address)
  return { server, remote, source, git, directory, mirror: join(directory, `${sourceId}.git`) }
}

/** The files that one of these globs matches; empty: all files. */
export function within(...paths: readonly string[]): IsVisible {
  return createSelector({ wanted: paths.flatMap(toGlobs), unwanted: [] })
}

/** The requests for objects: those for the list of refs are smaller. */
export function fetchesOf({ requests }: Pick<GitServer, 'requests'>): number {
  return requests.filter((request) => request.startsWith('POST') && request.includes('git-upload-pack')).length
}

/** The ids of all objects in a mirror, with their types. */
export function objectsIn(mirror: string): readonly string[] {
  return plainGit(mirror, ['cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)']).split('\n')
}
