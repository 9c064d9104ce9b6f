// The first account. While nobody has one, every server prints a link with a token of its own; all are valid for an hour
// until one is used. A row says that it has happened, and stays when all people are removed.

import { Failure } from '../lib/failure.ts'
import { createToken } from '../lib/id.ts'
import { digestKey } from '../lib/key-text.ts'
import { isCurrent, secondsFromNow } from '../postgres/expiry.ts'
import type { Db } from '../postgres/types.ts'
import { type Origin, recordChange } from './audit.ts'
import { hashNew } from './password.ts'
import { addPerson, type NewPerson, type Person } from './people.ts'

const validSeconds = 3_600

/** May a setup link create the first account? People may have been invited before it is used. */
export async function isSetupOpen(db: Db): Promise<boolean> {
  return (await db.selectFrom('setup').select('done_at').executeTakeFirst()) === undefined
}

/** Is there nobody who could sign in, and a setup link that changes this? */
export async function isFirstAccountMissing(db: Db): Promise<boolean> {
  if (!(await isSetupOpen(db))) return false
  return (await db.selectFrom('people').select('id').limit(1).executeTakeFirst()) === undefined
}

/** Returns the link with a new token; undefined when there is an account. `publicUrl` has no trailing slash. */
export async function createSetupLink(db: Db, publicUrl: string): Promise<string | undefined> {
  const token = await createSetupToken(db)
  return token === undefined ? undefined : `${publicUrl}/setup#${token}`
}

/** Creates a token; undefined when there is an account. */
export async function createSetupToken(db: Db): Promise<string | undefined> {
  if (!(await isSetupOpen(db))) return undefined
  const token = createToken()
  await db
    .insertInto('setup_tokens')
    .values({ digest: digestKey(token), created_at: new Date(), expires_at: secondsFromNow(validSeconds) })
    .execute()
  return token
}

/**
 * Creates the first person, an admin. Throws `invalid_input` for a weak password, `person_exists` for the address of
 * somebody who was invited, and `setup_done` when there is an account already or the token is unknown or has expired: of
 * many requests at once, one succeeds.
 */
export async function setUp(db: Db, token: string, wanted: NewPerson & Origin): Promise<Person> {
  await refuseToken(db, token)
  const password = await hashNew(wanted.password, wanted)
  return db.transaction().execute(async (trx) => {
    await refuseToken(trx, token)
    const done = await trx
      .insertInto('setup')
      .values({ done_at: new Date() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('done_at')
      .executeTakeFirst()
    if (!done) throw noSetup()
    await trx.deleteFrom('setup_tokens').execute()
    const { email, name } = wanted
    const person = await addPerson(trx, { email, name, role: 'admin', password })
    const actor = { kind: 'setup', id: person.id, name } as const
    await recordChange(trx, { actor, address: wanted.address, action: 'setUp', subject: person.id })
    return person
  })
}

async function refuseToken(db: Db, token: string): Promise<void> {
  const found = await db
    .selectFrom('setup_tokens')
    .select('digest')
    .where('digest', '=', digestKey(token))
    .where(isCurrent)
    .executeTakeFirst()
  if (!found || !(await isSetupOpen(db))) throw noSetup()
}

/** The refusal of a link that creates nothing. */
export function noSetup(): Failure {
  return new Failure(
    'setup_done',
    'This link was used, or has expired. While there is no account, `docent setup-link` prints a new one.',
  )
}
