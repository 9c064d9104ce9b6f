import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../../test/support/linear.ts'
import { isRejected, type ParseLine, type WirePageView } from '../wire-page-view.ts'
import { createParser, detectFormat, formatNames, readFormat } from './formats.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36'
const ten = Date.UTC(2026, 10, 21, 10)
const rest = `[21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "${chrome}"`

/** As it is sent. */
function send(parse: ParseLine, line: string): unknown {
  return JSON.parse(JSON.stringify(parse(line)))
}

// As the documentation of each vendor shows it.
const caddyLine = {
  level: 'info',
  ts: 1_795_255_200.123,
  logger: 'http.log.access',
  msg: 'handled request',
  request: {
    remote_ip: '10.0.0.1',
    remote_port: '41342',
    client_ip: '203.0.113.9',
    proto: 'HTTP/2.0',
    method: 'GET',
    host: 'docs.example.com',
    uri: '/guide?token=secret',
    headers: {
      'User-Agent': ['Claude-User/1.0'],
      Accept: ['text/markdown', 'text/html;q=0.9'],
      'Accept-Language': ['en'],
      Dnt: ['1'],
      Cookie: ['REDACTED'],
      Authorization: ['Bearer secret'],
      Referer: ['https://example.com/?q=secret'],
    },
    tls: { resumed: false, version: 772, cipher_suite: 4_865, proto: 'h2', server_name: 'docs.example.com' },
  },
  bytes_read: 0,
  user_id: '',
  duration: 0.001,
  size: 10_900,
  status: 200,
  resp_headers: { Server: ['Caddy'], 'Content-Type': ['text/markdown; charset=utf-8'] },
}
const caddyView = {
  timestamp: ten + 123,
  url: 'https://docs.example.com/guide',
  method: 'GET',
  status: 200,
  userAgent: 'Claude-User/1.0',
  address: '203.0.113.9',
  referrer: 'https://example.com/',
  representation: 'markdown',
  headers: { accept: 'text/markdown, text/html;q=0.9', 'accept-language': 'en', dnt: '1' },
}
const cloudflareLine = {
  ClientIP: '203.0.113.9',
  ClientRequestHost: 'docs.example.com',
  ClientRequestMethod: 'GET',
  ClientRequestURI: '/guide?token=secret',
  ClientRequestUserAgent: chrome,
  ClientRequestReferer: 'https://example.com/?q=secret',
  ClientRequestSource: 'eyeball',
  EdgeStartTimestamp: '2026-11-21T10:00:00.123456Z',
  EdgeResponseStatus: 200,
  EdgeResponseContentType: 'text/html',
  RayID: '8a1b2c3d4e5f6071',
}
const cloudflareView = {
  id: '8a1b2c3d4e5f6071',
  timestamp: ten + 123,
  url: 'https://docs.example.com/guide',
  method: 'GET',
  status: 200,
  userAgent: chrome,
  address: '203.0.113.9',
  referrer: 'https://example.com/',
  representation: 'html',
}
const vercelLine = {
  id: '1573817187330377061717300000',
  deploymentId: 'dpl_1',
  source: 'static',
  host: 'deployment.vercel.app',
  timestamp: ten + 200,
  projectId: 'prj_1',
  level: 'info',
  proxy: {
    timestamp: ten + 123,
    method: 'GET',
    scheme: 'https',
    host: 'docs.example.com',
    path: '/guide?token=secret',
    userAgent: [chrome],
    referer: 'https://example.com/?q=secret',
    statusCode: 200,
    clientIp: '203.0.113.9',
    region: 'sfo1',
    cacheId: 'pdx1::v8g4b',
  },
}
const { representation: _, ...withoutRepresentation } = cloudflareView
const vercelView = { ...withoutRepresentation, id: vercelLine.id }
const pageView = { id: 'a', timestamp: '2026-11-21T10:00:00Z', path: '/a', userAgent: 'x', headers: { accept: '*/*' } }

