import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type Started, type TestApp } from '../../../../test/support/openapi-app.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../test/support/test-store.ts'
import type { EarlierDays } from '../../../analytics/histories/earlier-days.ts'
import { type History, mostHistories } from '../../../analytics/histories/records.ts'
import { insertPageViews } from '../../../analytics/store.ts'

suite('daily sums of other tools over HTTP', () => {
  let t: TestApp
  let app: Started
  let path: string
  before(async () => {
    t = await openTestApp()
    const store = await sharedStore()
    app = await t.start({ analytics: { ...t.deps.analytics, openStore: async () => store } })
    path = `/v1/analytics/${t.project.id}/histories`
  })
  const plausible = { source: 'plausible', name: 'imported_visitors.csv', fingerprint: 'a' }
  const sum = (date: string, visitors: number, pageViews: number) => ({ date, visitors, pageViews })
  const read = async <T>(response: Response): Promise<T> => {
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as T
  }
  const create = async (json: object) => read<History>(await app.call(path, { json }))
  const list = async () => (await read<{ histories: readonly History[] }>(await app.call(path))).histories
  const days = async (query = '') =>
    read<EarlierDays>(await app.call(`/v1/analytics/${t.project.id}/earlier-days${query}`))
  const remove = (id: string, key = t.keys.adminOfProject) => app.call(`${path}/${id}`, { method: 'DELETE', key })
  const clear = async () => {
    for (const { id } of await list()) await read(await remove(id))
  }

  test('a file in several requests, and the same file again, counts once', async () => {
    const first = [sum('2025-01-01', 4, 9), sum('2025-01-02', 5, 10)]
    const begun = await create({ ...plausible, sums: first, isComplete: false })
    assert.deepEqual([begun.sums, begun.isComplete], [2, false])
    assert.deepEqual((await days()).days, [], 'a file that is not complete is not shown')
    const rest = { sums: [sum('2025-01-03', 6, 11), sum('2025-01-02', 5, 10)], isComplete: true }
    const ended = await read<History>(await app.call(`${path}/${begun.id}/sums`, { json: rest }))
    const shown = { sums: 3, pageViews: 0, isComplete: true, firstDay: '2025-01-01', lastDay: '2025-01-03' }
    assert.deepEqual(ended, { ...begun, ...shown })
    assert.deepEqual(await create({ ...plausible, name: 'renamed.csv', sums: first }), ended)
    assert.deepEqual(await list(), [ended])
    assert.deepEqual(
      (await days()).days.map(({ date, visitors, pageViews }) => [date, visitors, pageViews]),
      [
        ['2025-01-01', 4, 9],
        ['2025-01-02', 5, 10],
        ['2025-01-03', 6, 11],
      ],
    )
    assert.equal((await days('?dateFrom=2025-01-02&dateTo=2025-01-03')).days.length, 1)
    await clear()
  })

  test('a day that two files have is that of the last one, and nothing is added', async () => {
    await create({ ...plausible, sums: [sum('2025-01-01', 4, 9), sum('2025-01-02', 5, 10)] })
    const ga4 = await create({ source: 'ga4', name: 'ga4.csv', fingerprint: 'a', sums: [sum('2025-01-02', 7, 20)] })
    const found = (await days()).days.map(({ source, visitors }) => [source, visitors])
    assert.deepEqual(found, [
      ['plausible', 4],
      ['ga4', 7],
    ])
    assert.deepEqual(await read(await remove(ga4.id)), { deleted: { sums: 1, pageViews: 0 } })
    assert.deepEqual((await days()).days.at(-1)?.visitors, 5)
    await clear()
  })

  test('sums of pages are found by any spelling of the page, and not in the whole site', async () => {
    const pages = [
      { date: '2025-01-01', path: '/guide/', visitors: 2, pageViews: 3 },
      { date: '2025-01-01', path: '/guide.html', visitors: 1, pageViews: null },
    ]
    assert.equal((await create({ ...plausible, fingerprint: 'pages', sums: pages })).sums, 1)
    assert.deepEqual((await days()).days, [])
    const [day] = (await days('?path=/guide/index.html')).days
    assert.deepEqual([day?.visitors, day?.pageViews], [3, 3])
    await clear()
  })

  test('the days end before the first page view of the project, except those of one file', async () => {
    const time = Date.parse('2025-03-02T12:00:00Z')
    await insertPageViews(await sharedStore(), [pageView({ projectId: t.project.id, time, category: 'search' })])
    const four = ['2025-02-28', '2025-03-01', '2025-03-02', '2025-03-03'].map((date) => sum(date, 1, 1))
    const { id } = await create({ ...plausible, fingerprint: 'four', sums: four })
    const shown = await days()
    assert.equal(shown.firstMeasured, '2025-03-02')
    assert.deepEqual(
      shown.days.map(({ date }) => date),
      ['2025-02-28', '2025-03-01'],
    )
    assert.equal((await days(`?historyId=${id}`)).days.length, 4)
    const response = await app.call(`/v1/analytics/${t.project.id}/visitors`)
    const { totals } = await read<{ totals: { total: number } }>(response)
    assert.equal(totals.total, 0, 'no sum counts as a visitor')
    await clear()
  })

  test('bodies are bounded, and each fault is named', async () => {
    const table: [object, string][] = [
      [{ ...plausible, source: 'umami' }, '#/source'],
      [{ ...plausible, fingerprint: '' }, '#/fingerprint'],
      [{ ...plausible, sums: [sum('2025-02-30', 1, 1)] }, '#/sums/0/date'],
      [{ ...plausible, sums: [sum('2999-01-01', 1, 1)] }, '#/sums/0/date'],
      [{ ...plausible, sums: [{ date: '2025-01-01' }] }, '#/sums/0/visitors'],
      [{ ...plausible, sums: [sum('2025-01-01', -1, 1)] }, '#/sums/0/visitors'],
      [{ ...plausible, sums: [{ ...sum('2025-01-01', 1, 1), path: 'guide' }] }, '#/sums/0/path'],
      [{ ...plausible, sums: [{ ...sum('2025-01-01', 1, 1), path: `/${'a'.repeat(2_048)}` }] }, '#/sums/0/path'],
      [{ ...plausible, sums: Array.from({ length: 5_001 }, () => sum('2025-01-01', 1, 1)) }, '#/sums'],
    ]
    for (const [json, pointer] of table) {
      const problem = await expectProblem(await app.call(path, { json }), 400, 'invalid_input')
      assert.equal(problem.details?.[0]?.pointer, pointer)
    }
    assert.deepEqual(await list(), [])
  })

  test('a project has at most 200 files', async () => {
    for (let n = 0; n < mostHistories; n += 1) {
      const row = { id: `his_${String(n).padStart(20, '0')}`, project_id: t.project.id, fingerprint: `n${n}` }
      const given = { source: 'ga4', name: 'x', first_day: null, last_day: null } as const
      await t.db
        .insertInto('histories')
        .values({ ...row, ...given })
        .execute()
    }
    assert.equal((await create({ source: 'ga4', name: 'x', fingerprint: 'n7' })).id, 'his_00000000000000000007')
    await expectProblem(await app.call(path, { json: plausible }), 400, 'invalid_input')
    await t.db.deleteFrom('histories').execute()
  })

  test('the undo needs admin rights, and finds nothing of another project', async () => {
    const { id } = await create({ ...plausible, sums: [sum('2025-01-01', 4, 9)] })
    await expectProblem(await remove(id, t.keys.write), 403, 'forbidden')
    await expectProblem(await remove(id, t.keys.foreign), 404, 'not_found')
    const elsewhere = `/v1/analytics/${t.other.id}/histories/${id}`
    await expectProblem(await app.call(elsewhere, { method: 'DELETE', key: t.keys.admin }), 404, 'not_found')
    const json = { sums: [], isComplete: true }
    await expectProblem(await app.call(`${elsewhere}/sums`, { json, key: t.keys.admin }), 404, 'not_found')
    await read(await remove(id))
    await expectProblem(await remove(id), 404, 'not_found')
    assert.deepEqual(await t.db.selectFrom('history_sums').select('day').execute(), [])
  })
})
