import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { noDimensions } from '../../../test/support/page-views.ts'
import { sharedStore, storeKinds } from '../../../test/support/test-store.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import { agents } from '../classify/agents.ts'
import { browsers, chrome, firefox } from '../classify/browsers.fixture.ts'
import { type Client, classify, listDate } from '../classify/classify.ts'
import { clientDimensions } from '../dimensions/client.ts'
import type { PageView } from '../page-view.ts'
import { reclassify } from './reclassify.ts'
import { insertPageViews } from '../store.ts'

const dimensionsOff: ReadonlySet<never> = new Set()
const day = Date.parse('2026-11-10T12:00:00Z')

let last = 0n
const html: Client = { userAgent: '', signals: {}, source: 'server', scheme: 'https', representation: 'html' }

const common = {
  siteId: '',
  time: day,
  path: '/',
  status: 200,
  isDownload: false,
  visitor: 7n,
  saltWindow: '',
  verified: 'none',
  listDate: '2026-01-01',
  referrer: '',
  referrerPath: '',
  ...noDimensions,
} as const

function viewOf(projectId: string, client: Client, more: Partial<PageView> = {}): PageView {
  last += 1n
  const { userAgent, signals, source, representation } = client
  return {
    ...common,
    projectId,
    viewId: last,
    hasLineId: false,
    representation,
    source,
    userAgent,
    signals,
    ...clientDimensions(client),
    ...classify(client),
    ...more,
  }
}

const fields = 'category, agent, operator, rule, verified, toString(list_date) AS list_date'
const rowsOf = (store: ClickHouse, projectId: string) =>
  store.readWritten<Readonly<Record<string, string>>>(
    `SELECT ${fields} FROM page_views WHERE project_id = {projectId:String} ORDER BY view_id`,
    { projectId },
  )
const versionOf = async (store: ClickHouse, projectId: string) => {
  const sql = `SELECT count() AS rows, toString(sum(cityHash64(view_id, category, agent, verified))) AS sum
    FROM page_views WHERE project_id = {projectId:String} GROUP BY project_id`
  return (await store.readWritten<{ rows: number; sum: string }>(sql, { projectId }))[0]
}

const older = { category: 'browser', agent: '', operator: '', rule: 'older:browser', verified: 'none' } as const

const hints = fc.constantFrom('"Chromium";v="142", "Google Chrome";v="142"', '"Chromium";v="120"')
const accept = fc.constantFrom(
  '*/*',
  'text/html,*/*;q=0.8',
  'text/markdown, text/html',
  'text/markdown,text/plain;q=0.9,*/*;q=0.8',
)
const anyClient: fc.Arbitrary<Client> = fc.record({
  userAgent: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(chrome, firefox) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(chrome, ...browsers, ...agents.map(({ example }) => example), 'curl/8.14.1', ''),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  ),
  signals: fc.record(
    {
      accept,
      'sec-ch-ua': hints,
      'sec-fetch-mode': fc.constant('navigate'),
      'x-conversation-id': fc.constant('1'),
      'accept-language': fc.string({ unit: 'grapheme', maxLength: 20 }),
    },
    { requiredKeys: [] },
  ),
  source: fc.constantFrom('browser', 'server', 'log'),
  scheme: fc.constantFrom('http', 'https', undefined),
  representation: fc.constantFrom('html', 'markdown'),
})

