import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { addProject } from '../../../../test/support/database.ts'
import { openTestDatabase } from '../../../../test/support/engine.ts'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../test/support/test-store.ts'
import type { Postgres } from '../../../postgres/types.ts'
import { viewDimensions } from '../../dimensions/view-dimensions.ts'
import { insertPageViews } from '../../store.ts'
import { deleteProjectViews } from '../../delete.ts'
import { createSealer } from './keep-sealed.ts'

const minute = 60_000
const { signal } = new AbortController()

suite('windows that rest', () => {
  let postgres: Postgres
  before(async () => {
    postgres = await openTestDatabase()
  })
  after(() => postgres.close())

  const open = async () => {
    const { db } = postgres
    const store = await sharedStore()
    const projectId = await addProject(db)
    const clock = createManualClock(new Date('2026-11-23T12:00:00Z'))
    const seal = createSealer()
    const put = (saltWindow: string, visitor: bigint) =>
      insertPageViews(store, [pageView({ projectId, saltWindow, visitor })])
    const sealed = async () => {
      const rows = await store.readWritten<{ window: string }>(
        `SELECT salt_window AS window FROM seals WHERE project_id = {projectId:String} ORDER BY window`,
        { projectId },
      )
      return rows.map(({ window }) => window)
    }
    /** Other tests of this process share the store, so this reads only this project's seals. */
    const round = async () => {
      await seal({ db, store, clock, signal })
      await clock.pass(minute)
      return sealed()
    }
    return { db, store, projectId, clock, put, round, sealed }
  }

  test('are sealed in the second round, and changed ones in a later one', async () => {
    const { put, round, clock } = await open()
    await put('month:2026-10', 1n)
    await put('', 2n)
    assert.deepEqual(await round(), [])
    assert.deepEqual(await round(), ['', 'month:2026-10'])
    assert.deepEqual(await round(), ['', 'month:2026-10'], 'they are sealed once')
    await put('month:2026-10', 3n)
    assert.deepEqual(await round(), ['', 'month:2026-10'], 'it moved')
    assert.deepEqual(await round(), ['', 'month:2026-10'], 'it was sealed minutes ago')
    await clock.pass(10 * minute)
    assert.deepEqual(await round(), ['', 'month:2026-10', 'month:2026-10'])
    await clock.pass(60 * minute)
    assert.deepEqual(await round(), ['', 'month:2026-10'], 'the seal of before is gone after an hour')
  })

  test('are sealed again under other settings, and deleted with the project', async () => {
    const { db, store, put, round, clock, projectId, sealed } = await open()
    await put('month:2026-10', 1n)
    await round()
    assert.deepEqual(await round(), ['month:2026-10'])
    await db.updateTable('projects').set({ time_zone: 'Asia/Tokyo' }).where('id', '=', projectId).execute()
    await clock.pass(10 * minute)
    assert.deepEqual(await round(), ['month:2026-10', 'month:2026-10'])
    const counters = async () => {
      const sql = 'SELECT count() AS count FROM counters WHERE project_id = {projectId:String}'
      return (await store.readWritten<{ count: number }>(sql, { projectId }))[0]?.count
    }
    const each = 4 + viewDimensions.length + 1
    assert.equal(await counters(), 2 * each, 'all, a site, a page, its views, each dimension, the entry, twice')
    await clock.pass(60 * minute)
    assert.deepEqual(await round(), ['month:2026-10'])
    assert.equal(await counters(), each)
    await deleteProjectViews(store, projectId)
    assert.deepEqual([await sealed(), await counters()], [[], 0])
  })
})
