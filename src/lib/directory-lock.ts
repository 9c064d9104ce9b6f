// Locks a directory for one process. Node has no flock, so this uses SQLite's file lock: the system releases it when
// the process ends in any way, and there is no stale lock to clean up.

import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface DirectoryLock {
  release(): void
}

const busy = 5

/**
 * Makes the directory when it is missing. Returns undefined when another process, or this one, already holds the lock.
 * Throws the system's error when the directory is not writable.
 */
export function lockDirectory(directory: string): DirectoryLock | undefined {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // In a read-only directory SQLite would take a lock that excludes no other process.
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
