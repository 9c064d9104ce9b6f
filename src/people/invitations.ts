// Invitations: an admin creates a link and sends it; who opens it within seven days chooses a name and a password. The
// service sends no mail.

import { sql } from 'kysely'
import { Failure } from '../lib/failure.ts'
import { createId, createToken } from '../lib/id.ts'
import { digestKey } from '../lib/key-text.ts'
import { isCurrent, secondsFromNow } from '../postgres/expiry.ts'
import type { InvitationRow } from '../postgres/schema/people.ts'
import type { Db } from '../postgres/types.ts'
import { type Origin, recordChange } from './audit.ts'
import { hashNew } from './password.ts'
import { addPerson, findByEmail, type Person, personExists } from './people.ts'
import type { Role } from './roles.ts'

const validSeconds = 7 * 86_400

export type Invitation = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly invitedBy: string
  readonly createdAt: string
  readonly expiresAt: string
}

/** The token is shown once. */
export type ShownInvitation = Invitation & { readonly token: string }

type NewInvitation = { readonly email: string; readonly role: Role; readonly invitedBy: string }

/** Invites somebody; a second invitation of an address replaces the first. Throws `person_exists`. */
export async function invite(db: Db, { email, role, invitedBy }: NewInvitation): Promise<ShownInvitation> {
  if (await findByEmail(db, email)) throw personExists(email)
  const token = createToken()
  const row = {
    digest: digestKey(token),
    role,
    invited_by: invitedBy,
    created_at: new Date(),
    expires_at: secondsFromNow(validSeconds),
  }
  const stored = await db
    .insertInto('invitations')
    .values({ id: createId('inv'), email, ...row })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...toInvitation(stored), token }
}

/** Lists those that were not accepted, the newest first: an expired one can be renewed by inviting again. */
export async function listInvitations(db: Db): Promise<readonly Invitation[]> {
  const rows = await db.selectFrom('invitations').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()
  return rows.map(toInvitation)
}

/** Throws `not_found`. */
export async function withdrawInvitation(db: Db, id: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('invitations').where('id', '=', id).executeTakeFirst()
  if (numDeletedRows === 0n) throw new Failure('not_found', 'There is no such invitation.')
}

/** Shows who was invited, before it is accepted. Throws `not_found` for a token that is unknown, used or expired. */
export async function readInvitation(db: Db, token: string): Promise<Invitation> {
  return toInvitation(await find(db, token))
}

type Acceptance = Origin & { readonly token: string; readonly name: string; readonly password: string }

/**
 * Creates the account, once. Throws `not_found` for the token, `invalid_input` for a weak password, and `person_exists`
 * when the address got an account after the invitation.
 */
export async function acceptInvitation(db: Db, { token, name, password, address }: Acceptance): Promise<Person> {
  const { email } = await find(db, token)
  const hash = await hashNew(password, { email, name })
  return db.transaction().execute(async (trx) => {
    const taken = await trx
      .deleteFrom('invitations')
      .where('digest', '=', digestKey(token))
      .where(isCurrent)
      .returningAll()
      .executeTakeFirst()
    if (!taken) throw noInvitation()
    const person = await addPerson(trx, { email: taken.email, name, role: taken.role, password: hash })
    const actor = { kind: 'invitation', id: taken.id, name } as const
    await recordChange(trx, { actor, address, action: 'acceptInvitation', subject: person.id })
    return person
  })
}

async function find(db: Db, token: string): Promise<InvitationRow> {
  const found = await db
    .selectFrom('invitations')
    .selectAll()
    .where('digest', '=', digestKey(token))
    .where(isCurrent)
    .executeTakeFirst()
  if (!found) throw noInvitation()
  return found
}

function noInvitation(): Failure {
  return new Failure('not_found', 'This invitation was used or withdrawn, or has expired. Ask for a new one.')
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invitedBy: row.invited_by,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}
