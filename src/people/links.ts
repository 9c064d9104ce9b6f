// Links that sign one person in, once, within an hour: the operator creates them on the machine of the service, for a lost
// password and at the end of the demo.

import { Failure } from '../lib/failure.ts'
import { createToken } from '../lib/id.ts'
import { digestKey } from '../lib/key-text.ts'
import { isCurrent, secondsFromNow } from '../postgres/expiry.ts'
import type { Db } from '../postgres/types.ts'
import { type Origin, recordChange } from './audit.ts'
import { hashNew } from './password.ts'
import { findByEmail, type Person, setPassword, toPerson } from './people.ts'

const validSeconds = 3_600

/** `password`: the person chooses a new password first. */
export const signInPurposes = ['sign_in', 'password'] as const
export type SignInPurpose = (typeof signInPurposes)[number]

/** Replaces earlier links of the person. Throws `not_found`. */
export async function createSignInLink(db: Db, email: string, purpose: SignInPurpose) {
  const person = await findByEmail(db, email)
  if (!person) throw new Failure('not_found', 'Nobody has an account with this e-mail address.')
  const token = createToken()
  const row = { person_id: person.id, purpose, created_at: new Date(), expires_at: secondsFromNow(validSeconds) }
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('sign_in_links').where('person_id', '=', person.id).execute()
    await trx
      .insertInto('sign_in_links')
      .values({ digest: digestKey(token), ...row })
      .execute()
  })
  return { token, personId: person.id }
}

type Use = Origin & { readonly token: string; readonly password?: string | undefined }

/**
 * Uses the link up and returns its person. A link for a new password needs one, sets it, and ends the sessions of the
 * person; a refused password leaves the link as it is. Throws `not_found` and `invalid_input`.
 */
export async function takeSignInLink(db: Db, { token, password, address }: Use): Promise<Person> {
  const { purpose, ...person } = await find(db, token)
  const hash = purpose === 'password' ? await hashNew(password ?? '', person) : undefined
  return db.transaction().execute(async (trx) => {
    const taken = await trx.deleteFrom('sign_in_links').where('digest', '=', digestKey(token)).executeTakeFirst()
    if (taken.numDeletedRows === 0n) throw noLink()
    if (hash !== undefined) await setPassword(trx, person.id, hash)
    const actor = { kind: 'person', id: person.id, name: person.name } as const
    await recordChange(trx, { actor, address, action: 'signInByLink', subject: person.id })
    return toPerson(person)
  })
}

async function find(db: Db, token: string) {
  const found = await db
    .selectFrom('sign_in_links')
    .innerJoin('people', 'people.id', 'sign_in_links.person_id')
    .selectAll('people')
    .select('purpose')
    .where('digest', '=', digestKey(token))
    .where(isCurrent)
    .executeTakeFirst()
  if (!found) throw noLink()
  return found
}

function noLink(): Failure {
  return new Failure('not_found', 'This link was used, or has expired. `docent person reset EMAIL` prints a new one.')
}
