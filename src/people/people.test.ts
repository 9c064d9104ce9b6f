import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { Failure, type FailureCode } from '../lib/failure.ts'
import type { Db, Postgres } from '../postgres/types.ts'
import { countAttempt } from '../requests/rate-limits.ts'
import { openTestDatabase } from '../../test/support/engine.ts'
import { sweepExpired } from '../postgres/expiry.ts'
import { acceptInvitation, invite, listInvitations, readInvitation, withdrawInvitation } from './invitations.ts'
import { createSignInLink } from './links.ts'
import { changePassword, changeRole, listPeople, type Person, removePerson } from './people.ts'
import { createSessionRecognition, endSession, startSession } from './sessions.ts'
import { createSetupToken, isFirstAccountMissing, isSetupOpen, setUp } from './setup.ts'
import { signIn } from './sign-in.ts'

let postgres: Postgres
let db: Db

const address = '192.0.2.9'
const ada = { email: 'ada@example.com', name: 'Ada', password: 'words enough for a test', address }

before(async () => {
  postgres = await openTestDatabase()
  db = postgres.db
})
after(() => postgres.close())
beforeEach(async () => {
  for (const table of ['people', 'setup', 'setup_tokens', 'invitations', 'rate_limits'] as const)
    await db.deleteFrom(table).execute()
})

function refusal(code: FailureCode) {
  return (error: unknown) => error instanceof Failure && error.code === code
}

