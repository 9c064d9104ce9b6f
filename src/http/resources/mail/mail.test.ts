import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import { createPeople, removePeople } from '../../../../test/support/signed-in.ts'

const path = '/v1/session/mail'

suite('the mail settings of a person', () => {
  let t: TestApp
  let people: ReturnType<typeof createPeople>
  before(async () => {
    t = await openTestApp()
    people = createPeople(t)
  })
  beforeEach(() => removePeople(t))

  test('each role chooses for itself, and is told what is missing', async () => {
    const admin = await people.setUp()
    const viewer = await people.join(admin, 'viewer')
    const nothing = {
      events: [],
      projectIds: null,
      problem: 'This service sends no mail: DOCENT_SMTP_URL is not set.',
      lastFailure: null,
    }
    assert.deepEqual(await (await people.send(path, { cookie: viewer })).json(), nothing)
    const json = { events: ['job.failed', 'job.failed'], projectIds: [t.project.id] }
    const put = await people.send(path, { cookie: viewer, method: 'PUT', json })
    const chosen = { ...nothing, events: ['job.failed'], projectIds: [t.project.id] }
    assert.deepEqual([put.status, await put.json()], [200, chosen])
    assert.deepEqual(await (await people.send(path, { cookie: viewer })).json(), chosen)
    assert.deepEqual(await (await people.send(path, { cookie: admin })).json(), nothing)
  })

  test('wrong choices, keys and pages from elsewhere are refused', async () => {
    const cookie = await people.setUp()
    for (const json of [
      { events: ['job.started'], projectIds: null },
      { events: [], projectIds: ['prj_1'] },
      { events: [], projectIds: ['prj_00000000000000000000'] },
      { events: [] },
      { events: [], projectIds: null, email: 'x@example.com' },
    ]) {
      await expectProblem(await people.send(path, { cookie, method: 'PUT', json }), 400, 'invalid_input')
    }
    const json = { events: [], projectIds: null }
    const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }
    await expectProblem(await people.send(path, { cookie, method: 'PUT', json }, foreign), 403, 'forbidden')
    await expectProblem(await t.call(path, { key: t.keys.admin }), 401, 'unauthenticated')
    await expectProblem(await t.call(path, { key: null }), 401, 'unauthenticated')
  })
})
