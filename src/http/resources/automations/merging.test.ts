import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import type { ShownAutomation } from './schemas.ts'

suite('automations that merge, over HTTP', () => {
  let t: TestApp
  let all: string
  before(async () => {
    t = await openTestApp()
    all = `/v1/projects/${t.project.id}/automations`
  })
  const send = (path: string, json: unknown, method = 'POST') => t.call(path, { key: t.keys.admin, method, json })

  test('one that reads what outsiders write cannot merge, whichever of both comes first', async () => {
    const fields = { name: 'Release', trigger: { type: 'event' }, instructions: 'Name the version.' }
    const refused = await expectProblem(await send(all, { ...fields, update: 'merge' }), 400, 'invalid_input')
    const words = /^cannot be `merge`: the automation reads the payloads of events, which outsiders write/
    assert.match(refused.details?.[0]?.message ?? '', words)
    assert.equal(refused.details?.[0]?.pointer, '#/update')
    const { id } = (await (await send(all, fields)).json()) as ShownAutomation
    await expectProblem(await send(`${all}/${id}`, { update: 'merge' }, 'PATCH'), 400, 'invalid_input')
    const byPeople = { update: 'merge', trigger: { type: 'person' }, mergeWithoutChecks: true }
    const changed = (await (await send(`${all}/${id}`, byPeople, 'PATCH')).json()) as ShownAutomation
    assert.deepEqual([changed.update, changed.mergeWithoutChecks], ['merge', true])
    await expectProblem(await send(`${all}/${id}`, { trigger: { type: 'event' } }, 'PATCH'), 400, 'invalid_input')
    // Both at once are fine.
    const back = { trigger: { type: 'event' }, update: null, mergeWithoutChecks: null }
    const again = (await (await send(`${all}/${id}`, back, 'PATCH')).json()) as ShownAutomation
    assert.deepEqual([again.update, again.mergeWithoutChecks], ['pull_request', false])
  })
})
