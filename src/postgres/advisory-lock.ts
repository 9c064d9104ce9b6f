// A lock that all processes of a PostgreSQL server share. It has a connection of its own, so it can be held during calls
// to a forge, when no transaction may stay open. The server releases it as soon as that connection is lost.

import type pg from 'pg'
import { abortable } from '../lib/abortable.ts'
import type { Log } from '../lib/observability/log.ts'
import { toDatabaseFailure } from './unavailable.ts'

export type Release = () => Promise<void>

const lockTimeout = '55P03'

/**
 * Waits for the lock as long as the client's `lock_timeout`, then continues without it: the holder may be a process that
 * is frozen or cut off, and must not block the others. Throws `unavailable`, and the reason of `signal`.
 */
export async function takeAdvisoryLock(
  client: pg.Client,
  name: string,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<Release> {
  // The lock is gone with the connection; who holds it works on under its claim.
  client.on('error', () => undefined)
  const release = () => client.end().catch(() => undefined)
  try {
    await abortable(client.connect(), signal)
    const taken = client.query('/* lock.take */ select pg_advisory_lock(hashtextextended($1, 0))', [name])
    await abortable(taken, signal)
    return release
  } catch (error) {
    await release()
    if (signal.aborted || !isLockTimeout(error)) throw toDatabaseFailure(error)
    log.warn({ lock: name }, 'another process holds a lock for too long; going on without it')
    return () => Promise.resolve()
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === lockTimeout
}
