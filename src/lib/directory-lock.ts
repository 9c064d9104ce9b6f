// Lets only one process at a time own a directory. Node has no flock, so this uses the file lock of SQLite: the operating
// system releases it even when the process is killed, so that a lock is never stale.

import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface DirectoryLock {
  /** Call it once. */
  release(): void
}

/** SQLITE_BUSY. */
const sqliteBusy = 5

/**
 * Takes the lock and creates the directory if it is missing. Returns undefined if a process, this one included, already
 * has the lock. Throws the error of the system if the directory is not writable.
 */
export function lockDirectory(directory: string): DirectoryLock | undefined {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // In a read-only directory, SQLite would grant a lock that excludes nobody.
  accessSync(directory, constants.W_OK | constants.X_OK)
  const path = join(directory, 'lock.db')
  const database = new DatabaseSync(path, { timeout: 0 })
  chmodSync(path, 0o600)
  try {
    // In memory, so that no journal file stays beside it.
    database.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined
    throw error
  }
  return { release: () => database.close() }
}
