import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { optOutHeaders as optOutsOfService, signalHeaders as signalsOfService } from '../../src/analytics/page-view.ts'
import { type Exchange, join, optOutHeaders, signalHeaders, toPageView } from './page-view.ts'

const exchange = (changes: Partial<Exchange> & { headers?: Record<string, string> } = {}): Exchange => ({
  method: 'GET',
  url: 'https://docs.example.com/guide',
  header: (name) => changes.headers?.[name],
  address: '192.0.2.7',
  time: 1_795_000_000_000,
  status: 200,
  contentType: 'text/html; charset=utf-8',
  ...changes,
})

test('a page view has the request and the response, and no secrets', () => {
  const headers = {
    accept: 'text/html',
    'user-agent': 'Mozilla/5.0',
    'sec-ch-ua': '"Chromium";v="156"',
    referer: 'https://u:p@www.example.org/search?q=secret#x',
    cookie: 'a=b',
    authorization: 'Bearer x',
    'x-forwarded-for': '198.51.100.1',
  }
  const { id, ...rest } = toPageView(exchange({ url: 'https://docs.example.com/guide?token=x#y', headers })) ?? {}
  assert.match(id ?? '', /^[\da-f-]{36}$/)
  assert.deepEqual(rest, {
    timestamp: 1_795_000_000_000,
    url: 'https://docs.example.com/guide',
    method: 'GET',
    status: 200,
    userAgent: 'Mozilla/5.0',
    address: '192.0.2.7',
    referrer: 'https://www.example.org',
    representation: 'html',
    headers: { accept: 'text/html', 'sec-ch-ua': '"Chromium";v="156"' },
  })
})

test('a missing page has the address of the page that links to it, without query', () => {
  const read = (referer: string, status = 404) => toPageView(exchange({ status, headers: { referer } }))?.referrer
  assert.equal(read('https://u:p@docs.example.com/start?q=secret#x'), 'https://docs.example.com/start')
  assert.equal(read('https://docs.example.com'), 'https://docs.example.com')
  assert.equal(read('https://docs.example.com?q=/secret'), 'https://docs.example.com')
  assert.equal(read('https://docs.example.com/start', 200), 'https://docs.example.com')
  assert.equal(read(`https://docs.example.com/${'a'.repeat(4_096)}`), 'https://docs.example.com')
})

test('requests that are not page views are left out', () => {
  const no = undefined
  const table: [Partial<Exchange>, 'html' | 'markdown' | 'unsaid' | undefined][] = [
    [{}, 'html'],
    [{ method: 'HEAD' }, no],
    [{ method: 'POST' }, no],
    [{ method: 'get' }, no],
    [{ status: 304, contentType: undefined }, 'unsaid'],
    [{ status: 404 }, 'html'],
    [{ status: 301 }, no],
    [{ status: 204, contentType: undefined }, no],
    [{ status: 206 }, no],
    [{ status: 500 }, no],
    [{ contentType: 'TEXT/HTML' }, 'html'],
    [{ contentType: 'application/xhtml+xml' }, 'html'],
    [{ contentType: 'text/markdown' }, 'markdown'],
    [{ contentType: 'text/x-markdown;charset=utf-8' }, 'markdown'],
    [{ contentType: 'application/json' }, no],
    [{ contentType: 'image/png' }, no],
    [{ contentType: 'constructor' }, no],
    [{ contentType: undefined }, 'unsaid'],
    [{ contentType: null }, 'unsaid'],
    [{ url: '/llms.txt', contentType: 'text/plain' }, 'unsaid'],
    [{ url: '/docs/llms-full.TXT', contentType: 'text/plain' }, 'unsaid'],
    [{ url: '/robots.txt', contentType: 'text/plain' }, no],
    [{ url: '/guide.md', contentType: 'text/plain' }, 'unsaid'],
    [{ url: '/app.js', contentType: 'text/javascript' }, no],
    [{ url: '/app.js', contentType: undefined }, no],
    [{ url: '/docs/node.js' }, 'html'],
    [{ url: '/docs/node.js', contentType: 'text/markdown' }, 'markdown'],
    [{ url: '/docs/node.js', status: 404 }, no],
    [{ url: '/a/Logo.SVG?x=.html', contentType: undefined }, no],
    [{ url: '/sitemap.xml', contentType: 'text/plain' }, no],
    [{ url: '/fonts/a.woff2', contentType: '' }, no],
    [{ url: '/.well-known/llms.txt', contentType: 'text/plain' }, 'unsaid'],
    [{ url: '/v1.2' }, 'html'],
    [{ url: '/node.js/' }, 'html'],
    [{ url: '/page.html#a.png' }, 'html'],
    [{ url: `/${'a'.repeat(4_096)}` }, no],
  ]
  for (const [changes, expected] of table) {
    const view = toPageView(exchange(changes))
    const kind = view && (view.representation ?? 'unsaid')
    assert.equal(kind, expected, JSON.stringify(changes))
  }
})

test('a query is sent as the form of the page and the site of the link alone', () => {
  const table: [string, string][] = [
    ['/a?format=md', '/a?format=md'],
    ['/a?q=secret&format=markdown#x?utm_source=chatgpt.com', '/a?format=markdown'],
    ['/a?utm_source=chatgpt.com&utm_medium=x&token=y&ref=z', '/a?utm_source=chatgpt.com&utm_medium=x&ref=z'],
    ['/a?utm_id=ada&utm_source=a&utm_source=b', '/a?utm_source=a'],
    ['/a?format=mdx&xformat=md', '/a'],
    ['/a', '/a'],
  ]
  for (const [url, expected] of table) assert.equal(toPageView(exchange({ url }))?.path, expected, url)
})

test('only headers that the service accepts are sent', () => {
  assert.deepEqual(signalHeaders, signalsOfService)
  assert.deepEqual(optOutHeaders, optOutsOfService)
  const view = toPageView(exchange({ contentType: 'text/html', header: (name) => (name === 'sec-gpc' ? '1' : null) }))
  assert.deepEqual(view?.headers, { 'sec-gpc': '1' })
})

test('the requested path stays on the site, in any spelling', () => {
  const table: [string | undefined, string, string][] = [
    ['https://a.example', '/x?y', 'https://a.example/x?y'],
    ['https://a.example', '//evil.example/x', 'https://a.example//evil.example/x'],
    ['https://a.example', 'http://evil.example/x', 'https://a.example/x'],
    ['https://a.example', 'http://evil.example', 'https://a.example/'],
    ['https://a.example', '', 'https://a.example/'],
    ['https://a.example', '*', 'https://a.example/*'],
    [undefined, '/x', '/x'],
  ]
  for (const [origin, target, expected] of table) assert.equal(join(origin, target), expected)
})

test('no client can make a page view large or give it a query', () => {
  const text = fc.string({ unit: 'binary', maxLength: 3_000 })
  fc.assert(
    fc.property(text, text, fc.webUrl({ withQueryParameters: true, withFragments: true }), (value, type, url) => {
      const view = toPageView(exchange({ url, contentType: 'text/html', header: () => value }))
      if (view) {
        assert.ok(JSON.stringify(view).length < 100_000)
        assert.ok(!/[?#]/.test(view.url ?? ''))
        assert.ok(!/[/?#@]/.test(view.referrer?.replace(/^[^:]+:\/\//, '') ?? ''))
        assert.ok(!JSON.stringify(view).includes('\n'))
      }
      toPageView(exchange({ url: value, contentType: type }))
    }),
  )
})
