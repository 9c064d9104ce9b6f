// The first account. While nobody has one, every server prints a link with a token of its own; all are valid for an hour
// until one is used. A row says that it has happened, and stays when all people are removed.

import { Failure } from '../lib/failure.ts'
import { createId, createToken } from '../lib/id.ts'
import { digestKey } from '../lib/key-text.ts'
import { isCurrent, secondsFromNow } from '../postgres/expiry.ts'
import type { Db } from '../postgres/types.ts'
import { type Origin, recordChange } from './audit.ts'
import { checkPassword, hashPassword } from './password.ts'
import { type NewPerson, type Person, toPerson } from './people.ts'

const validSeconds = 3_600

/** Is there no account yet? */
export async function isSetupOpen(db: Db): Promise<boolean> {
  return (await db.selectFrom('setup').select('done_at').executeTakeFirst()) === undefined
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
 * Creates the first person, an admin. Throws `invalid_input` for a weak password, and `setup_done` when there is an
 * account already or the token is unknown or has expired: of many requests at once, one succeeds.
 */
export async function setUp(db: Db, token: string, wanted: NewPerson & Origin): Promise<Person> {
  await refuseToken(db, token)
  checkPassword(wanted.password, wanted)
  const password = await hashPassword(wanted.password)
  return db.transaction().execute(async (trx) => {
    await refuseToken(trx, token)
    const now = new Date()
    const done = await trx
      .insertInto('setup')
      .values({ done_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('done_at')
      .executeTakeFirst()
    if (!done) throw noSetup()
    await trx.deleteFrom('setup_tokens').execute()
    const { email, name } = wanted
    const person = { id: createId('per'), email, name, role: 'admin', password, created_at: now } as const
    const row = await trx
      .insertInto('people')
      .values({ ...person, updated_at: now, last_seen_at: now })
      .returningAll()
      .executeTakeFirstOrThrow()
    const actor = { kind: 'setup', id: row.id, name } as const
    await recordChange(trx, { actor, address: wanted.address, action: 'setUp', subject: row.id })
    return toPerson(row)
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
