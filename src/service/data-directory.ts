// Locks a data directory, which one process uses at a time. Does not load the engines.

import type { Config } from '../config/config.ts'
import type { Clock } from '../lib/clock.ts'
import { type DirectoryLock, lockDirectory } from '../lib/directory-lock.ts'
import { errnoOf } from '../lib/errno.ts'
import { Failure } from '../lib/failure.ts'
import { isServed } from './socket.ts'

type Place = Pick<Config, 'dataDir'>

/** Throws `data_in_use` while another process holds it, and `config_invalid` if the directory cannot be used. */
export function holdDirectory(place: Place): DirectoryLock {
  const lock = takeLock(place)
  if (lock) return lock
  throw dataInUse(place)
}

export type Waiting = {
  /** Called once, before waiting for another process. */
  readonly onWait: () => void
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
}

const pauseMs = 200
const longestWaitMs = 30_000

/**
 * Holds the directory, or finds that a service listens on its socket. While another process holds it without listening
 * (a service that starts or stops, a backup), waits up to 30 s. Throws like `holdDirectory`.
 */
export async function enterDirectory(place: Place, waiting: Waiting): Promise<DirectoryLock | 'served'> {
  const { onWait, clock, signal } = waiting
  for (let waited = 0; ; waited += pauseMs) {
    // The lock comes first: a process that was killed while it started git leaves a copy of itself for a moment, which has its
    // socket and not its lock.
    const lock = takeLock(place)
    if (lock) return lock
    if (await isServed(place)) return 'served'
    if (waited >= longestWaitMs || signal?.aborted) throw dataInUse(place)
    if (waited === 0) onWait()
    await clock.sleep(pauseMs, signal)
  }
}

export function dataInUse({ dataDir }: Place): Failure {
  return new Failure('data_in_use', `The data directory ${dataDir} is in use by another docent process.`)
}

const noPlaceForData: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT']

function takeLock({ dataDir }: Place): DirectoryLock | undefined {
  try {
    return lockDirectory(dataDir)
  } catch (cause) {
    if (!(cause instanceof Error) || !noPlaceForData.includes(errnoOf(cause))) throw cause
    throw new Failure('config_invalid', `DOCENT_DATA_DIR cannot be used: ${cause.message}`, { cause })
  }
}