type Case = readonly [name: string, format: string, line: unknown, expected: unknown]
const { request } = caddyLine
const cases: readonly Case[] = [
  ['an access line', 'caddy', caddyLine, caddyView],
  ['a time in ISO 8601', 'caddy', { ...caddyLine, ts: '2026-11-21T11:00:00.123+0100' }, caddyView],
  ['a time in milliseconds', 'caddy', { ...caddyLine, ts: ten + 123 }, caddyView],
  ['30 February', 'caddy', { ...caddyLine, ts: '2026-02-30T11:00:00Z' }, { rejected: 'bad_time' }],
  [
    'an older release',
    'caddy',
    {
      ...caddyLine,
      request: { ...request, client_ip: undefined, remote_ip: undefined, remote_addr: '[2001:db8::1%eth0]:5' },
    },
    { ...caddyView, address: '2001:db8::1' },
  ],
  [
    'no TLS',
    'caddy',
    { ...caddyLine, request: { ...request, tls: undefined } },
    { ...caddyView, url: 'http://docs.example.com/guide' },
  ],
  ['a picture', 'caddy', { ...caddyLine, resp_headers: { 'content-type': ['image/png'] } }, { rejected: 'not_a_page' }],
  ['another message', 'caddy', { level: 'info', ts: 1, msg: 'server running' }, { rejected: 'not_a_visit' }],
  ['an error with its request', 'caddy', { ...caddyLine, status: undefined }, { rejected: 'not_a_visit' }],
  [
    'headers that are none',
    'caddy',
    { ...caddyLine, request: { ...request, headers: { 'User-Agent': 5, Accept: [1] } } },
    { ...caddyView, userAgent: '', referrer: undefined, headers: undefined },
  ],
  ['RFC 3339', 'cloudflare', cloudflareLine, cloudflareView],
  [
    'seconds',
    'cloudflare',
    { ...cloudflareLine, EdgeStartTimestamp: ten / 1_000 },
    { ...cloudflareView, timestamp: ten },
  ],
  ['a fetch of a worker', 'cloudflare', { ...cloudflareLine, WorkerSubrequest: true }, { rejected: 'not_a_visit' }],
  [
    'a health check',
    'cloudflare',
    { ...cloudflareLine, ClientRequestSource: 'healthcheck' },
    { rejected: 'not_a_visit' },
  ],
  ['a picture', 'cloudflare', { ...cloudflareLine, EdgeResponseContentType: 'image/png' }, { rejected: 'not_a_page' }],
  [
    'an error in JSON',
    'cloudflare',
    { ...cloudflareLine, EdgeResponseContentType: 'application/json', EdgeResponseStatus: 404 },
    { ...cloudflareView, representation: undefined, status: 404 },
  ],
  ['no Ray ID', 'cloudflare', { ...cloudflareLine, RayID: '' }, { ...cloudflareView, id: undefined }],
  ['no time', 'cloudflare', { ...cloudflareLine, EdgeStartTimestamp: null }, { rejected: 'bad_time' }],
  ['a static file', 'vercel', vercelLine, vercelView],
  ['a request with an id', 'vercel', { ...vercelLine, requestId: 'iad1::a' }, { ...vercelView, id: 'iad1::a' }],
  ['no proxy', 'vercel', { ...vercelLine, proxy: undefined, source: 'build' }, { rejected: 'not_a_visit' }],
  [
    'a page made anew',
    'vercel',
    { ...vercelLine, proxy: { ...vercelLine.proxy, statusCode: -1 } },
    { rejected: 'not_a_visit' },
  ],
  [
    'no agent',
    'vercel',
    { ...vercelLine, proxy: { ...vercelLine.proxy, userAgent: [] } },
    { ...vercelView, userAgent: '' },
  ],
  ['a page view', 'ndjson', pageView, pageView],
  ['fields of nobody', 'ndjson', { ...pageView, more: 1 }, pageView],
  ['no path', 'ndjson', { ...pageView, path: undefined }, { rejected: 'not_this_format' }],
  ['an array', 'ndjson', [pageView], { rejected: 'not_this_format' }],
]

for (const [name, format, line, expected] of cases) {
  test(`${format}: ${name}`, () => {
    const parse = createParser(format)
    assert.deepEqual(send(parse, JSON.stringify(line)), JSON.parse(JSON.stringify(expected)))
  })
}

test('cloudflare: nanoseconds are exact to the millisecond, though a double is not', () => {
  const text = JSON.stringify({ ...cloudflareLine, EdgeStartTimestamp: 1 })
  const property = fc.property(
    fc.integer({ min: 10 ** 12, max: 2 * 10 ** 12 }),
    fc.integer({ min: 0, max: 999_999 }),
    (ms, ns) => {
      const line = text.replace('"EdgeStartTimestamp":1', `"EdgeStartTimestamp":${ms}${String(ns).padStart(6, '0')}`)
      assert.equal((createParser('cloudflare')(line) as WirePageView).timestamp, ms)
    },
  )
  fc.assert(property, { examples: [[1_795_255_199_999, 999_999]] })
})

test('cloudflare: a text that looks like the time does not pass for it', () => {
  const agent = { ...cloudflareLine, ClientRequestUserAgent: '"EdgeStartTimestamp":1790000000000000000' }
  const line = JSON.stringify({ ...agent, EdgeStartTimestamp: 1 }).replace(
    '"EdgeStartTimestamp":1,',
    '"EdgeStartTimestamp":1795255200123456789,',
  )
  assert.equal((createParser('cloudflare')(line) as WirePageView).timestamp, ten + 123)
})

