// Signing in with e-mail and password. Attempts are counted for all servers together, by account and address, by
// address, and by account; the right password forgives those of its account from its address.

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Failure } from '../lib/failure.ts'
import type { Db } from '../postgres/types.ts'
import { type AttemptLimit, countAttempt, forgetAttempts } from '../requests/rate-limits.ts'
import { verifyPassword } from './password.ts'
import { type Person, toPerson } from './people.ts'

const windowSeconds = 900
const byPair = { name: 'sign-in-pair', quota: 10, windowSeconds }
const byAddress = { name: 'sign-in-address', quota: 50, windowSeconds }
/** High, because anybody can use it up for somebody else. */
const byAccount = { name: 'sign-in-account', quota: 200, windowSeconds }

export type Attempt = { readonly email: string; readonly password: string; readonly address: string | undefined }

/**
 * Returns the person. Throws `sign_in_refused`, which is the same and takes as long for an unknown address as for a
 * wrong password, and `too_many_attempts`.
 */
export async function signIn(db: Db, attempt: Attempt): Promise<Person> {
  const email = attempt.email.toLowerCase()
  const address = attempt.address ?? 'local'
  const pair = digest(`${email} ${address}`)
  const counted: readonly (readonly [AttemptLimit, string])[] = [
    [byPair, pair],
    [byAddress, digest(address)],
    [byAccount, digest(email)],
  ]
  for (const [limit, subject] of counted) {
    const retryAfter = await countAttempt(db, limit, subject)
    if (retryAfter === undefined) continue
    throw new Failure('too_many_attempts', `Too many attempts to sign in. Try again in ${minutes(retryAfter)}.`, {
      retryAfter,
    })
  }
  const query = db
    .selectFrom('people')
    .selectAll()
    .where(sql`lower(email)`, '=', email)
  const row = await query.executeTakeFirst()
  const isRight = await verifyPassword(attempt.password, row?.password)
  if (!row || !isRight) throw new Failure('sign_in_refused', 'The e-mail address or the password is wrong.')
  for (const [limit, subject] of counted.slice(0, 2)) await forgetAttempts(db, limit, subject)
  return toPerson(row)
}

/** A table holds only a digest of the text that people typed: it may be a password in the wrong field. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60)
  return count === 1 ? 'a minute' : `${count} minutes`
}
