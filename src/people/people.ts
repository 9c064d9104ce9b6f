// The people who can sign in: listed, given another role, removed. There is always an admin.

import { sql } from 'kysely'
import { Failure, invalidInput } from '../lib/failure.ts'
import { createId } from '../lib/id.ts'
import type { PersonRow } from '../postgres/schema/people.ts'
import type { Db, Trx } from '../postgres/types.ts'
import { forgetAttempts } from '../requests/rate-limits.ts'
import { refuseMany } from './attempts.ts'
import { type Origin, recordChange } from './audit.ts'
import { type LimitedKey, readMade } from './made.ts'
import { hashNew, verifyPassword } from './password.ts'
import type { Role } from './roles.ts'
import { endSessionsOf } from './sessions.ts'

export type Person = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly createdAt: string
  /** To the minute; null: never signed in. */
  readonly lastSeenAt: string | null
}

export type NewPerson = { readonly email: string; readonly name: string; readonly password: string }

/** Addresses that differ only in case reach the same mailbox. */
export function findByEmail(db: Db, email: string): Promise<PersonRow | undefined> {
  const query = db
    .selectFrom('people')
    .selectAll()
    .where(sql`lower(email)`, '=', email.toLowerCase())
  return query.executeTakeFirst()
}

/** `password` is the hash. Throws `person_exists`. */
export async function addPerson(trx: Trx, person: NewPerson & { readonly role: Role }): Promise<Person> {
  const now = new Date()
  const row = await trx
    .insertInto('people')
    .values({ id: createId('per'), ...person, created_at: now, updated_at: now, last_seen_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw personExists(person.email)
  return toPerson(row)
}

export function personExists(email: string): Failure {
  return new Failure('person_exists', `${email} has an account already.`)
}

/** Also ends every session. `password` is the hash. */
export async function setPassword(trx: Trx, personId: string, password: string): Promise<void> {
  await trx.updateTable('people').set({ password, updated_at: new Date() }).where('id', '=', personId).execute()
  await endSessionsOf(trx, personId)
}

export type ListedPerson = Person & {
  /** The key with limits that the role of this admin came from; null: it came from nobody with limits. */
  readonly limitedKey: LimitedKey | null
}

export async function listPeople(db: Db): Promise<readonly ListedPerson[]> {
  const rows = await db.selectFrom('people').selectAll().orderBy('name').orderBy('id').execute()
  const made = await readMade(db)
  return rows.map((row) => ({
    ...toPerson(row),
    limitedKey: row.role === 'admin' ? (made.limitedKeyOf(row.id) ?? null) : null,
  }))
}

/** Made by an admin who is one no longer. */
export type Left = {
  /** Those that were revoked or have expired, too. */
  readonly keyIds: readonly string[]
  /** The e-mail addresses. */
  readonly withdrawnInvitations: readonly string[]
}

/**
 * Changes the role, ends the sessions of the person, and withdraws the invitations of an admin who is one no longer. Throws
 * `not_found`, and `last_admin` when nobody else is an admin.
 */
export async function changeRole(db: Db, id: string, role: Role): Promise<Person & Left> {
  return db.transaction().execute(async (trx) => {
    const person = await lockPerson(trx, id)
    const nothing = { keyIds: [], withdrawnInvitations: [] }
    if (person.role === role) return { ...toPerson(person), ...nothing }
    if (role !== 'admin') await refuseLastAdmin(trx, person)
    const changed = { ...person, role, updated_at: new Date() }
    await trx.updateTable('people').set({ role, updated_at: changed.updated_at }).where('id', '=', id).execute()
    await endSessionsOf(trx, id)
    return { ...toPerson(changed), ...(person.role === 'admin' ? await takeLeft(trx, id) : nothing) }
  })
}

/**
 * Removes the person, ends its sessions and withdraws its invitations. Throws `not_found`, and `last_admin` when nobody
 * else is an admin.
 */
export async function removePerson(db: Db, id: string): Promise<Left> {
  return db.transaction().execute(async (trx) => {
    await refuseLastAdmin(trx, await lockPerson(trx, id))
    await trx.deleteFrom('people').where('id', '=', id).execute()
    return takeLeft(trx, id)
  })
}

/** Withdraws the invitations. The keys stay: servers may use them. */
async function takeLeft(trx: Trx, personId: string): Promise<Left> {
  const made = await readMade(trx)
  const withdrawn = await trx
    .deleteFrom('invitations')
    .where('id', 'in', ['', ...made.invitationsOf(personId)])
    .returning('email')
    .execute()
  return { keyIds: made.keysOf(personId), withdrawnInvitations: withdrawn.map(({ email }) => email).toSorted() }
}

type PasswordChange = Origin & { readonly personId: string; readonly current: string; readonly password: string }

/** Somebody who found a browser signed in must not guess on. */
const changes = { name: 'password-change', quota: 10, windowSeconds: 900 }

/**
 * Ends every session, also the one of the request: a stolen cookie is a reason to change a password. Throws
 * `invalid_input` for a wrong current password and for a weak new one, and `too_many_attempts`.
 */
export async function changePassword(db: Db, { personId, current, password, address }: PasswordChange): Promise<void> {
  await refuseMany(db, changes, personId)
  const person = await db.selectFrom('people').selectAll().where('id', '=', personId).executeTakeFirst()
  if (!person || !(await verifyPassword(current, person.password))) {
    throw invalidInput('#/currentPassword', 'is not your current password')
  }
  const hash = await hashNew(password, person)
  await db.transaction().execute(async (trx) => {
    await setPassword(trx, personId, hash)
    const actor = { kind: 'person', id: personId, name: person.name } as const
    await recordChange(trx, { actor, address, action: 'changePassword', subject: personId })
  })
  await forgetAttempts(db, changes, personId)
}

export function toPerson(row: PersonRow): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  }
}

/** Locks all admins in one order, so that two admins cannot remove each other at the same moment. */
async function lockPerson(trx: Trx, id: string): Promise<PersonRow> {
  const rows = await trx
    .selectFrom('people')
    .selectAll()
    .where((where) => where.or([where('id', '=', id), where('role', '=', 'admin')]))
    .orderBy('id')
    .forUpdate()
    .execute()
  const person = rows.find((row) => row.id === id)
  if (!person) throw new Failure('not_found', 'There is no such person.')
  return person
}

async function refuseLastAdmin(trx: Trx, person: PersonRow): Promise<void> {
  if (person.role !== 'admin') return
  const other = await trx
    .selectFrom('people')
    .select('id')
    .where('role', '=', 'admin')
    .where('id', '<>', person.id)
    .executeTakeFirst()
  if (other) return
  // While nobody has used the link of the first account, nobody is locked out.
  const isSetUp = await trx.selectFrom('setup').select('done_at').executeTakeFirst()
  if (isSetUp) throw new Failure('last_admin', 'This is the only admin: make somebody else an admin first.')
}
