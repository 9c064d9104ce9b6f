import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { addProject } from '../../test/support/database.ts'
import { openTestDatabase } from '../../test/support/engine.ts'
import { deleteProject } from '../projects/projects.ts'
import type { Db, Postgres } from '../postgres/types.ts'
import { deleteAutomatedDays, keepAutomatedDays, readAutomated } from './automated-days.ts'

suite('automated page views in imported logs', () => {
  let postgres: Postgres
  let db: Db
  let projectId: string
  before(async () => {
    postgres = await openTestDatabase()
    db = postgres.db
  })
  beforeEach(async () => void (projectId = await addProject(db)))
  after(() => postgres.close())

  const all = { dateFrom: '2026-11-01', dateTo: '2026-12-01', human: ['browser'], source: 'both' } as const
  const keep = (day: string, pageViews: number, of: number) =>
    keepAutomatedDays(db, projectId, [{ day, pageViews, of }])
  const read = async (plan: object = {}) => {
    const found = await readAutomated(db, { projectId, ...all, ...plan })
    return found && [found.pageViews, found.of]
  }

  test('days of a range are summed, and the share is said with both counts', async () => {
    assert.equal(await read(), undefined)
    await keep('2026-10-31', 1, 1)
    await keep('2026-11-01', 10, 1_000)
    await keep('2026-11-30', 30, 1_000)
    await keep('2026-12-01', 1, 1)
    const note =
      'In imported logs, 40 of 2,000 page views with the user agent of a browser (2 %) are probably automated; they count as humans.'
    assert.deepEqual(await readAutomated(db, { projectId, ...all }), { pageViews: 40, of: 2_000, share: 0.02, note })
    assert.deepEqual(await read({ dateFrom: '2026-11-02' }), [30, 1_000])
    assert.equal(await read({ dateFrom: '2026-11-02', dateTo: '2026-11-30' }), undefined)
    assert.equal(await read({ projectId: await addProject(db) }), undefined)
  })

  test('a day keeps the import that judged most of it, so nothing counts twice', async () => {
    const day = '2026-11-20'
    await keep(day, 10, 100)
    await keep(day, 10, 100)
    assert.deepEqual(await read(), [10, 100], 'the same log again')
    await keep(day, 50, 99)
    assert.deepEqual(await read(), [10, 100], 'a part of the day')
    await keep(day, 0, 100)
    assert.deepEqual(await read(), [0, 100], 'of equal ones the newest')
    await keep(day, 20, 101)
    assert.deepEqual(await read(), [20, 101], 'a log that grew')
  })

  test('nothing is said where browsers in logs count as no humans', async () => {
    await keep('2026-11-20', 10, 100)
    assert.equal(await read({ source: 'browser' }), undefined)
    assert.equal(await read({ human: ['unknown'] }), undefined)
    assert.deepEqual(await read({ source: 'server' }), [10, 100])
    assert.equal(await read({ dateFrom: '2026-11-20', dateTo: '2026-11-20' }), undefined)
  })

  test('days are deleted up to the day before the end, or with the project', async () => {
    for (const day of ['2026-11-18', '2026-11-19', '2026-11-20']) await keep(day, 1, 10)
    await deleteAutomatedDays(db, { projectId, since: '2026-11-19', until: '2026-11-20' })
    assert.deepEqual(await read(), [2, 20])
    await deleteAutomatedDays(db, { projectId, until: '2026-11-19' })
    assert.deepEqual(await read(), [1, 10])
    await deleteProject(db, projectId)
    assert.equal(await read(), undefined)
  })
})
