// Decides whether an error of the database is temporary. Temporary errors become `unavailable`; all others are faults
// of the service and are left as they are.

import { errnoOf } from '../lib/errno.ts'
import { Failure } from '../lib/failure.ts'

/** Classes and codes of SQLSTATE (PostgreSQL, appendix A) after which the same statement may succeed later. */
const temporary: readonly string[] = [
  '08', // connection exceptions
  '25006', // read-only: a standby that was asked during a failover
  '25P03', // idle in transaction for too long
  '40001', // serialization failure
  '40P01', // deadlock
  '53', // no memory, no disk, no connection left
  '55P03', // lock timeout
  '57014', // statement timeout
  '57P', // shutting down, starting, or ended by an administrator
]

/** Messages of the driver when a connection fails without an error from the server; they have no code. */
const connectionLost =
  /^Connection terminated|^Client has encountered a connection error|timeout exceeded when trying to connect|^Client was closed|^Query read timeout/

/** `unavailable` because of the database, and not because of git or the disk. */
export class DatabaseAway extends Failure {
  constructor(cause: unknown, message = 'The database is not available now.') {
    super('unavailable', message, { cause, retryAfter: 2 })
  }
}

export function toDatabaseFailure(error: unknown): unknown {
  return error instanceof Error && isTemporary(error) ? new DatabaseAway(error) : error
}

function isTemporary(error: Error): boolean {
  // Both drivers put SQLSTATE there.
  if ('severity' in error && 'code' in error) {
    const sqlState = String(error.code)
    return temporary.some((start) => sqlState.startsWith(start))
  }
  return /^E[A-Z]+$/.test(errnoOf(error) ?? '') || error instanceof AggregateError || connectionLost.test(error.message)
}
