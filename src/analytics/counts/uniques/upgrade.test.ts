// A store of an earlier release: its parts lack the sums over all columns, and its seals the newer dimensions.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { usualSettings } from '../../../../test/support/any-page-view.ts'
import { frontDatabase } from '../../../../test/support/clickhouse-front.ts'
import { addProject } from '../../../../test/support/database.ts'
import { openTestDatabase } from '../../../../test/support/engine.ts'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { type ClickHouse, openClickHouse } from '../../../clickhouse/open.ts'
import type { Postgres } from '../../../postgres/types.ts'
import { insertPageViews } from '../../store.ts'
import { visitors } from '../query/exports/visitors.ts'
import { createSegment, deleteSegment } from '../query/segments.ts'
import { keyOfFilters, toFilters } from '../query/filters.ts'
import { generationOf, type Query } from '../query/plan.ts'
import { prepareQuery } from '../query/prepare.ts'
import { type AnsweredFrom, readPage } from '../query/rows.ts'
import { readWindows } from '../query/version.ts'
import { dropStale } from './drop-stale.ts'
import { createSealer } from './keep-sealed.ts'
import { sealWindows } from './seal.ts'

const now = new Date('2026-11-23T12:00:00Z')
const { signal } = new AbortController()

let postgres: Postgres
let url: string
before(async () => {
  postgres = await openTestDatabase()
  url = await frontDatabase()
})
after(() => postgres.close())

/** As a process that owns its store, which knows nothing of what another one knew. */
async function start(t: { after: (end: () => Promise<void>) => void }): Promise<ClickHouse> {
  const store = { ...(await openClickHouse({ kind: 'server', url })), isOwned: true }
  t.after(() => store.close())
  return store
}

async function ask(store: ClickHouse, projectId: string, filters: Query['filters'] = [], segments?: Set<string>) {
  const query: Query = { limit: 50, offset: 0, interval: 'day', filters }
  const context = { openStore: async () => store, clock: createManualClock(now) }
  const prepared = await prepareQuery(
    context,
    { projectId, settings: usualSettings, query, ...(segments ? { segments } : {}) },
    signal,
  )
  const from: AnsweredFrom[] = []
  const { totals, rows } = await readPage({ ...prepared, onAnswer: (one) => from.push(one) }, visitors)
  return { total: totals?.['total'], rows, from: from.join() }
}

test('its seals answer before and after the upgrade, and windows are sealed again', async (t) => {
  const projectId = await addProject(postgres.db)
  const earlier = await start(t)
  const views = [1n, 2n, 3n].map((visitor) =>
    pageView({ projectId, visitor, saltWindow: 'month:2026-10', path: `/a/${visitor}`, siteId: 'site_1' }),
  )
  await insertPageViews(earlier, views)
  await earlier.rewrite('ALTER TABLE page_views CLEAR PROJECTION filtered_windows', {})

  const store = await start(t)
  const windows = await readWindows(store, projectId)
  await sealWindows(store, { projectId, settings: usualSettings, windows, now })
  const later = `dimension IN ('of_site', 'page_of_site', 'section')`
  await store.rewrite(`ALTER TABLE counters DELETE WHERE ${later}`, {})
  const lengths = '{"site":1,"page":3,"page_views":3}'
  await store.rewrite(`ALTER TABLE seals UPDATE lengths = '${lengths}' WHERE 1`, {})

  const asked = async (...given: Parameters<typeof ask>) => {
    const { total, rows, from } = await ask(...given)
    return { total, pages: rows.length, from }
  }
  const all = { total: 3, pages: 3 }
  const ofSite = toFilters({ site: ['site_1'] })
  assert.deepEqual(await asked(store, projectId), { ...all, from: 'counters' })
  assert.deepEqual(await asked(store, projectId, ofSite), { ...all, from: 'rows' })

  const clock = createManualClock(now)
  const seal = createSealer(() => assert.fail('no page view changed'))
  await seal({ db: postgres.db, store, clock, signal })
  assert.notDeepEqual(await readWindows(store, projectId), windows, 'the version has the site, too')
  const projections = await store.read<{ name: string }>(
    `SELECT DISTINCT name FROM system.projection_parts WHERE database = currentDatabase() AND active
      AND name LIKE '%windows'`,
    {},
  )
  assert.deepEqual(projections, [{ name: 'filtered_windows' }], 'nothing keeps the sums of before')
  assert.deepEqual(await asked(store, projectId), { ...all, from: 'counters' })
  await clock.pass(60_000)
  assert.equal(await seal({ db: postgres.db, store, clock, signal }), 1)
  // Readers ask for another seal after some seconds.
  const restarted = await start(t)
  assert.deepEqual(await asked(restarted, projectId, ofSite), { ...all, from: 'counters' })
  assert.deepEqual(await asked(restarted, projectId, toFilters({ section: ['/a'] })), { ...all, from: 'counters' })
})

test('windows are sealed for saved segments, which answer after a restart', async (t) => {
  const { db } = postgres
  const projectId = await addProject(db)
  const store = await start(t)
  const referrers = ['google.com', 'google.com', 'example.org']
  const views = referrers.map((referrer, at) =>
    pageView({ projectId, visitor: BigInt(at + 1), saltWindow: 'month:2026-10', path: `/${at}`, referrer }),
  )
  await insertPageViews(store, views)
  const filters = toFilters({ referrer: ['google.com'], class: ['human'] })
  const { id } = await createSegment(db, { projectId, name: 'From Google', filters })
  const clock = createManualClock(now)
  const seal = createSealer()
  const sealed = async () => {
    await seal({ db, store, clock, signal })
    await clock.pass(60_000)
    return seal({ db, store, clock, signal })
  }
  assert.equal(await sealed(), 2, 'for all page views and for the segment')
  assert.equal(await sealed(), 0)
  const segments = new Set([keyOfFilters(filters)])
  const restarted = await start(t)
  const { rows, ...answer } = await ask(restarted, projectId, filters, segments)
  assert.deepEqual([answer, rows.length], [{ total: 2, from: 'counters' }, 2])
  await deleteSegment(db, projectId, id)
  const builds = async () => {
    const sql = 'SELECT count() AS count FROM seals WHERE project_id = {projectId:String}'
    return (await store.readWritten<{ count: number }>(sql, { projectId }))[0]?.count
  }
  assert.equal(await builds(), 2)
  await clock.pass(2 * 60 * 60_000)
  const windows = await readWindows(store, projectId)
  const generations = [generationOf(usualSettings)]
  await dropStale(store, { projectId, generations, windows, before: clock.now().getTime() })
  assert.equal(await builds(), 1)
})
