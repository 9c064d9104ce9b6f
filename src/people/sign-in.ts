// Signing in with e-mail and password. Attempts are counted for all servers together, by account and address, by
// address, and by account. The right password forgives those of its account from its address, and counts nowhere else:
// otherwise an own account would buy attempts on other people's.

import { createHash } from 'node:crypto'
import { Failure } from '../lib/failure.ts'
import { formatNetwork, parseNetwork } from '../lib/network.ts'
import type { Db } from '../postgres/types.ts'
import { type AttemptLimit, forgetAttempts, returnAttempt } from '../requests/rate-limits.ts'
import { refuseMany } from './attempts.ts'
import { verifyPassword } from './password.ts'
import { findByEmail, type Person, toPerson } from './people.ts'

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
  const source = sourceOf(attempt.address)
  const pair = digest(`${email} ${source}`)
  const shared: readonly Count[] = [
    [byAddress, digest(source)],
    [byAccount, digest(email)],
  ]
  for (const [limit, subject] of [[byPair, pair] as const, ...shared]) await refuseMany(db, limit, subject)
  const row = await findByEmail(db, email)
  const isRight = await verifyPassword(attempt.password, row?.password)
  if (!row || !isRight) throw new Failure('sign_in_refused', 'The e-mail address or the password is wrong.')
  await forgetAttempts(db, byPair, pair)
  for (const [limit, subject] of shared) await returnAttempt(db, limit, subject)
  return toPerson(row)
}

type Count = readonly [AttemptLimit, string]

/** A client with one IPv6 address has its whole /64. Undefined: the socket in the data directory. */
function sourceOf(address: string | undefined): string {
  if (address === undefined) return 'local'
  const network = parseNetwork(address)?.family === 6 ? parseNetwork(`${address}/64`) : undefined
  return network ? formatNetwork(network) : address
}

/** Typed text ends in a table only as a digest: it may be a password in the wrong field. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
