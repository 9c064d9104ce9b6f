// A small clone of a product for tests of drift: each commit is a set of files on top of the one before it.

import { plainGit, temporaryFolder, type Cleanup } from './git-remote.ts'
import { writeFiles } from './temporary.ts'
import { rmSync } from 'node:fs'
import { join } from 'node:path'

/** null deletes the file. */
export type Commit = Readonly<Record<string, string | null>>

/** Returns the folder. Commit `n` has the tag `v<n>`, counted from 1. */
export function createClone(t: Cleanup, commits: readonly Commit[]): string {
  const folder = temporaryFolder(t)
  plainGit(folder, ['init', '--quiet', '--initial-branch=main'])
  for (const [at, files] of commits.entries()) {
    const kept = Object.entries(files).flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]))
    for (const [path, text] of Object.entries(files)) if (text === null) rmSync(join(folder, path))
    writeFiles(folder, Object.fromEntries(kept))
    plainGit(folder, ['add', '--all'])
    plainGit(folder, ['commit', '--quiet', '--no-gpg-sign', '--message', `Commit ${at + 1}`])
    plainGit(folder, ['tag', `v${at + 1}`])
  }
  return folder
}
