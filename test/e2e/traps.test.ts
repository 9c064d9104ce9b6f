// Where other systems count wrong: each trap by its name, through the whole service. Those of ranges, paging and numbers
// are in src/http/routes/analytics*.test.ts, those of browsers in test/browser, of bodies and addresses in collect.test.ts.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chrome, type Collecting, origin, type Place, startCollecting, view } from '../support/collecting.ts'

let t: Collecting
before(async () => {
  t = await startCollecting({ DOCENT_COLLECTS_PER_MINUTE: '1000000' })
})
after(() => t.close())

const chatGpt =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)'
const gptBot = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const dayMs = 86_400_000
const midnight = Math.floor(Date.now() / dayMs) * dayMs

type Agent = {
  readonly agent: string
  readonly visitors: number
  readonly verified: number
  readonly unverified: number
  readonly views: number
}

async function agents({ projectId }: Place): Promise<readonly Agent[]> {
  const { agents } = await t.asAdmin<{ agents: readonly Agent[] }>('GET', `/v1/analytics/${projectId}/ai-agents`)
  return agents
}

test('trap, salt edge at midnight: the time of the view decides its window', async () => {
  const place = await t.makePlace({}, { visitorWindow: 'day' })
  const late = view({ timestamp: midnight - 1_000 })
  const early = view({ timestamp: midnight })
  await t.record(place, [early, late])
  assert.deepEqual((await t.visitors(place)).totals, { human: 2, ai: 0, total: 2 })
  await t.record(place, [view({ timestamp: midnight - 2_000 }), early])
  assert.deepEqual((await t.visitors(place)).totals, { human: 2, ai: 0, total: 2 })
  const always = await t.makePlace({}, { visitorWindow: 'never' })
  await t.record(always, [late, early])
  assert.deepEqual((await t.visitors(always)).totals, { human: 1, ai: 0, total: 1 })
})

test('trap, missing or odd user agent: no human, and a huge one is harmless', async () => {
  const place = await t.makePlace()
  const huge = `Mozilla/5.0 ${'(a'.repeat(400_000)}`
  const { body } = await t.record(place, [
    view({ userAgent: '' }),
    view({ userAgent: undefined }),
    view({ userAgent: huge }),
    view({ userAgent: '\u0000\uD800' }),
    view({ userAgent: '__proto__' }),
  ])
  assert.equal(body.accepted, 5)
  assert.deepEqual((await t.visitors(place)).totals, { human: 0, ai: 0, total: 0 })
})

test('trap, spoofed user agent: an unverified claim counts and can be ignored', async () => {
  const place = await t.makePlace()
  await t.record(place, [view({ userAgent: chatGpt, address: '192.0.2.1' })])
  const [agent] = await agents(place)
  assert.deepEqual([agent?.agent, agent?.visitors, agent?.verified, agent?.unverified], ['ChatGPT-User', 1, 0, 1])
  assert.deepEqual((await t.visitors(place)).totals, { human: 0, ai: 1, total: 1 })
  await t.asAdmin('PATCH', `/v1/projects/${place.projectId}`, { unverifiedAiAgents: 'ignore' })
  assert.deepEqual((await t.visitors(place)).totals, { human: 0, ai: 0, total: 0 })
})

test('trap, AI identity: an agent is one visitor per address', async () => {
  const place = await t.makePlace()
  await t.record(
    place,
    [1, 1, 2, 3].map((n) => view({ userAgent: chatGpt, address: `192.0.2.${n}` })),
  )
  const [agent] = await agents(place)
  assert.deepEqual([agent?.visitors, agent?.views], [3, 4])
})

test('trap, same client in both classes: the total is the union', async () => {
  const place = await t.makePlace()
  await t.record(place, [view(), view({ url: `${origin}/a.md` })])
  const { totals, visitors } = await t.visitors(place)
  assert.deepEqual(totals, { human: 1, ai: 1, total: 1 })
  assert.deepEqual(visitors, [{ path: '/a', human: 1, ai: 1, total: 1 }])
})

test('trap, .md, llms.txt, llms-full.txt: Markdown is its page, lists are pages', async () => {
  const place = await t.makePlace()
  const paths = ['/guide', '/guide.md', '/guide.mdx', '/guide/index.html', '/llms.txt', '/llms-full.txt', '/robots.txt']
  const { body } = await t.record(
    place,
    paths.map((path) => view({ url: origin + path })),
  )
  assert.deepEqual(
    body.rejected?.map(({ index }) => index),
    [6],
  )
  const rows = (await t.views(place)).views
  assert.deepEqual(rows, [
    { path: '/guide', human: 2, ai: 2, total: 4 },
    { path: '/llms-full.txt', human: 0, ai: 1, total: 1 },
    { path: '/llms.txt', human: 0, ai: 1, total: 1 },
  ])
})

