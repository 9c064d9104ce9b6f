import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asksForMarkdown } from '../classify/markdown.ts'
import { parseBrowserView, parsePageView, type Parsed } from './parse.ts'
import type { RawPageView } from '../page-view.ts'

const plain = { timestamp: 1_763_712_000_000, url: 'https://docs.example.com/a', userAgent: 'Mozilla/5.0' }

function viewOf(parsed: Parsed): RawPageView {
  if ('view' in parsed) return parsed.view
  throw new Error(parsed.invalid)
}

function refused(change: object): string {
  const parsed = parsePageView({ ...plain, ...change }, 'server')
  return 'invalid' in parsed ? parsed.invalid : 'taken'
}

test('a page view has every known field, but no query, fragment or credentials', () => {
  const parsed = parsePageView(
    {
      id: 'a',
      lineId: undefined,
      sameAs: [],
      timestamp: '2026-11-21T10:00:00.123+01:00',
      url: 'https://user:secret@Docs.Example.com:8443/a/b?token=secret&utm_source=News%20letter&ref=%zz&utm_id=secret#secret',
      title: 'Guide',
      country: 'de',
      userAgent: 'x'.repeat(5_000),
      address: '192.0.2.1',
      visitorId: 'v',
      referrer: 'https://user:secret@Search.example/?q=secret',
      representation: 'markdown',
      method: 'get',
      status: 304,
      headers: { Accept: 'text/markdown', 'Sec-GPC': '1', Cookie: 'secret', 'sec-ch-ua': 7 },
    },
    'server',
  )
  assert.deepEqual(parsed, {
    view: {
      id: 'a',
      lineId: undefined,
      sameAs: [],
      time: Date.UTC(2026, 10, 21, 9, 0, 0, 123),
      source: 'server',
      siteId: undefined,
      scheme: 'https',
      host: 'docs.example.com',
      path: '/a/b',
      query: '?utm_source=News%20letter&ref=%zz',
      title: 'Guide',
      country: 'DE',
      userAgent: 'x'.repeat(1_024),
      address: '192.0.2.1',
      visitorId: 'v',
      referrer: 'search.example',
      referrerPath: undefined,
      representation: 'markdown',
      method: 'GET',
      status: 304,
      optedOut: true,
      signals: { accept: 'text/markdown' },
    },
  })
  assert.doesNotMatch(JSON.stringify(parsed), /secret/)
})

test('at most 100 headers of a page view are read', () => {
  const headersWith = (count: number) =>
    Object.fromEntries([
      ...Array.from({ length: count }, (_, at) => [`x-${at}`, '1'] as const),
      ['accept', 'text/html'],
    ])
  assert.deepEqual(viewOf(parsePageView({ ...plain, headers: headersWith(99) }, 'server')).signals, {
    accept: 'text/html',
  })
  assert.deepEqual(viewOf(parsePageView({ ...plain, headers: headersWith(100) }, 'server')).signals, {})
  let reads = 0
  const counted = new Proxy(headersWith(1_000), { get: (target, name) => ((reads += 1), Reflect.get(target, name)) })
  parsePageView({ ...plain, headers: counted }, 'server')
  assert.equal(reads, 100)
})

const times: readonly (readonly [unknown, number | 'refused'])[] = [
  [0, 0],
  [1.9, 1],
  [-1, -1],
  ['2026-11-21T10:00:00Z', Date.UTC(2026, 10, 21, 10)],
  ['2026-11-21 10:00:00Z', Date.UTC(2026, 10, 21, 10)],
  ['2026-11-21T10:00Z', Date.UTC(2026, 10, 21, 10)],
  ['2026-11-21T10:00:00.123456789Z', Date.UTC(2026, 10, 21, 10, 0, 0, 123)],
  ['2026-11-21T10:00:00+05:45', Date.UTC(2026, 10, 21, 4, 15)],
  ['2026-11-21T10:00:00+0545', Date.UTC(2026, 10, 21, 4, 15)],
  ['2026-11-21T10:00:00-11:00', Date.UTC(2026, 10, 21, 21)],
  ['0000-01-01T00:00:00Z', Date.parse('0000-01-01T00:00:00Z')],
  ['9999-12-31T23:59:59Z', Date.parse('9999-12-31T23:59:59Z')],
  ['2026-02-30T10:00:00Z', 'refused'],
  ['2026-13-01T10:00:00Z', 'refused'],
  ['2026-11-21T25:00:00Z', 'refused'],
  ['2026-11-21T10:00:00', 'refused'],
  ['2026-11-21', 'refused'],
  ['2016-12-31T23:59:60Z', 'refused'],
  ['yesterday', 'refused'],
  ['', 'refused'],
  [null, 'refused'],
  [undefined, 'refused'],
  [true, 'refused'],
  [Number.NaN, 'refused'],
  [1e300, 'refused'],
]

