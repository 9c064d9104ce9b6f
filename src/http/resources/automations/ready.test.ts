import assert from 'node:assert/strict'
import { before, beforeEach, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import type { ReadyAutomation } from '../../../automations/ready/list.ts'
import type { AutomationRun } from '../../../automations/runs/run.ts'
import type { MessageResponse } from '../../../jobs/response.ts'
import type { ShownAutomation } from './schemas.ts'

suite('ready-made automations over HTTP', () => {
  let t: TestApp
  let all: string
  before(async () => {
    t = await openTestApp()
    all = `/v1/projects/${t.project.id}/automations`
  })
  beforeEach(async () => {
    await t.db.deleteFrom('automations').execute()
    await t.db.deleteFrom('sources').execute()
    await t.db.updateTable('projects').set({ model: null }).execute()
  })

  const post = (json: unknown) => t.call(all, { key: t.keys.admin, json })
  async function create(json: object): Promise<ShownAutomation> {
    const response = await post(json)
    const text = await response.text()
    assert.equal(response.status, 201, text)
    return JSON.parse(text) as ShownAutomation
  }
  const patch = (id: string, json: unknown) => t.call(`${all}/${id}`, { key: t.keys.admin, method: 'PATCH', json })
  async function kinds(): Promise<readonly ReadyAutomation[]> {
    const response = await t.call(`/v1/projects/${t.project.id}/automation-kinds`, { key: t.keys.read })
    return ((await response.json()) as { readonly kinds: readonly ReadyAutomation[] }).kinds
  }
  const kind = async (name: string) => (await kinds()).find((one) => one.kind === name)
  async function promptOf(id: string): Promise<string | undefined> {
    const run = (await (await t.call(`${all}/${id}/run`, { method: 'POST' })).json()) as AutomationRun
    const path = `/v2/agent/${t.project.id}/job/${run.jobId}/messages`
    const { messages } = (await (await t.call(path)).json()) as { readonly messages: readonly MessageResponse[] }
    return messages[0]?.prompt
  }
  const addSource = () =>
    t.call(`/v1/projects/${t.project.id}/sources`, {
      key: t.keys.admin,
      json: { name: 'api', repository: 'https://git.test/acme/api.git' },
    })

  test('a kind alone makes an automation, with a name and a trigger of its own', async () => {
    const made = await create({ kind: 'fix-broken-links' })
    assert.deepEqual(
      [made.kind, made.name, made.trigger, made.instructions, made.enabled],
      ['fix-broken-links', 'Fix broken links', { type: 'schedule', cron: '0 6 * * MON', timeZone: null }, '', true],
    )
    assert.ok(made.nextRunAt)
    await expectProblem(await post({ kind: 'fix-broken-links' }), 409, 'automation_exists')
    const own = { kind: 'fix-broken-links', name: 'Links', trigger: { type: 'person' }, instructions: 'In docs/.' }
    const other = await create(own)
    assert.deepEqual([other.name, other.trigger, other.instructions], ['Links', { type: 'person' }, 'In docs/.'])
  })

  test('a custom one lacks what only a kind gives, and a kind never changes', async () => {
    const problem = await expectProblem(await post({}), 400, 'invalid_input')
    assert.deepEqual(
      problem.details?.map(({ pointer }) => pointer),
      ['#/name', '#/trigger', '#/instructions'],
    )
    for (const json of [
      { kind: 'poems' },
      { kind: 'fix-broken-links', name: 'a\nb' },
      { kind: 'maintain', trigger: 'daily' },
    ])
      await expectProblem(await post(json), 400, 'invalid_input')
    const { id } = await create({ kind: 'fix-broken-links' })
    const moved = await expectProblem(await patch(id, { kind: 'stale-terms' }), 400, 'invalid_input')
    assert.match(moved.detail, /^`kind` must stay `fix-broken-links`/)
    assert.equal((await patch(id, { kind: 'fix-broken-links', instructions: 'More.' })).status, 200)
    assert.equal((await patch(id, { instructions: '' })).status, 200)
    const long = await expectProblem(await patch(id, { instructions: 'x'.repeat(10_001) }), 400, 'invalid_input')
    assert.match(long.detail, /at most 10,000 characters/)
    assert.equal((await patch(id, { instructions: 'x'.repeat(10_000) })).status, 200)
    const custom = await create({ name: 'Own', trigger: { type: 'person' }, instructions: 'Fix.' })
    await expectProblem(await patch(custom.id, { instructions: '' }), 400, 'invalid_input')
  })

  test('a kind that lacks a source says so, and is turned on with one', async () => {
    assert.deepEqual(
      (await kind('stale-terms'))?.lacks.map(({ need }) => need),
      ['source'],
    )
    const problem = await expectProblem(await post({ kind: 'stale-terms' }), 400, 'invalid_input')
    assert.match(problem.detail, /^`kind` needs a source of the product .*docent source add/)
    assert.equal((await addSource()).status, 201)
    assert.deepEqual((await kind('stale-terms'))?.lacks, [])
    await create({ kind: 'stale-terms' })
  })

  test('a kind follows the code of the first source, or of the repository if it is named', async () => {
    await t.db.updateTable('projects').set({ model: 'compatible/big' }).execute()
    const here = { type: 'code', source: null, paths: ['src/'], when: 'merge' }
    assert.match((await expectProblem(await post({ kind: 'update-from-code' }), 400, 'invalid_input')).detail, /source/)
    assert.deepEqual((await create({ kind: 'update-from-code', name: 'Here', trigger: here })).trigger, here)
    await addSource()
    const made = await create({ kind: 'update-from-code' })
    assert.deepEqual(made.trigger, { type: 'code', source: 'api', paths: [], when: 'merge' })
    const { trigger } = await create({ kind: 'draft-changelog' })
    assert.deepEqual(trigger, { type: 'code', source: 'api', paths: [], when: '0 6 * * MON' })
  })

  test('the options of a kind are on until they are turned off, and one stays on', async () => {
    assert.match((await expectProblem(await post({ kind: 'maintain' }), 400, 'invalid_input')).detail, /language model/)
    await t.db.updateTable('projects').set({ model: 'compatible/big' }).execute()
    const { id, options } = await create({ kind: 'maintain', options: { outdated: false } })
    assert.deepEqual(options, { grammar: true, style: true, titles: true, outdated: false })
    const changed = (await (await patch(id, { options: { grammar: false, outdated: true } })).json()) as ShownAutomation
    assert.deepEqual(changed.options, { grammar: false, style: true, titles: true, outdated: true })
    assert.match((await promptOf(id)) ?? '', /\*\*Outdated pages\.\*\*/)
    const merging = await expectProblem(await patch(id, { update: 'merge' }), 400, 'invalid_input')
    assert.match(merging.detail, /the automation reads page views, which outsiders write/)
    assert.equal((await patch(id, { update: 'merge', options: { outdated: false } })).status, 200)
    await patch(id, { update: null })
    const off = { options: { style: false, titles: false, outdated: false } }
    assert.match((await expectProblem(await patch(id, off), 400, 'invalid_input')).detail, /must leave one of them on/)
    assert.deepEqual(((await (await patch(id, { options: null })).json()) as ShownAutomation).options, {
      grammar: true,
      style: true,
      titles: true,
      outdated: true,
    })
    const foreign = await post({ kind: 'fix-broken-links', options: { style: false } })
    assert.match(
      (await expectProblem(foreign, 400, 'invalid_input')).detail,
      /the kind `fix-broken-links` has no options/,
    )
    await expectProblem(await patch(id, { options: { poems: true } }), 400, 'invalid_input')
  })

  test('a run reads the instructions of its kind when it starts, in words of its model', async () => {
    const { id } = await create({ kind: 'fix-broken-links' })
    assert.equal(await promptOf(id), 'Fix the broken links. Fix the broken images.')
    await t.db.deleteFrom('jobs').execute()
    await t.db.updateTable('projects').set({ model: 'compatible/big' }).execute()
    const { instructions } = (await kind('fix-broken-links')) ?? { instructions: '' }
    assert.match(instructions, /^Fix the links, anchors and images/)
    assert.equal(await promptOf(id), instructions)
    await t.db.deleteFrom('jobs').execute()
    await patch(id, { instructions: 'Leave the blog alone.' })
    const added = await promptOf(id)
    assert.ok(added?.startsWith(instructions) && added.endsWith('\n\nLeave the blog alone.'), added)
  })
})
