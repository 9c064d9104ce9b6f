// One owner for a directory, among processes. Node has no flock, so SQLite's file lock stands in: the system drops
// it when the process dies, however it dies, and taking it never races with a stale owner.

import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface DirectoryLock {
  release(): void
}

const busy = 5

/** Makes the directory when it is missing. Throws what the system says when it cannot be written. Returns undefined when another process (or this one) owns it already. */
export function lockDirectory(directory: string): DirectoryLock | undefined {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // SQLite would take a lock that holds off nobody on what it can only read.
  accessSync(directory, constants.W_OK | constants.X_OK)
  const path = join(directory, 'lock.db')
  const file = new DatabaseSync(path, { timeout: 0 })
  chmodSync(path, 0o600)
  try {
    file.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    file.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return undefined
    throw error
  }
  return { release: () => file.close() }
}
