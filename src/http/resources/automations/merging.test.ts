import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import type { CheckedSource } from '../../../projects/sources/sources.ts'
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

  suite('and sources to which outsiders commit', () => {
    let sources: string
    before(() => {
      sources = `/v1/projects/${t.project.id}/sources`
    })
    beforeEach(async () => {
      for (const table of ['automations', 'sources'] as const) await t.db.deleteFrom(table).execute()
    })
    const add = (name: string, outsidersCommit?: boolean) =>
      send(sources, { name, repository: `https://github.com/acme/${name}.git`, outsidersCommit })
    const change = (name: string, json: object) => send(`${sources}/${name}`, json, 'PATCH')
    const create = (given: object) =>
      send(all, { name: 'Fix', trigger: { type: 'person' }, instructions: 'Fix it.', update: 'merge', ...given })
    const refusal = async (sent: Promise<Response>) => {
      const { details } = await expectProblem(await sent, 400, 'invalid_input')
      return `${details?.[0]?.pointer} ${details?.[0]?.message}`
    }
    const made = async (sent: Promise<Response>) => {
      const response = await sent
      assert.ok(response.ok, await response.clone().text())
      return (await response.json()) as ShownAutomation
    }
    const code = { trigger: { type: 'code', source: 'mirror', paths: [], when: 'merge' } }

    test('an automation that reads one cannot merge, by its sources or its trigger', async () => {
      await add('api')
      await add('mirror', true)
      const words =
        /^#\/update cannot be `merge`: the automation reads the source @mirror, which outsiders write.*leave it out/
      assert.match(await refusal(create({})), words)
      assert.match(await refusal(create({ sources: ['api', 'mirror'] })), words)
      assert.match(await refusal(create({ ...code, sources: [] })), words)
      const { id } = await made(create({ sources: ['api'] }))
      const one = `${all}/${id}`
      assert.match(await refusal(send(one, { sources: null }, 'PATCH')), words)
      assert.match(await refusal(send(one, code, 'PATCH')), words)
      await made(send(one, { ...code, update: 'pull_request' }, 'PATCH'))
      assert.match(await refusal(send(one, { update: 'merge' }, 'PATCH')), words)
      await change('mirror', { outsidersCommit: null })
      assert.equal((await made(send(one, { update: 'merge' }, 'PATCH'))).update, 'merge')
    })

    test('a source that an automation merges from cannot become one', async () => {
      await add('mirror')
      const { id } = await made(create({ ...code, sources: [] }))
      const words = /^#\/outsidersCommit cannot be true: the automation `Fix` reads the source and merges by itself\./
      assert.match(await refusal(change('mirror', { outsidersCommit: true })), words)
      assert.equal((await add('other', true)).status, 201, 'it does not read this one')
      await made(send(`${all}/${id}`, { trigger: { type: 'person' }, sources: ['mirror'] }, 'PATCH'))
      assert.match(await refusal(change('mirror', { outsidersCommit: true })), words)
      await t.db.deleteFrom('sources').where('name', '=', 'other').execute()
      await made(send(`${all}/${id}`, { sources: null }, 'PATCH'))
      assert.match(await refusal(add('new', true)), words)
      await made(send(`${all}/${id}`, { update: 'draft' }, 'PATCH'))
      const changed = (await (await change('mirror', { outsidersCommit: true })).json()) as CheckedSource
      assert.equal(changed.outsidersCommit, true)
      const kept = (await (await change('mirror', { branch: 'next' })).json()) as CheckedSource
      assert.equal(kept.outsidersCommit, true)
    })

    test('one that merges can always be paused', async () => {
      await add('mirror')
      const { id } = await made(create({}))
      // As another process would leave it: each of both was fine before the other.
      await t.db.updateTable('sources').set({ outsiders_commit: true }).execute()
      assert.equal((await made(send(`${all}/${id}`, { enabled: false }, 'PATCH'))).enabled, false)
      assert.match(await refusal(send(`${all}/${id}`, { enabled: true }, 'PATCH')), /^#\/update/)
    })
  })
})
