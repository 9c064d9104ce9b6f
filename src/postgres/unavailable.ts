// What an error of the database means for whoever asked: a fault of ours, or something that passes by itself.

import { Failure } from '../lib/failure.ts'

/** Classes and codes of SQLSTATE (PostgreSQL, appendix A) after which the same statement may succeed later. */
const passing: readonly string[] = [
  '08', // connection exceptions
  '25006', // read-only: a standby that was asked during a failover
  '25P03', // idle in transaction for too long
  '40001', // could not serialise
  '40P01', // deadlock
  '53', // no memory, no disk, no connection left
  '55P03', // a lock was not free in time
  '57014', // the statement took too long
  '57P', // shut down, starting, cut off by the administrator
]

/** What Node and the driver say when a connection fails without a word of the server. */
const lost =
  /^Connection terminated|^Client has encountered a connection error|timeout exceeded when trying to connect|^Client was closed|^Query read timeout/

/** `unavailable`, and the database is why: a git that cannot start, or a disk without space for it, is not this. */
export class DatabaseAway extends Failure {
  constructor(cause: unknown, message = 'The database is not available now.') {
    super('unavailable', message, { cause, retryAfter: 2 })
  }
}

export function toDatabaseFailure(error: unknown): unknown {
  return error instanceof Error && isPassing(error) ? new DatabaseAway(error) : error
}

function isPassing(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if ('severity' in error) return passing.some((start) => code.startsWith(start))
  return /^E[A-Z]+$/.test(code) || error instanceof AggregateError || lost.test(error.message)
}
