// The data directory as processes meet in it: one process holds it, and the service in that process answers commands
// through a socket in it. Loads no engine.

import { connect } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Clock } from '../lib/clock.ts'
import { type DirectoryLock, lockDirectory } from '../lib/directory-lock.ts'
import { errnoOf } from '../lib/errno.ts'
import { Failure } from '../lib/failure.ts'

type Place = Pick<Config, 'dataDir'>

/** The socket by which the command line reaches a running service. */
export function socketPath({ dataDir }: Place): string {
  return join(dataDir, 'docent.sock')
}

/** Does a service listen on the socket of this data directory? */
export async function isServed(place: Place): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(socketPath(place))
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** Throws `data_in_use` while another process has it, and `config_invalid` when no data can be there. */
export function holdDirectory(place: Place): DirectoryLock {
  const lock = takeLock(place)
  if (lock) return lock
  throw dataInUse(place)
}

export type Waiting = {
  /** Called once, when there is something to wait for. */
  readonly onWait: () => void
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
}

const pauseMs = 200
const longestWaitMs = 30_000

/**
 * Holds the directory, or finds that a service answers on its socket. While another process holds it without answering
 * (a service that starts or stops, a backup), waits up to 30 s. Throws as `holdDirectory`.
 */
export async function enterDirectory(place: Place, waiting: Waiting): Promise<DirectoryLock | 'served'> {
  const { onWait, clock, signal } = waiting
  for (let waited = 0; ; waited += pauseMs) {
    if (await isServed(place)) return 'served'
    const lock = takeLock(place)
    if (lock) return lock
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
