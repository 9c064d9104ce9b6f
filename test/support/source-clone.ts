// A small clone of a product for tests of drift: each commit is a set of files on top of the one before it.

import { join } from 'node:path'
import { addCommit, writeRef } from './bare-repository.ts'
import { person, plainGit, temporaryFolder, type Cleanup } from './git-remote.ts'
import type { Files } from './git-objects.ts'

/** null deletes the file. */
export type Commit = Files

/** Returns the folder. Commit `n` has the tag `v<n>`, counted from 1. */
export function createClone(t: Cleanup, commits: readonly Commit[]): string {
  const folder = temporaryFolder(t)
  const directory = join(folder, '.git')
  plainGit(folder, ['init', '--quiet', '--template=', '--initial-branch=main'])
  for (const [at, files] of commits.entries()) {
    const id = addCommit(directory, { branch: 'main', files, message: `Commit ${at + 1}\n`, person })
    writeRef(directory, `refs/tags/v${at + 1}`, id)
  }
  if (commits.length > 0) plainGit(folder, ['reset', '--quiet', '--hard'])
  return folder
}
