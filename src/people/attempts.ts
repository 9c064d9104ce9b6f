// Limits attempts at a password. Counted in the database, for all servers together.

import { Failure } from '../lib/failure.ts'
import type { Db } from '../postgres/types.ts'
import { type AttemptLimit, countAttempt } from '../requests/rate-limits.ts'

/** Counts one attempt. Throws `too_many_attempts`, with the time to wait. */
export async function refuseMany(db: Db, limit: AttemptLimit, subject: string): Promise<void> {
  const retryAfter = await countAttempt(db, limit, subject)
  if (retryAfter === undefined) return
  const message = `There were too many attempts. Try again in ${minutes(retryAfter)}.`
  throw new Failure('too_many_attempts', message, { retryAfter })
}

function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60)
  return count === 1 ? 'a minute' : `${count} minutes`
}