test('trap, crawlers: they are kept, and are neither human nor AI', async () => {
  const place = await t.makePlace()
  await t.record(place, [view({ userAgent: gptBot }), view({ userAgent: gptBot, url: `${origin}/a.md` })])
  assert.deepEqual((await t.visitors(place)).totals, { human: 0, ai: 0, total: 0 })
  const { crawlers } = await t.asAdmin<{ crawlers: readonly object[] }>(
    'GET',
    `/v1/analytics/${place.projectId}/crawlers`,
  )
  assert.deepEqual(crawlers, [
    { agent: 'GPTBot', operator: 'OpenAI', category: 'ai_training', views: 2, verified: 0, unverified: 2 },
  ])
  await t.asAdmin('PATCH', `/v1/projects/${place.projectId}`, { categories: { ai_training: 'ai' } })
  assert.deepEqual((await t.visitors(place)).totals, { human: 0, ai: 1, total: 1 })
})

test('trap, path cardinality: a flood of made-up paths of a public site is bounded', async () => {
  const place = await t.makePlace()
  const sent = await Promise.all(
    Array.from({ length: 300 }, (_, n) => t.report(place, { body: { url: `${origin}/${n}?token=secret-${n}` } })),
  )
  assert.ok(sent.every(({ status }) => status === 202))
  const { views } = await t.views(place)
  assert.ok(views.every(({ path }) => !path.includes('secret')))
  const far = await t.report(place, { body: { url: `${origin}//evil.example/x`, timestamp: 0 } })
  assert.equal(far.status, 202)
  const header = { 'User-Agent': 'x'.repeat(20_000) }
  assert.equal((await t.report(place, { headers: header }).catch(() => ({ status: 431 }))).status, 431)
})

test('trap, double collection: one view that a browser and a server report is one', async () => {
  const place = await t.makePlace()
  const both = async () => {
    await t.report(place)
    await t.record(place, [view({ address: '127.0.0.1' })])
  }
  await both()
  assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 0, total: 1 })
  assert.equal((await t.views(place)).totals.total, 1)
  await t.report(place)
  assert.equal((await t.views(place)).totals.total, 2)
  for (const [collectionSource, views] of [
    ['browser', 2],
    ['server', 1],
  ] as const) {
    await t.asAdmin('PATCH', `/v1/projects/${place.projectId}`, { collectionSource })
    assert.equal((await t.views(place)).totals.total, views)
  }
})

test('trap, event against ingest time: a view counts on the day of its own time', async () => {
  const place = await t.makePlace()
  const { body } = await t.record(place, [
    view({ timestamp: midnight - 3 * dayMs }),
    view({ timestamp: '2100-01-01T00:00:00Z' }),
    view({ timestamp: '9999-12-31T23:59:59Z' }),
    view({ timestamp: '0000-01-01T00:00:00Z' }),
    view({ timestamp: -62_167_219_200_001 }),
  ])
  assert.deepEqual(
    [body.accepted, body.rejected?.map(({ reason }) => reason)],
    [1, ['in_future', 'in_future', 'too_old', 'too_old']],
  )
  const day = new Date(midnight - 3 * dayMs).toISOString().slice(0, 10)
  const next = new Date(midnight - 2 * dayMs).toISOString().slice(0, 10)
  const range = `dateFrom=${day}&dateTo=${next}`
  const { totals } = await t.asAdmin<{ totals: object }>('GET', `/v1/analytics/${place.projectId}/visitors?${range}`)
  assert.deepEqual(totals, { human: 1, ai: 0, total: 1 })
})

test('trap, erasure: an erased visitor leaves every count and returns as a new one', async () => {
  const place = await t.makePlace()
  await t.record(place, [view({ address: '192.0.2.1' }), view({ address: '192.0.2.2' })])
  const path = `/v1/analytics/${place.projectId}/visitors/erase`
  assert.deepEqual(await t.asAdmin('POST', path, { address: '192.0.2.1' }), { erased: { visitors: 1, pageViews: 1 } })
  assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 0, total: 1 })
  assert.deepEqual(await t.asAdmin('POST', path, { address: '192.0.2.1' }), { erased: { visitors: 0, pageViews: 0 } })
})

test('trap, derivable salts: a client has nothing in common in two projects', async () => {
  const [one, other] = [await t.makePlace(), await t.makePlace()]
  await t.record(one, [view({ address: '198.51.100.77', visitorId: undefined })])
  await t.record(other, [view({ address: '198.51.100.77' }), view({ visitorId: 'someone@example.com' })])
  const { openClickHouse } = await import('../../src/clickhouse/open.ts')
  const store = await openClickHouse({ kind: 'server', url: t.service.environment['CLICKHOUSE_URL'] ?? '' })
  const rows = await store.read<{ visitor: string; user_agent: string }>(
    'SELECT *, toString(visitor) AS visitor FROM page_views WHERE project_id IN ({one:String}, {other:String})',
    { one: one.projectId, other: other.projectId },
  )
  await store.close()
  assert.equal(new Set(rows.map(({ visitor }) => visitor)).size, 3)
  assert.ok(rows.every((row) => row.user_agent === chrome))
  assert.doesNotMatch(JSON.stringify(rows), /198\.51\.100|someone/)
})