for (const [timestamp, expected] of times) {
  test(`the time ${JSON.stringify(timestamp)} is ${expected}`, () => {
    const parsed = parsePageView({ ...plain, timestamp }, 'server')
    assert.equal('view' in parsed ? parsed.view.time : 'refused', expected)
  })
}

test('malformed input is refused without repeating it', () => {
  assert.equal(refused({ url: undefined }), '`url` or `path` is missing')
  assert.equal(refused({ url: 'javascript:alert(1)' }), '`url` must be an http or https address')
  assert.equal(refused({ url: 'secret' }), '`url` must be an http or https address')
  assert.equal(refused({ url: `https://a/${'x'.repeat(20_000)}` }), '`url` has more than 16384 characters')
  assert.equal(refused({ url: undefined, path: 'a' }), '`path` must begin with a slash')
  assert.equal(refused({ userAgent: 5 }), '`userAgent` must be a string')
  assert.equal(refused({ status: '200' }), '`status` must be an HTTP status')
  assert.equal(refused({ status: 99 }), '`status` must be an HTTP status')
  assert.equal(refused({ representation: 'pdf' }), '`representation` must be html or markdown')
  assert.equal(refused({ headers: [] }), '`headers` must be an object')
  for (const sameAs of ['a', [5], ['a', 'b', 'c', 'd', 'e'], ['x'.repeat(201)]]) {
    assert.equal(refused({ sameAs }), '`sameAs` must be at most 4 ids')
  }
  assert.equal(refused({ id: 'x'.repeat(201) }), '`id` has more than 200 characters')
  for (const value of [null, [], 'text', 7, undefined]) {
    assert.deepEqual(parsePageView(value, 'server'), { invalid: 'must be an object' })
  }
})

test('a path alone needs no site', () => {
  const view = viewOf(parsePageView({ timestamp: 0, path: '/a?b' }, 'server'))
  assert.deepEqual([view.host, view.path, view.userAgent, view.address], [undefined, '/a', '', undefined])
})

test('the query of a path has no effect on the page', () => {
  const table = { '/guide?file=a.md': false, '/guide#a.md': false, '/guide.md?v=1': true, '/llms.txt?v=1': true }
  for (const [path, expected] of Object.entries(table)) {
    const view = viewOf(parsePageView({ timestamp: 0, path }, 'server'))
    assert.equal(asksForMarkdown(view), expected, path)
  }
})

test('a query counts for the form of the page and the site of the link', () => {
  const read = (change: object) => {
    const { path, representation, referrer } = viewOf(parsePageView({ ...plain, ...change }, 'server'))
    return [path, representation, referrer]
  }
  const url = 'https://docs.example.com/a'
  assert.deepEqual(read({ url: `${url}?format=md` }), ['/a', 'markdown', undefined])
  assert.deepEqual(read({ url: `${url}?x=1&Format=Markdown#y` }), ['/a', 'markdown', undefined])
  assert.deepEqual(read({ url: `${url}?format=md`, representation: 'html' }), ['/a', 'html', undefined])
  assert.deepEqual(read({ url: `${url}#?format=md` }), ['/a', undefined, undefined])
  assert.deepEqual(read({ url: `${url}?utm_source=ChatGPT.com&utm_medium=x` }), ['/a', undefined, 'chatgpt.com'])
  assert.deepEqual(read({ url: undefined, path: '/a?utm_source=chatgpt.com' }), ['/a', undefined, 'chatgpt.com'])
  assert.deepEqual(read({ url: `${url}?utm_source=mail.secret.example` }), ['/a', undefined, undefined])
  const both = { url: `${url}?utm_source=chatgpt.com`, referrer: 'https://news.example/x' }
  assert.deepEqual(read(both), ['/a', undefined, 'news.example'])
})

