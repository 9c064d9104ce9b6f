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
import { toFilters } from '../query/filters.ts'
import type { Query } from '../query/plan.ts'
import { prepareQuery } from '../query/prepare.ts'
import { type AnsweredFrom, readPage } from '../query/rows.ts'
import { readWindows } from '../query/version.ts'
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

async function ask(store: ClickHouse, projectId: string, filters: Query['filters'] = []) {
  const query: Query = { limit: 50, offset: 0, interval: 'day', filters }
  const context = { openStore: async () => store, clock: createManualClock(now) }
  const prepared = await prepareQuery(context, { projectId, settings: usualSettings, query }, signal)
  const from: AnsweredFrom[] = []
  const { totals, rows } = await readPage({ ...prepared, onAnswer: (one) => from.push(one) }, visitors)
  return { total: totals?.['total'], pages: rows.length, from: from.join() }
}

test('its seals answer until the sums are there and after it, and its windows are sealed again', async (t) => {
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

  const all = { total: 3, pages: 3 }
  const ofSite = toFilters({ site: ['site_1'] })
  assert.deepEqual(await ask(store, projectId), { ...all, from: 'counters' })
  assert.deepEqual(await ask(store, projectId, ofSite), { ...all, from: 'rows' })

  const clock = createManualClock(now)
  const seal = createSealer(() => assert.fail('no page view changed'))
  await seal({ db: postgres.db, store, clock, signal })
  assert.notDeepEqual(await readWindows(store, projectId), windows, 'the version has the site, too')
  assert.deepEqual(await ask(store, projectId), { ...all, from: 'counters' })
  await clock.pass(60_000)
  assert.equal(await seal({ db: postgres.db, store, clock, signal }), 1)
  // Readers ask for another seal after some seconds.
  const restarted = await start(t)
  assert.deepEqual(await ask(restarted, projectId, ofSite), { ...all, from: 'counters' })
  assert.deepEqual(await ask(restarted, projectId, toFilters({ section: ['/a'] })), { ...all, from: 'counters' })
})
