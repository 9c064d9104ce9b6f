import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import { ada, createPeople, own, removePeople } from '../../../../test/support/signed-in.ts'

suite('the audit log', () => {
  let t: TestApp
  let people: ReturnType<typeof createPeople>
  before(async () => {
    t = await openTestApp()
    people = createPeople(t)
  })
  beforeEach(() => removePeople(t))
  const send: typeof people.send = (...request) => people.send(...request)
  const setUp = () => people.setUp()
  const join: typeof people.join = (...person) => people.join(...person)

  test('every change is in the audit record, with its fields and without values', async () => {
    const cookie = await setUp()
    await send(`/v1/projects/${t.project.id}`, { cookie, method: 'PATCH', json: { name: 'Renamed', branch: 'trunk' } })
    await send('/v1/keys', { cookie, json: { name: 'secret name', scope: 'read' } })
    await send('/v1/keys', { cookie, json: { name: '' } })
    const page = (await (await send('/v1/audit?limit=1', { cookie })).json()) as {
      entries: readonly Record<string, unknown>[]
      nextCursor: string
    }
    assert.deepEqual([page.entries[0]?.['action'], page.entries[0]?.['fields']], ['createKey', ['name', 'scope']])
    const next = (await (await send(`/v1/audit?cursor=${page.nextCursor}`, { cookie })).json()) as typeof page
    const [entry] = next.entries
    assert.deepEqual(
      [entry?.['action'], entry?.['subject'], entry?.['projectId'], entry?.['finished']],
      ['updateProject', t.project.id, t.project.id, true],
    )
    assert.deepEqual((entry?.['actor'] as { name: string } | undefined)?.name, ada.name)
    assert.ok(!JSON.stringify([page, next]).includes('secret name'))
    assert.deepEqual(
      next.entries.map(({ action }) => action),
      ['updateProject', 'setUp'],
    )
    assert.equal(next.nextCursor, null)
    const { person } = (await (await send('/v1/session', { cookie })).json()) as { person: { id: string } }
    const ofAda = (await (await send(`/v1/audit?actorId=${person.id}`, { cookie })).json()) as typeof page
    assert.equal(ofAda.entries.length, 3)
    const ofProject = (await (await send(`/v1/audit?projectId=${t.project.id}`, { cookie })).json()) as typeof page
    assert.equal(ofProject.entries.length, 1)
  })

  test('a change without an entry is not made, and one that is cut short has an entry', async () => {
    const headers = { ...own, Cookie: await setUp() }
    const create = async (failing: 'InsertQueryNode' | 'UpdateQueryNode') => {
      const db = t.db.withPlugin({
        transformQuery: ({ node }) => {
          if (node.kind === failing && JSON.stringify(node).includes('"name":"audit"')) throw new Error('disk full')
          return node
        },
        transformResult: async ({ result }) => result,
      })
      const { call } = await t.start({ projects: { ...t.deps.projects, db } })
      const before = (await t.db.selectFrom('keys').select('id').execute()).length
      const { status } = await call('/v1/keys', { key: null, headers, json: { name: 'x' } })
      return [status, (await t.db.selectFrom('keys').select('id').execute()).length - before]
    }
    assert.deepEqual(await create('InsertQueryNode'), [500, 0])
    assert.deepEqual(await create('UpdateQueryNode'), [201, 1])
    const { entries } = (await (await send('/v1/audit', { cookie: headers.Cookie })).json()) as {
      entries: readonly { action: string; finished: boolean }[]
    }
    assert.deepEqual(
      entries.map(({ action, finished }) => [action, finished]),
      [
        ['createKey', false],
        ['setUp', true],
      ],
    )
  })

  test('joining and changing a password are recorded, without the token of the link', async () => {
    const admin = await setUp()
    const cookie = await join(admin, 'viewer')
    const json = { currentPassword: 'four plain words together', password: 'another four plain words' }
    assert.equal((await send('/v1/session/password', { cookie, method: 'PUT', json })).status, 204)
    const text = await (await send('/v1/audit', { cookie: admin })).text()
    const { entries } = JSON.parse(text) as { entries: readonly { action: string; subject: string }[] }
    assert.deepEqual(
      entries.map(({ action, subject }) => [action, subject.slice(0, 4)]),
      [
        ['changePassword', 'per_'],
        ['acceptInvitation', 'per_'],
        ['createInvitation', 'inv_'],
        ['setUp', 'per_'],
      ],
    )
    assert.doesNotMatch(text, /[0-9A-Za-z]{43}|four plain/)
  })
})
