// Sessions of people in browsers: rows, found by the digest of the token in the cookie. A password change, a change of
// role and the removal of the person end them.

import { sql } from 'kysely'
import { batchLookups } from '../lib/batch-lookups.ts'
import { Failure } from '../lib/failure.ts'
import { createId, createToken } from '../lib/id.ts'
import { digestKey } from '../lib/key-text.ts'
import { isCurrent, secondsFromNow } from '../postgres/expiry.ts'
import type { PersonRow, SessionRow } from '../postgres/schema/people.ts'
import type { Db } from '../postgres/types.ts'
import type { Role } from './roles.ts'
import { startOf } from '../lib/plain-text.ts'

const validSeconds = 30 * 86_400
const longestUserAgent = 300

export type NewSession = { readonly token: string; readonly expiresAt: Date }

/** Whose session it is. */
export type Session = {
  readonly id: string
  readonly personId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly expiresAt: Date
}

/** Starts a session of 30 days. */
export async function startSession(db: Db, personId: string, userAgent: string): Promise<NewSession> {
  const token = createToken()
  const now = sql<Date>`now()`
  const { expires_at: expiresAt } = await db
    .insertInto('sessions')
    .values({
      id: createId('ses'),
      digest: digestKey(token),
      person_id: personId,
      user_agent: startOf(userAgent, longestUserAgent),
      created_at: now,
      expires_at: secondsFromNow(validSeconds),
      last_seen_at: now,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { token, expiresAt }
}

export type OwnSession = {
  readonly id: string
  readonly current: boolean
  readonly userAgent: string
  readonly createdAt: string
  /** To the minute. */
  readonly lastSeenAt: string
  readonly expiresAt: string
}

/** Lists the sessions of the person whose session this is, the latest first. */
export async function listSessions(db: Db, { id, personId }: Session): Promise<readonly OwnSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('person_id', '=', personId)
    .where(isCurrent)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    current: row.id === id,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }))
}

/** Throws `not_found` for a session of somebody else. */
export async function endSessionOf(db: Db, personId: string, id: string): Promise<void> {
  const query = db.deleteFrom('sessions').where('person_id', '=', personId).where('id', '=', id)
  const { numDeletedRows } = await query.executeTakeFirst()
  if (numDeletedRows === 0n) throw new Failure('not_found', 'There is no such session.')
}

export async function endSession(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

export async function endSessionsOf(db: Db, personId: string): Promise<void> {
  await db.deleteFrom('sessions').where('person_id', '=', personId).execute()
}

/** Returns the session of this token; undefined when it is unknown or has expired. */
export type RecogniseSession = (token: string) => Promise<Session | undefined>

type Known = Pick<SessionRow, 'id' | 'digest' | 'person_id' | 'expires_at'> &
  Pick<PersonRow, 'email' | 'name' | 'role'> & { readonly isToBeNoted: boolean }

/** Queries the database for every request, so that the end of a session takes effect at once on every server. */
export function createSessionRecognition(db: Db): RecogniseSession {
  const find = batchLookups<Known>(
    (digests) => findSessions(db, digests),
    (session) => session.digest,
  )
  return async (token) => {
    const found = await find(digestKey(token))
    if (!found) return undefined
    if (found.isToBeNoted) await noteSeen(db, found)
    const { id, person_id: personId, email, name, role, expires_at: expiresAt } = found
    return { id, personId, email, name, role, expiresAt }
  }
}

function findSessions(db: Db, digests: readonly string[]): Promise<readonly Known[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select(['sessions.id', 'digest', 'person_id', 'expires_at', 'email', 'name', 'role'])
    .select(sql<boolean>`sessions.last_seen_at < now() - interval '1 minute'`.as('isToBeNoted'))
    .where('digest', 'in', digests)
    .where(isCurrent)
    .execute()
}

async function noteSeen(db: Db, { id, person_id }: Pick<Known, 'id' | 'person_id'>): Promise<void> {
  await sql`/* sessions.seen */ update sessions set last_seen_at = now() where id = ${id}`.execute(db)
  await sql`/* people.seen */ update people set last_seen_at = now() where id = ${person_id}
    and coalesce(last_seen_at < now() - interval '1 minute', true)`.execute(db)
}
