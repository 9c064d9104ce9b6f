import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { categories, type Category, type CategoryMapping, visitorClasses } from '../../src/analytics/category.ts'
import type { PageView } from '../../src/analytics/page-view.ts'
import { insertPageViews } from '../../src/analytics/store.ts'
import { deleteWhere } from '../../src/analytics/delete.ts'
import type { ClickHouse } from '../../src/clickhouse/open.ts'
import { createOracle, siteNames, type OracleQuery, type OracleSettings } from '../support/counting-oracle.ts'
import { engine } from '../support/engine.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { openTestApp, type TestApp } from '../support/openapi-app.ts'
import { pageView } from '../support/page-views.ts'
import { createRandom, type Random } from '../support/random.ts'
import { sharedStore, storeKinds } from '../support/test-store.ts'
import { rounds, sampled } from '../support/rounds.ts'

/** Zones at moments when something is odd about them. */
const moments: readonly [string, string][] = [
  ['UTC', '2026-11-21T12:00:00Z'],
  ['Europe/Berlin', '2026-11-10T22:59:30Z'],
  ['Europe/Berlin', '2026-04-02T12:00:00Z'],
  ['Asia/Kathmandu', '2026-03-01T18:14:59Z'],
  ['Australia/Lord_Howe', '2026-04-20T13:30:00Z'],
  ['Africa/Cairo', '2026-05-10T12:00:00Z'],
  ['Africa/Cairo', '2026-11-05T12:00:00Z'],
  ['Pacific/Apia', '2012-01-10T12:00:00Z'],
  ['America/St_Johns', '2010-11-20T12:00:00Z'],
  ['America/New_York', '2024-03-31T12:00:00Z'],
]
const day = 86_400_000
const paths = ['/', '/a', '/b', '/a/b', '/\uffff', '/😀', '/=1+1', '/%22,', '/z'] as const
const names = [
  'visitors',
  'views',
  'timeseries',
  'ai-agents',
  'referrers',
  'crawlers',
  'broken-pages',
  'downloads',
] as const
const fields = {
  visitors: 'visitors',
  views: 'views',
  timeseries: 'timeseries',
  'ai-agents': 'agents',
  referrers: 'referrers',
  crawlers: 'crawlers',
  'broken-pages': 'brokenPages',
  downloads: 'downloads',
} as const

// The jobs database has no part in it: one of its engines is enough.
for (const kind of engine === 'cluster' ? [] : storeKinds) {
  suite(`counting, ${kind} store`, () => {
    let t: TestApp
    let store: ClickHouse
    before(async () => {
      t = await openTestApp()
      store = await sharedStore(kind)
    })

    // The stores differ in how a query gets there, which one moment shows.
    const some = kind === 'embedded' ? sampled(moments) : moments.slice(0, rounds(1))
    for (const [index, [zone, now]] of some.entries()) {
      test(`every response equals a plain count of the page views, ${zone} at ${now}`, async () => {
        const random = createRandom(index + 1)
        for (const { id } of [t.project, t.other]) {
          await deleteWhere(store, 'page_views', 'project_id = {projectId:String}', { projectId: id })
        }
        const views = randomViews(random, t.project.id, Date.parse(now), zone)
        // The views of others are never counted.
        await insertPageViews(store, [
          ...views,
          ...views.map((view) => ({ ...view, projectId: t.other.id, path: '/other' })),
        ])
        const limits = { ...t.deps.limits, exportsPerHour: 1e6 }
        const clock = createManualClock(new Date(now))
        const app = await t.start({ limits, analytics: { db: t.db, clock, openStore: async () => store } })
        for (let round = 0; round < 4; round += 1) {
          const settings = randomSettings(random, zone)
          await setProject(t, settings)
          for (const name of names) {
            const query = { ...randomQuery(random, Date.parse(now)), ...randomRows(random, name) }
            const address = `/v1/analytics/${t.project.id}/${name}?${toSearch(query)}`
            const response = await app.call(address)
            const text = await response.text()
            assert.equal(response.status, 200, text)
            const { rows, ...others } = createOracle(views, settings, Date.parse(now), query)[name]()
            const expected = { ...others, [fields[name]]: rows }
            const words = `${address} ${JSON.stringify(settings)}`
            // Its windows are those of stored page views, which the oracle of counts does not know.
            const { perWindow: _, ...counts } = JSON.parse(text) as Record<string, unknown>
            assert.deepEqual(counts, expected, words)
          }
        }
      })
    }
  })
}

