import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type Started, type TestApp } from '../../../../test/support/openapi-app.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../test/support/test-store.ts'
import { keepAutomatedDays } from '../../../analytics/automated-days.ts'
import { insertPageViews } from '../../../analytics/store.ts'

suite('erasing imported page views over HTTP', () => {
  let t: TestApp
  let app: Started
  let path: string
  before(async () => {
    t = await openTestApp()
    const store = await sharedStore()
    app = await t.start({ analytics: { ...t.deps.analytics, openStore: async () => store } })
    path = `/v1/analytics/${t.project.id}`
    const times = ['10-31T23:59:59.999', '11-01T00:00:00', '11-02T23:59:59.999', '11-03T00:00:00']
    const views = times.flatMap((time) => {
      const ms = Date.parse(`2026-${time}Z`)
      return (['log', 'server', 'browser'] as const).map((source) => {
        return pageView({ projectId: t.project.id, source, time: ms, path: `/${source}` })
      })
    })
    const another = pageView({ projectId: 'prj_another', source: 'log', time: Date.parse('2026-11-01T12:00:00Z') })
    await insertPageViews(store, [...views, another])
  })
  const erase = (json: unknown, key = t.keys.adminOfProject) => app.call(`${path}/imports/erase`, { key, json })
  const erased = async (json: unknown) => {
    const response = await erase(json)
    assert.equal(response.status, 202)
    return ((await response.json()) as { readonly erased: { readonly pageViews: number } }).erased.pageViews
  }

  test('the days, the scope and the project are checked', async () => {
    const table: [unknown, string][] = [
      [{}, '#/since'],
      [{ since: '2026-02-30' }, '#/since'],
      [{ since: '2026-11-02', until: '2026-11-01' }, '#/until'],
      [{ since: '2026-11-02', until: 'x' }, '#/until'],
    ]
    for (const [json, pointer] of table) {
      const problem = await expectProblem(await erase(json), 400, 'invalid_input')
      assert.equal(problem.details?.[0]?.pointer, pointer, JSON.stringify(json))
    }
    const all = { since: '2000-01-01' }
    await expectProblem(await erase(all, t.keys.write), 403, 'forbidden')
    await expectProblem(await erase(all, t.keys.foreign), 404, 'not_found')
  })

  test('the first day is erased, the last one is not, and only what came from logs', async () => {
    assert.equal(await erased({ since: '2026-11-01', until: '2026-11-01' }), 0)
    const days = ['2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03']
    await keepAutomatedDays(
      t.db,
      t.project.id,
      days.map((day) => ({ day, pageViews: 1, of: 10 })),
    )
    const automated = async () => {
      const response = await app.call(`${path}/views?dateFrom=2026-10-01&dateTo=2026-12-01`)
      return ((await response.json()) as { readonly probablyAutomated?: { readonly of: number } }).probablyAutomated?.of
    }
    assert.equal(await automated(), 40)
    assert.equal(await erased({ since: '2026-11-01', until: '2026-11-03' }), 2)
    assert.equal(await automated(), 20, 'what imports found is erased with its page views')
    assert.equal(await erased({ since: '2026-11-01', until: '2026-11-03' }), 0)
    assert.equal(await erased({ since: '2000-01-01' }), 2)
    const [row] = await (
      await sharedStore()
    ).read<{ count: number; logs: number }>(
      "SELECT count() AS count, countIf(source = 'log') AS logs FROM page_views WHERE project_id = {projectId:String}",
      { projectId: t.project.id },
    )
    assert.deepEqual(row, { count: 8, logs: 0 })
  })
})
