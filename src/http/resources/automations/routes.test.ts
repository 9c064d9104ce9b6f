import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { completeJob } from '../../../../test/support/database.ts'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import type { AutomationRun } from '../../../automations/runs/run.ts'
import { createKey, operator } from '../../../projects/keys.ts'
import type { ShownAutomation } from './schemas.ts'

const schedule = { type: 'schedule', cron: '0 3 * * 1', timeZone: null }
const usual = { name: 'Fix links', trigger: schedule, instructions: 'Fix the links.' }

suite('automations over HTTP', () => {
  let t: TestApp
  let all: string
  before(async () => {
    t = await openTestApp()
    all = `/v1/projects/${t.project.id}/automations`
  })
  beforeEach(async () => {
    await t.db.deleteFrom('automations').execute()
    await t.db.deleteFrom('jobs').execute()
    await t.db.updateTable('projects').set({ automation_caps: '{}' }).execute()
  })

  const admin = () => ({ key: t.keys.admin })
  const post = (json: unknown, key = t.keys.admin) => t.call(all, { key, json })
  async function create(json: object = {}): Promise<ShownAutomation> {
    const response = await post({ ...usual, ...json })
    const text = await response.text()
    assert.equal(response.status, 201, text)
    return JSON.parse(text) as ShownAutomation
  }
  const patch = (id: string, json: unknown, key = t.keys.admin) =>
    t.call(`${all}/${id}`, { key, method: 'PATCH', json })
  const get = async (id: string) => (await (await t.call(`${all}/${id}`)).json()) as ShownAutomation
  async function run(id: string, headers: Record<string, string> = {}): Promise<AutomationRun> {
    const response = await t.call(`${all}/${id}/run`, { method: 'POST', headers })
    const text = await response.text()
    assert.equal(response.status, 202, text)
    return JSON.parse(text) as AutomationRun
  }

  test('an automation is created, listed, changed, paused, resumed and deleted', async () => {
    const made = await create()
    const { id, nextRunAt, createdAt, updatedAt, ...rest } = made
    assert.deepEqual(rest, {
      ...usual,
      kind: 'custom',
      options: {},
      sources: null,
      scope: [],
      model: null,
      budgets: { turns: null, tokens: null, seconds: null, changedFiles: null, changedBytes: null, costUsd: null },
      update: 'pull_request',
      mergeWithoutChecks: false,
      grouping: 'each',
      caps: { runsPerDay: null, costUsdPerDay: null },
      enabled: true,
      pausedBecause: null,
      eventAddress: null,
      secret: null,
      position: null,
      endsAt: null,
      heldBack: null,
      lastRun: null,
    })
    const next = new Date(nextRunAt ?? '')
    assert.deepEqual([next.getUTCDay(), next.getUTCHours(), next.getUTCMinutes() < 5], [1, 3, true])
    assert.deepEqual([await get(id), createdAt], [made, updatedAt])
    assert.deepEqual(await (await t.call(all)).json(), { automations: [made] })

    const choice = { update: 'draft', grouping: 'one' }
    const json = { budgets: { turns: 9, costUsd: 0.5 }, caps: { runsPerDay: 2 }, scope: ['docs/'], ...choice }
    const changed = (await (await patch(id, json)).json()) as ShownAutomation
    assert.deepEqual([changed.budgets.turns, changed.budgets.costUsd, changed.budgets.tokens], [9, 0.5, null])
    const shown = [changed.caps.runsPerDay, changed.scope, changed.update, changed.grouping]
    assert.deepEqual(shown, [2, ['docs/'], 'draft', 'one'])
    assert.equal(changed.nextRunAt, nextRunAt)
    const defaults = { budgets: { turns: null }, scope: null, update: null, grouping: null }
    const back = (await (await patch(id, defaults)).json()) as ShownAutomation
    assert.deepEqual([back.budgets.turns, back.budgets.costUsd, back.scope], [null, 0.5, []])
    assert.deepEqual([back.update, back.grouping], ['pull_request', 'each'])

    const paused = (await (await patch(id, { enabled: false })).json()) as ShownAutomation
    assert.deepEqual([paused.enabled, paused.nextRunAt], [false, null])
    await expectProblem(await t.call(`${all}/${id}/run`, { method: 'POST' }), 409, 'automation_paused')
    const resumed = (await (await patch(id, { enabled: true })).json()) as ShownAutomation
    assert.equal(resumed.nextRunAt, nextRunAt)
    const byPerson = (await (await patch(id, { trigger: { type: 'person' } })).json()) as ShownAutomation
    assert.deepEqual([byPerson.trigger, byPerson.nextRunAt], [{ type: 'person' }, null])

    assert.equal((await t.call(`${all}/${id}`, { ...admin(), method: 'DELETE' })).status, 204)
    await expectProblem(await t.call(`${all}/${id}`), 404, 'not_found')
    await expectProblem(await t.call(`${all}/${id}/run`, { method: 'POST' }), 404, 'not_found')
  })

  test('an automation that cannot be is refused by the name of its field', async () => {
    const { id } = await create()
    const table: [Record<string, unknown>, string, RegExp?][] = [
      [{ instructions: ' ' }, '#/instructions'],
      [{ trigger: { type: 'code', source: 'api' } }, '#/trigger/source', /which has no source/],
      [{ trigger: { type: 'code', when: 'daily' } }, '#/trigger/when', /five fields.*or `merge`/],
      [{ trigger: { type: 'docs', paths: [''] } }, '#/trigger/paths/0'],
      [{ trigger: { type: 'tag' } }, '#/trigger/type', /must be one of schedule, docs, code, event, person$/],
      [{ trigger: { type: 'schedule' } }, '#/trigger/cron', /is missing/],
      [{ trigger: { type: 'person', cron: '0 3 * * *' } }, '#/trigger', /unknown field/],
      [{ trigger: { ...schedule, cron: '*/5 * * * *' } }, '#/trigger/cron', /at least 15 minutes/],
      [{ trigger: { ...schedule, cron: '@daily' } }, '#/trigger/cron', /five fields/],
      [{ trigger: { ...schedule, timeZone: 'Mars/Base' } }, '#/trigger/timeZone', /time zone/],
      [{ update: 'push' }, '#/update', /must be one of pull_request, draft, merge/],
      [{ grouping: 'some' }, '#/grouping', /must be one of one, each/],
      [{ sources: ['api'] }, '#/sources/0', /which has no source/],
      [{ scope: ['docs/', ''] }, '#/scope/1'],
      [{ model: 'gone/model' }, '#/model', /must be a model that the project allows/],
      [{ budgets: { turns: 0 } }, '#/budgets/turns'],
      [{ budgets: { minutes: 5 } }, '#/budgets', /unknown field/],
      [{ caps: { runsPerDay: 1.5 } }, '#/caps/runsPerDay'],
      [{ caps: { runs: 5 } }, '#/caps', /unknown field/],
      [{ endsAt: '2020-01-01T00:00:00Z' }, '#/endsAt', /in the future/],
      [{ nextRunAt: null }, '#', /unknown field/],
    ]
    for (const [json, pointer, words] of table) {
      for (const response of [await post({ ...usual, name: 'Other', ...json }), await patch(id, json)]) {
        const problem = await expectProblem(response, 400, 'invalid_input')
        assert.equal(problem.details?.[0]?.pointer, pointer, JSON.stringify(json))
        if (words) assert.match(problem.details?.[0]?.message ?? '', words)
      }
    }
    await expectProblem(await post(usual), 409, 'automation_exists')
    const other = await create({ name: 'Other' })
    await expectProblem(await patch(other.id, { name: usual.name }), 409, 'automation_exists')
    assert.equal((await patch(other.id, { name: 'Other' })).status, 200)
    await t.db.deleteFrom('automations').where('id', '=', other.id).execute()
    for (let at = 1; at < 100; at += 1) await create({ name: `a${at}` })
    await expectProblem(await post({ ...usual, name: 'one more' }), 409, 'too_many_automations')
  })

  test('a run by a person is a job, and says how it is until it is merged', async () => {
    const { id } = await create({ trigger: { type: 'person' } })
    const first = await run(id)
    assert.deepEqual([first.status, first.trigger, first.reason], ['queued', { type: 'person', name: 'write' }, null])
    const job = (await (await t.call(`/v2/agent/${t.project.id}/job/${first.jobId}`)).json()) as { origin: unknown }
    assert.deepEqual(job.origin, {
      kind: 'automation',
      name: usual.name,
      link: null,
      automationId: id,
      runId: first.id,
    })
    const second = await run(id)
    assert.deepEqual([second.status, second.jobId, second.usage, second.endedAt], ['queued', null, null, null])
    await completeJob(t.db, first.jobId ?? '')
    const { runs } = (await (await t.call(`${all}/${id}/runs`)).json()) as { runs: AutomationRun[] }
    assert.deepEqual(
      runs.map(({ id, status, reason }) => [id, status, reason]),
      [
        [second.id, 'queued', null],
        [first.id, 'nothing_to_do', 'All is well.'],
      ],
    )
    assert.ok(runs[1]?.endedAt)
    assert.deepEqual((await get(id)).lastRun, runs[0])
    const pages: string[] = []
    for (let cursor = ''; ;) {
      const page = (await (await t.call(`${all}/${id}/runs?limit=1${cursor}`)).json()) as {
        runs: AutomationRun[]
        nextCursor: string | null
      }
      pages.push(...page.runs.map((one) => one.id))
      if (page.nextCursor === null) break
      cursor = `&cursor=${page.nextCursor}`
    }
    assert.deepEqual(pages, [second.id, first.id])
    await expectProblem(await t.call(`${all}/${id}/runs?cursor=x`), 400, 'invalid_input')
  })

  test('an idempotency key starts one run, and runs count as new jobs of the hour', async () => {
    const { id } = await create({ trigger: { type: 'person' } })
    const key = { 'Idempotency-Key': 'once' }
    const made = await run(id, key)
    assert.deepEqual(await run(id, key), made)
    const { runs } = (await (await t.call(`${all}/${id}/runs`)).json()) as { runs: unknown[] }
    assert.equal(runs.length, 1)
    await completeJob(t.db, made.jobId ?? '')
    const { call } = await t.start({ limits: { ...t.deps.limits, createsPerHour: 1 } })
    await expectProblem(await call(`${all}/${id}/run`, { method: 'POST' }), 429, 'rate_limited')
    assert.equal((await t.db.selectFrom('jobs').select('id').execute()).length, 1)
  })

  test('a run beyond the cap of the project is capped with the reason', async () => {
    const json = { automationCaps: { runsPerDay: 1 } }
    assert.equal((await t.call(`/v1/projects/${t.project.id}`, { ...admin(), method: 'PATCH', json })).status, 200)
    const [one, other] = [await create(), await create({ name: 'Other' })]
    await completeJob(t.db, (await run(one.id)).jobId ?? '')
    const capped = await run(other.id)
    assert.deepEqual([capped.status, capped.jobId], ['capped', null])
    assert.equal(capped.reason, 'The automations of the project together may start 1 run a day.')
  })

  test('the trigger for other services takes schedules that are on', async () => {
    const trigger = (id: string, project = t.project.id) =>
      t.call(`/v1/workflow/${project}/${id}/trigger`, { method: 'POST' })
    const { id } = await create()
    const response = await trigger(id)
    assert.equal(response.status, 202)
    const { schemaId, instanceId, jobId } = (await response.json()) as Record<string, string>
    const { runs } = (await (await t.call(`${all}/${id}/runs`)).json()) as { runs: AutomationRun[] }
    assert.deepEqual([schemaId, instanceId, jobId], [id, runs[0]?.id, runs[0]?.jobId])
    const person = await create({ name: 'By hand', trigger: { type: 'person' } })
    const problem = await expectProblem(await trigger(person.id), 400, 'invalid_input')
    assert.match(problem.detail, /Only automations with the trigger `schedule`.* has `person`/)
    await patch(id, { enabled: false })
    assert.match((await expectProblem(await trigger(id), 400, 'invalid_input')).detail, /paused/)
    await expectProblem(await trigger(`aut_${'0'.repeat(20)}`), 404, 'not_found')
    await expectProblem(await trigger(id, t.other.id), 404, 'not_found')
    await expectProblem(await trigger('x'), 404, 'not_found')
  })

  test('reading needs `read`, running `write`, changing `admin`; foreign ones are 404', async () => {
    const { id } = await create()
    const foreign = `/v1/projects/${t.other.id}/automations/${id}`
    const workflow = `/v1/workflow/${t.project.id}/${id}/trigger`
    const table: [string, string, unknown, Record<string, number>][] = [
      ['GET', all, undefined, { read: 200, write: 200, foreign: 404 }],
      ['GET', `${all}/${id}`, undefined, { read: 200, foreign: 404 }],
      ['GET', `${all}/${id}/runs`, undefined, { read: 200, foreign: 404 }],
      ['POST', `${all}/${id}/run`, undefined, { read: 403, foreign: 404, write: 202 }],
      ['POST', workflow, undefined, { read: 403, foreign: 404, write: 202 }],
      ['POST', all, { ...usual, name: 'x' }, { read: 403, write: 403, foreign: 404, adminOfProject: 201 }],
      ['PATCH', `${all}/${id}`, {}, { read: 403, write: 403, foreign: 404, adminOfProject: 200 }],
      ['GET', foreign, undefined, { admin: 404, adminOfProject: 404, foreign: 404 }],
      ['PATCH', foreign, { enabled: false }, { admin: 404 }],
      ['DELETE', foreign, undefined, { admin: 404 }],
      ['DELETE', `${all}/${id}`, undefined, { read: 403, write: 403, foreign: 404, adminOfProject: 204 }],
    ]
    for (const [method, path, json, expected] of table) {
      for (const [name, status] of Object.entries(expected)) {
        const key = t.keys[name as keyof typeof t.keys]
        const response = await t.call(path, { method, key, ...(json === undefined ? {} : { json }) })
        assert.equal(response.status, status, `${method} ${path} with ${name}`)
      }
    }
  })

  test('an automation ends no later than the key that makes or changes it', async () => {
    const soon = new Date(Date.now() + 86_400_000)
    const limited = { ...operator, name: 'k', projectIds: [t.project.id] }
    const { key } = await createKey(t.db, operator, { ...limited, expiresAt: soon })
    const made = await post(usual, key)
    const { id, endsAt } = (await made.json()) as ShownAutomation
    assert.deepEqual([made.status, endsAt], [201, soon.toISOString()])
    await expectProblem(await post({ ...usual, name: 'x', endsAt: null }, key), 403, 'forbidden')
    const later = new Date(soon.getTime() + 1_000).toISOString()
    await expectProblem(await patch(id, { endsAt: later }, key), 403, 'forbidden')
    assert.equal((await patch(id, { endsAt: new Date(soon.getTime() - 1_000).toISOString() }, key)).status, 200)
    // It may only pause an automation that outlasts it.
    assert.equal((await patch(id, { endsAt: null })).status, 200)
    await expectProblem(await patch(id, { instructions: 'Other' }, key), 403, 'forbidden')
    assert.equal((await patch(id, { enabled: false }, key)).status, 200)
    await expectProblem(await patch(id, { enabled: true }, key), 403, 'forbidden')
    const bound = await createKey(t.db, operator, { ...limited, allowedAddresses: ['192.0.2.0/24'] })
    const addressed = await t.start({ trustedProxies: { hops: 1 } })
    const headers = { 'X-Forwarded-For': '192.0.2.7' }
    await expectProblem(
      await addressed.call(all, { key: bound.key, json: { ...usual, name: 'y' }, headers }),
      403,
      'forbidden',
    )
  })

  test('a doubted clock is shown where the next run would be', async () => {
    const { id } = await create()
    const doubted = { kind: 'doubted', trustedAt: 0, seenAt: 1, runningMs: 0 } as const
    const { call } = await t.start({ clockState: () => doubted })
    const shown = (await (await call(`${all}/${id}`)).json()) as ShownAutomation
    assert.equal(shown.nextRunAt, null)
    assert.match(shown.heldBack ?? '', /clock of the service is in doubt/)
    const person = await create({ name: 'By hand', trigger: { type: 'person' } })
    assert.equal(((await (await call(`${all}/${person.id}`)).json()) as ShownAutomation).heldBack, null)
  })

  test('secrets in instructions are not stored, and changes are in the audit log', async () => {
    const hide = (text: string) => text.replace('s3cret', '[hidden]')
    const { call } = await t.start({ redactor: { hide, redact: hide } })
    const json = { ...usual, instructions: 'Use s3cret.' }
    const { id, instructions } = (await (await call(all, { ...admin(), json })).json()) as ShownAutomation
    assert.equal(instructions, 'Use [hidden].')
    const change = { ...admin(), method: 'PATCH', json: { instructions: 'Use s3cret again.' } }
    const changed = await call(`${all}/${id}`, change)
    assert.equal(((await changed.json()) as ShownAutomation).instructions, 'Use [hidden] again.')
    const rows = await t.db.selectFrom('audit').selectAll().orderBy('ordinal', 'desc').limit(2).execute()
    assert.deepEqual(
      rows.map(({ action, subject }) => [action, subject]),
      [
        ['updateAutomation', id],
        ['createAutomation', id],
      ],
    )
  })

  test('a deleted project takes its automations and their runs with it', async () => {
    const made = await t.call('/v1/projects', {
      ...admin(),
      json: { name: 'Gone', repository: 'https://x.example/d.git' },
    })
    const { id } = (await made.json()) as { id: string }
    const path = `/v1/projects/${id}/automations`
    const automation = (await (await t.call(path, { ...admin(), json: usual })).json()) as ShownAutomation
    assert.equal((await t.call(`${path}/${automation.id}/run`, { ...admin(), method: 'POST' })).status, 202)
    assert.equal((await t.call(`/v1/projects/${id}`, { ...admin(), method: 'DELETE' })).status, 204)
    for (const table of ['automations', 'automation_runs'] as const) {
      assert.deepEqual(await t.db.selectFrom(table).select('id').execute(), [])
    }
  })
})
