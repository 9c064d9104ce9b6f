import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import { createPeople, removePeople } from '../../../../test/support/signed-in.ts'
import { recordChange } from '../../../people/audit.ts'
import { acceptInvitation, invite } from '../../../people/invitations.ts'
import type { ListedPerson } from '../../../people/people.ts'
import type { Key, ShownKey } from '../../../projects/keys.ts'

type Left = { readonly keys: readonly Key[]; readonly withdrawnInvitations: readonly string[] }

suite('people over HTTP', () => {
  let t: TestApp
  let people: ReturnType<typeof createPeople>
  before(async () => {
    t = await openTestApp()
    people = createPeople(t)
  })
  beforeEach(() => removePeople(t))

  const listed = async (cookie: string) =>
    ((await (await people.send('/v1/people', { cookie })).json()) as { people: readonly ListedPerson[] }).people
  const idOf = async (cookie: string, role: string) => {
    const found = (await listed(cookie)).find((person) => person.role === role && person.name === role)
    return found?.id ?? ''
  }
  const make = async (path: string, cookie: string, json: object) => {
    const response = await people.send(path, { cookie, json })
    assert.equal(response.status, 201, await response.clone().text())
    return (await response.json()) as ShownKey & { readonly link: string }
  }
  const accept = (link: string) =>
    people.send(`/v1/invitations/${link.split('#')[1] ?? ''}/accept`, {
      json: { name: 'Back', password: 'four plain words together' },
    })
  /** An admin who is about to leave has two invitations, a key, one made with it, and one that is revoked. */
  const prepare = async () => {
    const ada = await people.setUp()
    const leaving = await people.join(ada, 'admin')
    const personId = await idOf(ada, 'admin')
    const { link } = await make('/v1/invitations', leaving, { email: 'back@example.com', role: 'admin' })
    const first = await make('/v1/keys', leaving, { name: 'first', scope: 'admin' })
    const second = await t.call('/v1/keys', { key: first.key, json: { name: 'second' } })
    const gone = await make('/v1/keys', leaving, { name: 'gone' })
    await people.send(`/v1/keys/${gone.id}`, { cookie: leaving, method: 'DELETE' })
    await t.call('/v1/invitations', { key: first.key, json: { email: 'also@example.com' } })
    const kept = await make('/v1/invitations', ada, { email: 'kept@example.com', role: 'editor' })
    await make('/v1/keys', ada, { name: 'of somebody else' })
    return { ada, personId, link, kept, ids: [first.id, ((await second.json()) as ShownKey).id] }
  }
  const checkLeft = ({ keys, withdrawnInvitations }: Left, ids: readonly string[]) => {
    assert.deepEqual(keys.map(({ id }) => id).toSorted(), ids.toSorted())
    assert.deepEqual(withdrawnInvitations, ['also@example.com', 'back@example.com'])
  }

  test('a removed admin does not come back by an invitation, and its keys are named', async () => {
    const { ada, personId, link, kept, ids } = await prepare()
    const removed = await people.send(`/v1/people/${personId}`, { cookie: ada, method: 'DELETE' })
    assert.equal(removed.status, 200)
    checkLeft((await removed.json()) as Left, ids)
    await expectProblem(await accept(link), 404, 'not_found')
    assert.equal((await accept(kept.link)).status, 201)
  })

  test('nor does a demoted one', async () => {
    const { ada, personId, link, ids } = await prepare()
    const demoted = await people.send(`/v1/people/${personId}`, {
      cookie: ada,
      method: 'PATCH',
      json: { role: 'editor' },
    })
    const body = (await demoted.json()) as Left & { readonly role: string }
    assert.equal(body.role, 'editor')
    checkLeft(body, ids)
    await expectProblem(await accept(link), 404, 'not_found')
    const again = await people.send(`/v1/people/${personId}`, {
      cookie: ada,
      method: 'PATCH',
      json: { role: 'viewer' },
    })
    assert.deepEqual(((await again.json()) as Left).keys, [])
  })

  test('a person who made nothing leaves without a body', async () => {
    const ada = await people.setUp()
    await people.join(ada, 'viewer')
    const response = await people.send(`/v1/people/${await idOf(ada, 'viewer')}`, { cookie: ada, method: 'DELETE' })
    assert.deepEqual([response.status, await response.text()], [204, ''])
  })

  test('an admin whom a limited key invited is marked until the role is given again', async () => {
    const ada = await people.setUp()
    // As an earlier release did it.
    const key = await make('/v1/keys', ada, { name: 'CI', scope: 'admin', projectIds: [t.project.id] })
    const { id, token } = await invite(t.db, { email: 'x@example.com', role: 'admin', invitedBy: 'CI' })
    const actor = { kind: 'key', id: key.id, name: 'CI' } as const
    await recordChange(t.db, { actor, address: undefined, action: 'createInvitation', subject: id })
    const password = 'four plain words together'
    const person = await acceptInvitation(t.db, { token, name: 'X', password, address: undefined })
    const marked = async () =>
      (await listed(ada)).flatMap(({ id, limitedKey }) => (limitedKey === null ? [] : [[id, limitedKey]]))
    assert.deepEqual(await marked(), [[person.id, { id: key.id, name: 'CI' }]])
    const confirm = { cookie: ada, method: 'PATCH', json: { role: 'admin' } }
    assert.equal((await people.send(`/v1/people/${person.id}`, confirm)).status, 200)
    assert.deepEqual(await marked(), [])
  })
})
