// The fork of the loopback forges' repository: a second bare repository with the objects of the first.

import { cpSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readHeads, writeRef } from '../bare-repository.ts'
import { commitsOf } from '../git-objects.ts'
import type { TestRemote } from '../git-remote.ts'

export const forkId = 4712

export type Fork = {
  /** `owner/name` */
  readonly path: string
  readonly directory: string
  /** That of the repository it says it was made from. */
  parentId: number
  isPrivate: boolean
  /** So many questions are answered before the copy is there. */
  copying: number
}

/** Shares the objects of the repository, so that a pull request from it can be compared and merged. */
export function createFork(remote: TestRemote, given: Omit<Fork, 'directory'>): Fork {
  const directory = join(dirname(remote.directory), 'fork.git')
  cpSync(remote.directory, directory, { recursive: true })
  rmSync(join(directory, 'objects'), { recursive: true })
  symlinkSync(join(remote.directory, 'objects'), join(directory, 'objects'))
  return { ...given, directory }
}

export const forkHeads = (fork: Fork) => readHeads(fork.directory)

/** Moves the fork's main to that of the repository. False: the fork has commits of its own there. */
export function syncFork(fork: Fork, remote: TestRemote): boolean {
  const [here, there] = [forkHeads(fork).get('main') ?? '', remote.head('main') ?? '']
  if (!commitsOf(remote.directory, there).has(here)) return false
  writeRef(fork.directory, 'refs/heads/main', there, here)
  return true
}