/** The subject under which `signIn` counts. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

async function first(): Promise<Person> {
  return setUp(db, (await createSetupToken(db)) ?? '', ada)
}

async function invited(email: string, role: 'admin' | 'editor' | 'viewer' = 'editor'): Promise<Person> {
  const { token } = await invite(db, { email, role, invitedBy: 'Ada' })
  return acceptInvitation(db, { token, name: email, password: 'words enough for a test', address })
}

test('when twenty setups run at once, with two tokens, one creates the admin', async () => {
  const tokens = [await createSetupToken(db), await createSetupToken(db)]
  const attempts = Array.from({ length: 20 }, (_, n) =>
    setUp(db, tokens[n % 2] ?? '', { ...ada, email: `ada${n}@example.com` }),
  )
  const results = await Promise.allSettled(attempts)
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of results) if (result.status === 'rejected') assert.ok(refusal('setup_done')(result.reason))
  const people = await listPeople(db)
  assert.deepEqual([people.length, people[0]?.role], [1, 'admin'])
  assert.equal(await isSetupOpen(db), false)
  assert.equal(await createSetupToken(db), undefined)
})

test('an account is missing until somebody is invited or the link is used', async () => {
  assert.equal(await isFirstAccountMissing(db), true)
  const { token } = await invite(db, { email: 'bob@example.com', role: 'viewer', invitedBy: 'Ada' })
  assert.equal(await isFirstAccountMissing(db), true)
  await acceptInvitation(db, { token, name: 'Bob', password: 'words enough for a test', address })
  assert.equal(await isFirstAccountMissing(db), false)
  await first()
  await db.deleteFrom('people').execute()
  assert.equal(await isFirstAccountMissing(db), false)
})

test('setup stays closed when all accounts are gone, and needs a token that is valid', async () => {
  await assert.rejects(setUp(db, 'guessed', ada), refusal('setup_done'))
  const token = (await createSetupToken(db)) ?? ''
  await db
    .updateTable('setup_tokens')
    .set({ expires_at: new Date(Date.now() - 1) } as never)
    .execute()
  await assert.rejects(setUp(db, token, ada), refusal('setup_done'))
  const another = (await createSetupToken(db)) ?? ''
  await invited(ada.email)
  assert.deepEqual([await isFirstAccountMissing(db), await isSetupOpen(db)], [false, true])
  await assert.rejects(setUp(db, another, ada), refusal('person_exists'))
  await db.deleteFrom('people').execute()
  await first()
  await db.deleteFrom('people').execute()
  assert.equal(await createSetupToken(db), undefined)
})

test('signing in needs the right password, in any case of the address', async () => {
  const { id } = await first()
  const attempt = { email: 'ADA@example.com', password: ada.password, address: '192.0.2.1' }
  assert.equal((await signIn(db, attempt)).id, id)
  const wrong = await signIn(db, { ...attempt, password: 'wrong' }).catch((error: unknown) => error)
  const unknown = await signIn(db, { ...attempt, email: 'bob@example.com' }).catch((error: unknown) => error)
  assert.ok(refusal('sign_in_refused')(wrong))
  assert.equal((unknown as Error).message, (wrong as Error).message)
})

test('the eleventh wrong password from an address waits; other addresses do not', async () => {
  await first()
  const attempt = { email: ada.email, password: 'wrong', address: '192.0.2.1' }
  for (let n = 0; n < 10; n += 1) await assert.rejects(signIn(db, attempt), refusal('sign_in_refused'))
  await assert.rejects(signIn(db, { ...attempt, password: ada.password }), refusal('too_many_attempts'))
  await signIn(db, { ...attempt, password: ada.password, address: '192.0.2.2' })
})

test('the right password forgives earlier attempts', async () => {
  await first()
  const attempt = { email: ada.email, address: '192.0.2.1' }
  for (let n = 0; n < 2; n += 1) {
    for (let wrong = 0; wrong < 6; wrong += 1)
      await assert.rejects(signIn(db, { ...attempt, password: 'wrong' }), refusal('sign_in_refused'))
    await signIn(db, { ...attempt, password: ada.password })
  }
})

test('an own account buys no attempts on others, and a /64 has one count', async () => {
  await first()
  const from = (address: string) => signIn(db, { email: ada.email, password: ada.password, address })
  const limit = { name: 'sign-in-address', quota: 50, windowSeconds: 900 }
  for (let n = 0; n < 49; n += 1) await countAttempt(db, limit, digest('2001:db8:0:7::/64'))
  await from('2001:db8:0:7::a')
  await from('2001:db8:0:7::b')
  const guess = { email: 'bob@example.com', password: 'wrong', address: '2001:db8:0:7::c' }
  await assert.rejects(signIn(db, guess), refusal('sign_in_refused'))
  await assert.rejects(from('2001:db8:0:7:ffff::d'), refusal('too_many_attempts'))
  await from('2001:db8:0:8::1')
})

test('an account waits after 200 attempts from anywhere', async () => {
  await first()
  const limit = { name: 'sign-in-account', quota: 200, windowSeconds: 900 }
  for (let n = 0; n < 199; n += 1) await countAttempt(db, limit, digest(ada.email))
  const attempt = (n: number) => signIn(db, { email: ada.email, password: 'wrong', address: `192.0.2.${n}` })
  await assert.rejects(attempt(1), refusal('sign_in_refused'))
  await assert.rejects(attempt(2), refusal('too_many_attempts'))
})

test('a session is found by its token until it ends or expires', async () => {
  const { id } = await first()
  const recognise = createSessionRecognition(db)
  const { token, expiresAt } = await startSession(db, id, 'Browser/1.0')
  const session = await recognise(token)
  assert.deepEqual([session?.personId, session?.role], [id, 'admin'])
  assert.ok(expiresAt > new Date(Date.now() + 29 * 86_400_000))
  assert.equal(await recognise('unknown'), undefined)
  await endSession(db, session?.id ?? '')
  assert.equal(await recognise(token), undefined)
  const second = await startSession(db, id, 'Browser/1.0')
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1) } as never)
    .execute()
  assert.equal(await recognise(second.token), undefined)
})

test('expired sessions, links and setup tokens are deleted by the sweep alone', async () => {
  await createSetupToken(db)
  const setupToken = await createSetupToken(db)
  const { id } = await invited(ada.email)
  await startSession(db, id, 'old')
  await createSignInLink(db, ada.email, 'sign_in')
  const tables = ['sessions', 'setup_tokens', 'sign_in_links'] as const
  for (const table of tables)
    await sql`update ${sql.table(table)} set expires_at = now() - interval '1 minute'`.execute(db)
  const { token } = await startSession(db, id, 'new')
  await createSetupToken(db)
  const count = async () => {
    const rows = await Promise.all(tables.map((table) => db.selectFrom(table).select('digest').execute()))
    return rows.map(({ length }) => length)
  }
  assert.deepEqual(await count(), [2, 3, 1])
  await assert.rejects(setUp(db, setupToken ?? '', ada), refusal('setup_done'))
  await sweepExpired(db, new Date(Date.now() - 3_600_000))
  assert.deepEqual(await count(), [2, 3, 1], 'by the time that it is given, they work')
  await sweepExpired(db, new Date())
  assert.deepEqual(await count(), [1, 1, 0])
  assert.ok(await createSessionRecognition(db)(token))
})

test('a password change ends all sessions, and attempts at the current one are limited', async () => {
  const { id: personId } = await first()
  const recognise = createSessionRecognition(db)
  const { token } = await startSession(db, personId, 'A')
  const change = { personId, current: ada.password, password: 'another set of words', address }
  await assert.rejects(changePassword(db, { ...change, current: 'wrong' }), refusal('invalid_input'))
  await assert.rejects(changePassword(db, { ...change, password: 'short' }), refusal('invalid_input'))
  assert.ok(await recognise(token))
  await changePassword(db, change)
  assert.equal(await recognise(token), undefined)
  await signIn(db, { email: ada.email, password: change.password, address: undefined })
  await assert.rejects(changePassword(db, change), refusal('invalid_input'))
  for (let n = 0; n < 9; n += 1)
    await countAttempt(db, { name: 'password-change', quota: 10, windowSeconds: 900 }, personId)
  const right = { ...change, current: change.password }
  await assert.rejects(changePassword(db, right), refusal('too_many_attempts'))
})

test('a change of role and a removal end sessions', async () => {
  await first()
  const bob = await invited('bob@example.com')
  const recognise = createSessionRecognition(db)
  const { token } = await startSession(db, bob.id, 'B')
  assert.equal((await changeRole(db, bob.id, 'viewer')).role, 'viewer')
  assert.equal(await recognise(token), undefined)
  const again = await startSession(db, bob.id, 'B')
  await removePerson(db, bob.id)
  assert.equal(await recognise(again.token), undefined)
  await assert.rejects(removePerson(db, bob.id), refusal('not_found'))
})

test('there is always an admin, also when two remove each other at once', async () => {
  const one = await first()
  await assert.rejects(changeRole(db, one.id, 'editor'), refusal('last_admin'))
  await assert.rejects(removePerson(db, one.id), refusal('last_admin'))
  const two = await invited('two@example.com', 'admin')
  await Promise.allSettled([removePerson(db, one.id), changeRole(db, two.id, 'viewer')])
  assert.equal((await listPeople(db)).filter(({ role }) => role === 'admin').length, 1)
})

test('an invitation is accepted once, and the newest of an address counts', async () => {
  await first()
  const old = await invite(db, { email: 'bob@example.com', role: 'viewer', invitedBy: 'Ada' })
  const { token } = await invite(db, { email: 'Bob@example.com', role: 'editor', invitedBy: 'Ada' })
  assert.equal((await listInvitations(db)).length, 1)
  assert.equal((await readInvitation(db, token)).role, 'editor')
  const acceptance = { token, name: 'Bob', password: 'words enough for a test', address }
  await assert.rejects(acceptInvitation(db, { ...acceptance, token: old.token }), refusal('not_found'))
  const results = await Promise.allSettled([acceptInvitation(db, acceptance), acceptInvitation(db, acceptance)])
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  await assert.rejects(
    invite(db, { email: 'BOB@example.com', role: 'viewer', invitedBy: 'Ada' }),
    refusal('person_exists'),
  )
  const { id } = await invite(db, { email: 'eve@example.com', role: 'viewer', invitedBy: 'Ada' })
  await withdrawInvitation(db, id)
  await assert.rejects(withdrawInvitation(db, id), refusal('not_found'))
})

test('an expired invitation is listed and renewed; nobody joins twice', async () => {
  await first()
  const old = await invite(db, { email: 'bob@example.com', role: 'viewer', invitedBy: 'Ada' })
  await db
    .updateTable('invitations')
    .set({ expires_at: new Date(Date.now() - 1) })
    .execute()
  const acceptance = { name: 'Bob', password: 'words enough for a test', address }
  await assert.rejects(acceptInvitation(db, { ...acceptance, token: old.token }), refusal('not_found'))
  assert.deepEqual(
    (await listInvitations(db)).map(({ id }) => id),
    [old.id],
  )
  const { id, token } = await invite(db, { email: 'bob@example.com', role: 'viewer', invitedBy: 'Ada' })
  assert.equal(id, old.id)
  await db.updateTable('people').set({ email: 'bob@example.com' }).execute()
  await assert.rejects(acceptInvitation(db, { ...acceptance, token }), refusal('person_exists'))
  await db.updateTable('people').set({ email: ada.email }).execute()
  await acceptInvitation(db, { ...acceptance, token })
})