function randomViews(random: Random, projectId: string, now: number, zone: string): readonly PageView[] {
  const view = (change: Partial<PageView>) => pageView({ projectId, ...change })
  const views = Array.from({ length: 400 }, () => {
    const category = random.chance(0.5) ? 'browser' : random.pick<Category>(['ai_assistant', ...categories])
    const time = randomTime(random, now, zone)
    // Some visitors may return at any time; the others get a new number after ten days.
    const client = random.int(40)
    const block = client % 3 === 0 ? 0 : Math.floor(time / (10 * day))
    const visitor = (BigInt(client + 100 * block) * 0x0fff_ffff_ffff_fff1n) % 2n ** 64n
    return view({
      time,
      path: random.pick(paths),
      visitor: random.chance(0.1) ? 0n : visitor,
      saltWindow: block === 0 ? '' : `block:${block}`,
      category,
      agent: random.pick(['', 'A', 'B', 'a']),
      operator: random.pick(['', 'O']),
      representation: random.chance(0.7) ? 'html' : 'markdown',
      status: random.pick([200, 200, 206, 206, 304, 404]),
      isDownload: random.chance(0.1),
      source: random.pick(['browser', 'server', 'log']),
      verified: random.pick(['none', 'address', 'failed']),
      referrer: random.pick(['', 'x.test', 'y.test', 'ü.test', 'google.evil.test', ...siteNames.keys()]),
    })
  })
  const parts = Array.from({ length: 40 }, () => {
    const time = randomTime(random, now - 4 * day, zone)
    const visitor = random.pick([0n, 1n, 2n, 3n])
    const path = random.pick(['/a.zip', '/b.zip'])
    return view({ time, path, visitor, status: random.pick([200, 206, 206, 206]), isDownload: true, source: 'log' })
  })
  return [...views, ...parts]
}

/** Half of them within two minutes of a midnight on the wall, some at its very instant, some of them to come. */
function randomTime(random: Random, now: number, zone: string): number {
  const any = now + 400_000 - random.pick([random.int(4 * day), random.int(50 * day)])
  if (random.chance(0.5)) return any
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeStyle: 'medium', hourCycle: 'h23' })
  const parts = format.formatToParts(any)
  const part = (wanted: 'hour' | 'minute' | 'second') => Number(parts.find(({ type }) => type === wanted)?.value)
  const midnight = any - (any % 1_000) - (part('hour') * 3_600 + part('minute') * 60 + part('second')) * 1_000
  return midnight + random.pick([0, -1, 1, random.int(240_000) - 120_000, 3_600_000, 1_800_000, -1_800_000])
}

function randomSettings(random: Random, timeZone: string): OracleSettings {
  const mapped = categories.filter(() => random.chance(0.1)).map((name) => [name, random.pick(visitorClasses)])
  return {
    timeZone,
    retentionMonths: random.pick([1, 1, 2, 25]),
    collectionSource: random.pick(['browser', 'server', 'both', 'both']),
    categories: random.chance(0.5) ? {} : (Object.fromEntries(mapped) as CategoryMapping),
    unverifiedAiAgents: random.pick(['count', 'ignore']),
  }
}

function randomQuery(random: Random, now: number): OracleQuery {
  const dates = [now - random.int(55 * day), now + 3 * day - random.int(30 * day)]
  const [dateFrom = '', dateTo = ''] = dates.map((ms) => new Date(ms).toISOString().slice(0, 10)).toSorted()
  return {
    dateFrom: random.chance(0.6) ? dateFrom : undefined,
    dateTo: random.chance(0.6) ? dateTo : undefined,
    limit: random.chance(0.5) ? 1 + random.int(5) : undefined,
    offset: random.chance(0.5) ? random.int(8) : undefined,
    interval: random.pick(['day', 'week', 'month', undefined]),
  }
}

/** Which rows, in which order: not all exports have both. */
function randomRows(random: Random, name: (typeof names)[number]): Pick<OracleQuery, 'search' | 'sort'> {
  if (name === 'timeseries') return {}
  const search = random.chance(0.3) ? random.pick(['A', '/', 'b', '%22', '😀', 'TEST', '=']) : undefined
  const isSorted = ['visitors', 'views'].includes(name) && random.chance(0.5)
  return { search, sort: isSorted ? random.pick(['human', 'ai', 'total']) : undefined }
}

function toSearch(query: OracleQuery): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return given.join('&')
}

async function setProject(t: TestApp, settings: OracleSettings): Promise<void> {
  const columns = {
    time_zone: settings.timeZone,
    retention_months: settings.retentionMonths,
    collection_source: settings.collectionSource,
    categories: JSON.stringify(settings.categories),
    unverified_ai_agents: settings.unverifiedAiAgents,
  }
  await t.db.updateTable('projects').set(columns).where('id', '=', t.project.id).execute()
}
