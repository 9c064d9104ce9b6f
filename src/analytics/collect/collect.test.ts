import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { pageView } from '../../../test/support/page-views.ts'
import type { RawPageView } from '../page-view.ts'
import { noCountries } from '../dimensions/country.ts'
import { type CollectingProject, createCollect } from './collect.ts'
import type { NewPageView } from './group-commit.ts'
import { emptiedColumns, emptyForStrict } from './strict.ts'

const clock = createManualClock()

const project: CollectingProject = {
  id: 'prj_a',
  timeZone: 'UTC',
  privacy: 'standard',
  visitorWindow: 'month',
  keptSince: 0,
  hosts: new Set(),
  hostsWithOptOut: new Set(),
  siteOfHost: new Map([['docs.example.com', 'site_docs']]),
  dimensionsOff: new Set(),
}

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const raw = (view: Partial<RawPageView> = {}): RawPageView => ({
  id: undefined,
  lineId: undefined,
  sameAs: [],
  time: clock.now().getTime(),
  source: 'server',
  siteId: undefined,
  scheme: undefined,
  host: undefined,
  path: '/a',
  query: '',
  title: undefined,
  country: undefined,
  userAgent: chrome,
  address: '192.0.2.1',
  visitorId: undefined,
  referrer: undefined,
  referrerPath: undefined,
  representation: undefined,
  method: undefined,
  status: 200,
  optedOut: false,
  signals: {},
  ...view,
})

/** Keeps the page views, what was counted, and who was classified. A rule says all that a client has beside its user agent. */
function collecting() {
  const stored: NewPageView[] = []
  const counts: unknown[] = []
  const labelled: string[] = []
  const collect = createCollect({
    clock,
    classify: (client) => {
      labelled.push(client.userAgent)
      const { source, scheme, representation, signals } = client
      const rule = `${source} ${scheme} ${representation} ${JSON.stringify(signals)}`
      return { category: 'unknown', agent: '', operator: '', rule }
    },
    identify: (_where, clients) =>
      Promise.resolve(clients.map((_client, at) => ({ visitor: BigInt(at), saltWindow: '' }))),
    verify: () => 'none',
    countryOf: noCountries,
    commit: { append: (views) => Promise.resolve(void stored.push(...views)), checkRoom: () => undefined },
    countViews: (...count) => counts.push(count),
  })
  return { collect, stored, counts, labelled }
}

test('a page view from a server is of the site that has its host', async () => {
  const { collect, stored } = collecting()
  await collect(project, [raw({ host: 'docs.example.com' }), raw({ host: 'other.example.com' }), raw()])
  assert.deepEqual(
    stored.map(({ siteId }) => siteId),
    ['site_docs', '', ''],
  )
})

test('page views with one user agent are labelled by everything else of their request', async () => {
  const { collect, stored } = collecting()
  const [signals, others] = [{}, { accept: 'text/html' }]
  const differences: readonly Partial<RawPageView>[] = [
    { source: 'log' },
    { scheme: 'http' },
    { representation: 'markdown' },
    { signals: others },
  ]
  const views = differences.flatMap((one) => [raw({ signals }), raw({ signals, ...one })])
  await collect(project, views)
  assert.deepEqual(
    stored.map(({ rule }) => rule),
    [
      'log undefined html {}',
      'server http html {}',
      'server undefined markdown {}',
      'server undefined html {"accept":"text/html"}',
    ].flatMap((rule) => ['server undefined html {}', rule]),
  )
})

test('strict privacy stores page, class and visitor, and honours every opt-out', async () => {
  const { collect, stored } = collecting()
  const sent = raw({
    siteId: 'site_a',
    host: 'docs.example.com',
    path: '/missing',
    status: 404,
    referrer: 'docs.example.com',
    referrerPath: '/start',
    visitorId: 'ada',
    country: 'DE',
    query: '?ref=x',
    title: 'Missing',
    signals: { accept: 'text/html', 'accept-language': 'de' },
  })
  const optedOut = [raw({ optedOut: true }), raw({ optedOut: true, host: 'docs.example.com' })]
  const usual = { ...project, hosts: new Set(['docs.example.com']) }
  assert.equal((await collect(usual, [sent, ...optedOut])).accepted, 3)
  const { dropped } = await collect({ ...usual, privacy: 'strict', visitorWindow: 'day' }, [sent, ...optedOut])
  assert.deepEqual(
    dropped.map(({ reason }) => reason),
    ['opted_out', 'opted_out'],
  )
  const [standard, , , strict] = stored
  assert.ok(standard && strict)
  const changes = Object.keys(standard).filter((name) => {
    const [before, after] = [standard, strict].map((view) => JSON.stringify(Reflect.get(view, name), bigIntText))
    return before !== after && name !== 'viewId'
  })
  const dimensions = ['country', 'language', 'device', 'browser', 'os', 'campaign', 'title']
  assert.deepEqual(changes, ['referrer', 'referrerPath', ...dimensions, 'userAgent', 'signals'])
  assert.deepEqual(emptyForStrict(strict), strict)
  assert.equal(strict.signals.accept, undefined)
})

test('strict privacy empties a field that it does not know', () => {
  const view = { ...pageView(), later: 'x' }
  assert.deepEqual(emptyForStrict(view), { ...view, later: '', userAgent: '' })
  assert.deepEqual(emptiedColumns(['path', 'later', 'is_download', 'of_later']), ['later', 'of_later'])
})

test('a client is classified once for all of its page views in a request', async () => {
  const { collect, labelled } = collecting()
  const signals = {}
  await collect(
    project,
    [chrome, chrome, 'curl/8.17.0', chrome, 'curl/8.17.0'].map((userAgent) => raw({ userAgent, signals })),
  )
  assert.deepEqual(labelled, [chrome, 'curl/8.17.0'])
})

test('every page view is counted by its source: accepted, or by the reason against it', async () => {
  const { collect, counts, stored } = collecting()
  const views = [raw(), raw({ status: 500, source: 'log' }), raw({ source: 'log' }), raw({ path: '/a.png' })]
  const { accepted, dropped } = await collect(project, views)
  assert.deepEqual([accepted, stored.length], [2, 2])
  assert.deepEqual(
    dropped.map(({ index, reason }) => [index, reason]),
    [
      [1, 'status'],
      [3, 'not_a_page'],
    ],
  )
  assert.deepEqual(counts, [
    ['server', 'accepted', 1],
    ['log', 'accepted', 1],
    ['log', 'status', 1],
    ['server', 'not_a_page', 1],
  ])
})

function bigIntText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