test('an app is a referrer by its id', () => {
  const referrer = 'android-app://com.Google.android.gm/inbox?q=secret'
  const view = viewOf(parsePageView({ ...plain, referrer }, 'server'))
  assert.equal(view.referrer, 'android-app://com.google.android.gm')
})

test('a referrer of the same host, or an invalid one, counts as no referrer', () => {
  const tooLong = `https://${'a.'.repeat(127)}com/`
  for (const referrer of ['https://docs.example.com/b', 'android-app://x', 'text', '', null, tooLong]) {
    assert.equal(viewOf(parsePageView({ ...plain, referrer }, 'server')).referrer, undefined)
  }
})

test('the path of the referring page of a 404 is known only where a client names it', () => {
  const host = 'https://docs.example.com'
  for (const [referrer, expected, status = 404] of [
    [`${host}/guide/start?token=secret#x`, '/guide/start'],
    ['https://ada:secret@docs.example.com:8443/guide', '/guide'],
    [`${host}/`, '/'],
    [host, undefined],
    [`${host}?x=/guide`, undefined],
    [`${host}#/guide`, undefined],
    ['https://other.example.com/start', '/start'],
    ['https://other.example.com/', undefined],
    [`https://${'a.'.repeat(127)}com/start`, undefined],
    ['android-app://com.google.android.gm/inbox', undefined],
    ['/guide', undefined],
    ['', undefined],
    [`${host}/guide`, undefined, 200],
    [`${host}/guide`, undefined, null],
  ] as const) {
    const view = viewOf(parsePageView({ ...plain, referrer, status }, 'server'))
    assert.equal(view.referrerPath, expected, `${referrer} ${status}`)
  }
  const hostless = parsePageView({ timestamp: 0, path: '/a', status: 404, referrer: `${host}/guide` }, 'log')
  assert.deepEqual([viewOf(hostless).referrer, viewOf(hostless).referrerPath], ['docs.example.com', '/guide'])
})

test('a browser gives the page and its status; all else is that of its request', () => {
  const request = {
    siteId: 'site_1',
    time: 5,
    userAgent: 'real',
    address: '192.0.2.9',
    country: undefined,
    optedOut: false,
    signals: { accept: '*/*' },
  } as const
  const body = {
    ...plain,
    address: '1.1.1.1',
    country: 'FR',
    title: 'Guide',
    visitorId: 'forged',
    headers: { accept: 'text/markdown' },
    representation: 'markdown',
    status: 404,
    method: 'POST',
  }
  const view = viewOf(parseBrowserView(body, request))
  assert.deepEqual(
    { ...view, path: '', host: '', scheme: '' },
    {
      ...request,
      id: undefined,
      lineId: undefined,
      sameAs: [],
      source: 'browser',
      scheme: '',
      host: '',
      path: '',
      query: '',
      title: 'Guide',
      visitorId: undefined,
      referrer: undefined,
      referrerPath: undefined,
      representation: undefined,
      method: undefined,
      status: 404,
    },
  )
  assert.equal(viewOf(parseBrowserView({ ...plain, optOut: true }, request)).optedOut, true)
  assert.deepEqual(parseBrowserView({ path: '/a' }, request), { invalid: '`url` is missing' })
})

test('any input gives a page view or a reason', () => {
  const value = fc.oneof(
    fc.anything(),
    fc.record({ timestamp: fc.anything(), url: fc.oneof(fc.webUrl(), fc.anything()), headers: fc.anything() }),
  )
  fc.assert(
    fc.property(value, (item) => {
      const parsed = parsePageView(item, 'server')
      assert.ok('view' in parsed || parsed.invalid.length > 0)
    }),
    { numRuns: 2_000 },
  )
})