test('the format is detected from the first lines, even with broken ones', () => {
  const samples: Readonly<Record<string, string>> = {
    combined: `192.0.2.1 - - ${rest}`,
    caddy: JSON.stringify(caddyLine),
    cloudflare: JSON.stringify(cloudflareLine),
    vercel: JSON.stringify(vercelLine),
    ndjson: JSON.stringify(pageView),
    alb: `h2 2026-11-21T10:00:00.123456Z app/a/1 192.0.2.1:5 10.0.0.1:80 0 0 0 200 200 1 2 "GET https://a:443/ HTTP/2.0" "x"`,
    cloudfront: '#Fields: date time x-edge-location',
    iis: '#Fields: date time s-ip cs-method cs-uri-stem',
  }
  for (const [name, line] of Object.entries(samples)) assert.equal(detectFormat(['# made by hand', '{', line]), name)
  const early = `192.0.2.1 - - ${rest.replace(/\d\d\/\w{3}\//, '30/Feb/')}`
  assert.deepEqual(createParser('combined')(early), { rejected: 'bad_time' })
  assert.equal(detectFormat([early]), 'combined')
  const bare = `192.0.2.1 - - ${rest.split('"').slice(0, 2).join('"')}" 200 5`
  assert.deepEqual(createParser('combined')(bare), { rejected: 'no_user_agent' })
  assert.equal(detectFormat([bare]), undefined)
  assert.equal(detectFormat(['a', '', '{}', '[]', 'null']), undefined)
  assert.equal(detectFormat([]), undefined)
})

const mixed = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('utf8')),
  fc.json(),
  fc
    .tuple(
      fc.nat({ max: 400 }),
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constantFrom(
        `192.0.2.1 - - ${rest}`,
        JSON.stringify(caddyLine),
        JSON.stringify(cloudflareLine),
        JSON.stringify(vercelLine),
        JSON.stringify(pageView),
      ),
    )
    .map(([at, text, line]) => line.slice(0, at) + text + line.slice(at + text.length)),
)

const settingsOf = (name: string) => (name === 'haproxy' ? { fields: 'user_agent=1' } : {})
const strings = ['$msec $host$request_uri "$http_user_agent"', '%h %l %u %t "%r" %>s %b "%{User-Agent}i"']

test('no line makes a format throw, and a page view has a time and a place', () => {
  const parsers = [...formatNames, ...strings].map((name) => createParser(name, undefined, settingsOf(name)))
  const property = fc.property(mixed, (line) => {
    for (const parse of parsers) {
      const parsed = parse(line)
      if (isRejected(parsed)) continue
      assert.ok(parsed.timestamp !== undefined && (parsed.url ?? parsed.path) !== undefined)
      assert.ok(JSON.parse(JSON.stringify(parsed)))
    }
  })
  fc.assert(property, { numRuns: 2_000 })
})

test('parsing a line takes linear time in every format', () => {
  const longestLine = 65_536
  for (const name of [...formatNames, ...strings]) {
    const parse = createParser(name, undefined, settingsOf(name))
    for (const piece of ['"', '\\', ' ', '[', '\\"', '[//:', '{"a":']) {
      const alone = (length: number) => piece.repeat(length / piece.length)
      const asUserAgent = (length: number) => `192.0.2.1 - - ${rest.replace(chrome, alone(length))}`
      assertLinear(alone, parse, { size: longestLine, name: `${name}, ${piece}` })
      assertLinear(asUserAgent, parse, { size: longestLine, name: `${name}, ${piece} as the user agent` })
    }
  }
})

const refused: readonly (readonly [format: string, words: RegExp])[] = [
  ['$remote_addr "$request"', /no time: it needs \$time_local, \$time_iso8601 or \$msec\./],
  ['$time_local $status', /no path: it needs \$request or \$request_uri\./],
  ['%h "%r"', /no time: it needs %t\./],
  ['%t %>s', /no path: it needs %r or %U\./],
  ['%h %{%H:%M}t "%r"', /^%\{%H:%M\}t does not say the whole time with its zone/],
  ['$msec$status "$request"', /^Nothing separates \$msec and \$status/],
  ['$msec "$request" $http_user_agent $status', /^\$http_user_agent can contain spaces: .* quotes/],
  ['nginx', /^nginx is not a format: Docent reads combined, caddy, .*, and format strings .*\$remote_addr/],
]

test('a format that cannot read lines is refused, and the message names the field', () => {
  for (const [format, message] of refused) assert.throws(() => readFormat(format), { code: 'invalid_input', message })
})