for (const kind of storeKinds) {
  test(`only rows with another label by today's list are changed (${kind})`, async () => {
    const store = await sharedStore(kind)
    const userAgent = agents.find(({ id }) => id === 'chatgpt-user')?.example ?? ''
    const chatgpt = { ...html, userAgent }
    await insertPageViews(store, [
      viewOf('prj_reclassify_a', chatgpt, older),
      viewOf('prj_reclassify_a', chatgpt, { verified: 'failed' }),
      viewOf('prj_reclassify_a', chatgpt, { rule: 'older:chatgpt', verified: 'address' }),
      viewOf('prj_reclassify_a', chatgpt, { operator: "O'Pen\\AI", agent: "it's", verified: 'address' }),
      viewOf('prj_reclassify_a', chatgpt, { ...older, time: day - 1 }),
      viewOf('prj_reclassify_a', html, older),
      viewOf('prj_reclassify_a', { ...html, signals: { 'x-conversation-id': 'ü"\\1' } }, older),
      viewOf('prj_reclassify_b', chatgpt, older),
    ])
    const version = await versionOf(store, 'prj_reclassify_a')
    const progress: number[] = []
    const task = {
      projectId: 'prj_reclassify_a',
      dimensionsOff,
      since: day,
      onProgress: ({ looked }: { looked: number }) => progress.push(looked),
    }
    assert.deepEqual(await reclassify(store, task), { looked: 5, changed: 4 })
    assert.deepEqual(progress, [5])
    const today = { category: 'ai_assistant', agent: 'ChatGPT-User', operator: 'OpenAI', rule: 'chatgpt-user' }
    const kept = { ...older, list_date: '2026-01-01' }
    const rows = await rowsOf(store, 'prj_reclassify_a')
    assert.deepEqual(rows, [
      { ...today, verified: 'none', list_date: listDate },
      { ...today, verified: 'failed', list_date: '2026-01-01' },
      { ...today, verified: 'address', list_date: listDate },
      { ...today, verified: 'none', list_date: listDate },
      kept,
      kept,
      { ...older, category: 'ai_undeclared', rule: 'header:conversation', list_date: listDate },
    ])
    assert.notDeepEqual(await versionOf(store, 'prj_reclassify_a'), version)
    assert.equal((await rowsOf(store, 'prj_reclassify_b'))[0]?.['rule'], 'older:browser')

    assert.deepEqual(await reclassify(store, { dimensionsOff, projectId: 'prj_reclassify_a', since: day }), {
      looked: 2,
      changed: 0,
    })
    assert.deepEqual(await rowsOf(store, 'prj_reclassify_a'), rows)
    assert.deepEqual(await reclassify(store, { dimensionsOff, projectId: 'prj_reclassify_none', since: 0 }), {
      looked: 0,
      changed: 0,
    })
  })

  test(`more kinds than one statement changes are changed all (${kind})`, async () => {
    const store = await sharedStore(kind)
    const views = Array.from({ length: 1_201 }, (_, at) =>
      viewOf('prj_reclassify_many', { ...html, userAgent: `curl/8.${at}` }, older),
    )
    await insertPageViews(store, views)
    assert.deepEqual(await reclassify(store, { dimensionsOff, projectId: 'prj_reclassify_many', since: 0 }), {
      looked: 1_201,
      changed: 1_201,
    })
    assert.deepEqual(
      new Set((await rowsOf(store, 'prj_reclassify_many')).map(({ rule }) => rule)),
      new Set([classify({ ...html, userAgent: 'curl/8.1' }).rule]),
    )
  })

  test(`the same list changes no row, for any client and scheme (${kind})`, async () => {
    const store = await sharedStore(kind)
    const clients = fc.sample(anyClient, { numRuns: 5_000, seed: 4 })
    await insertPageViews(
      store,
      clients.map((client) => viewOf('prj_reclassify_same', client)),
    )
    const rules = new Set((await rowsOf(store, 'prj_reclassify_same')).map(({ rule }) => rule))
    for (const rule of [
      'header:chrome-without-hints',
      'header:chrome-other-version',
      'header:hints-of-another',
      'empty',
    ]) {
      assert.ok(rules.has(rule), rule)
    }
    const { looked, changed } = await reclassify(store, { dimensionsOff, projectId: 'prj_reclassify_same', since: 0 })
    assert.ok(looked > 1_000)
    assert.equal(changed, 0)
  })
}
