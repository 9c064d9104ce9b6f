import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createImportStore, run, writeLog } from '../../../../test/support/import-store.ts'
import { removeFolder, temporaryFolder } from '../../../../test/support/temporary.ts'
import type { WirePageView } from '../wire-page-view.ts'
import { createParser, detectFormat } from './formats.ts'

const ten = Date.UTC(2026, 10, 21, 10)
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** As it is sent. */
function read(format: string, line: string): Record<string, unknown> {
  return JSON.parse(JSON.stringify(createParser(format)(line)))
}

const traefikLine = {
  ClientAddr: '10.0.0.9:48376',
  ClientHost: '198.51.100.7, 203.0.113.9',
  ClientUsername: '-',
  DownstreamContentSize: 88,
  DownstreamStatus: 200,
  OriginStatus: 200,
  RequestAddr: 'docs.example.com',
  RequestHost: 'docs.example.com',
  RequestMethod: 'GET',
  RequestPath: '/guide?token=secret',
  RequestProtocol: 'HTTP/2.0',
  RequestScheme: 'https',
  RouterName: 'docs@docker',
  StartLocal: '2026-11-21T11:00:00.123456789+01:00',
  StartUTC: '2026-11-21T10:00:00.123456789Z',
  'downstream_Content-Type': 'text/html; charset=utf-8',
  'request_User-Agent': firefox,
  request_Referer: 'https://example.com/?q=secret',
  level: 'info',
  msg: '',
  time: '2026-11-21T10:00:01Z',
}
const traefikView = {
  timestamp: ten + 123,
  url: 'https://docs.example.com/guide',
  method: 'GET',
  status: 200,
  userAgent: firefox,
  address: '203.0.113.9',
  referrer: 'https://example.com/',
  representation: 'html',
}
const withoutHeaders = Object.fromEntries(Object.entries(traefikLine).filter(([name]) => !name.startsWith('request_')))

const traefikCases: readonly (readonly [name: string, line: object, expected: object])[] = [
  ['a request', traefikLine, traefikView],
  ['no time in UTC', { ...traefikLine, StartUTC: undefined }, traefikView],
  ['no list of addresses', { ...traefikLine, ClientHost: undefined }, { ...traefikView, address: '10.0.0.9' }],
  ['a picture', { ...traefikLine, 'downstream_Content-Type': 'image/png' }, { rejected: 'not_a_page' }],
  ['a ping of Traefik', { ...traefikLine, RouterName: 'ping@internal' }, { rejected: 'not_a_visit' }],
  ['headers that are left out', withoutHeaders, { rejected: 'no_user_agent' }],
  ['30 February', { ...traefikLine, StartUTC: '2026-02-30T10:00:00Z' }, { rejected: 'bad_time' }],
  [
    'an error of a plugin',
    { level: 'error', msg: 'no route', time: '2026-11-21T10:00:01Z' },
    { rejected: 'not_this_format' },
  ],
]

for (const [name, line, expected] of traefikCases) {
  test(`traefik-json: ${name}`, () => assert.deepEqual(read('traefik-json', JSON.stringify(line)), expected))
}

test('traefik-json: forwarded counts the hops of the header', () => {
  const at = (hops: number) =>
    createParser('traefik-json', { kind: 'forwarded', hops })(JSON.stringify(traefikLine)) as WirePageView
  assert.deepEqual([at(1).address, at(2).address, at(3).address], ['203.0.113.9', '198.51.100.7', undefined])
  const direct = createParser('traefik-json', { kind: 'forwarded', hops: 1 })(
    JSON.stringify({ ...traefikLine, ClientHost: '10.0.0.9' }),
  )
  assert.equal((direct as WirePageView).address, undefined)
})

const clf = '203.0.113.9 - - [21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1"'
const end = '12 "docs@docker" "http://10.0.0.3:80" 2ms'

test('traefik: a missing referrer of an old release, and a list of addresses', () => {
  const old = read('traefik', `${clf} 200 5 - "${firefox}" ${end}`)
  assert.deepEqual([old['userAgent'], old['referrer'], old['path']], [firefox, undefined, '/a'])
  const list = read('traefik', `198.51.100.7, ${clf} 200 5 "-" "${firefox}" ${end}`)
  assert.equal(list['address'], '203.0.113.9')
})

test('a line without a status is no view: the proxy answered or nobody did', () => {
  const redirect = read('traefik', `${clf} - - "-" "${firefox}" ${end}`)
  assert.deepEqual(redirect, { rejected: 'no_status' })
  const alb = (status: string) =>
    `http 2026-11-21T10:00:00.123456Z app/a/1 203.0.113.9:2817 - -1 -1 -1 ${status} - 34 366 ` +
    `"GET http://docs.example.com:80/a b?q=1 HTTP/1.1" "curl/8.5.0" - - - "Root=1-5" "-" "-" 0 ` +
    `2026-11-21T10:00:00.000000Z "redirect" "-" "-" "-" "-" "-" "-" TID_1`
  assert.deepEqual(read('alb', alb('-')), { rejected: 'no_status' })
  assert.equal(read('alb', alb('200'))['url'], 'http://docs.example.com:80/a b')
  const nginx = '$remote_addr [$time_local] "$request" $status "$http_user_agent"'
  const line = `192.0.2.1 [21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 000 "x"`
  assert.deepEqual(read(nginx, line), { rejected: 'no_status' })
  assert.equal(read(nginx, line.replace(' 000 ', ' 404 '))['status'], 404)
})

const caddyLine = {
  ts: 1,
  request: { client_ip: '203.0.113.9', method: 'GET', host: 'a.example', uri: '/a', headers: { 'User-Agent': ['x'] } },
  status: 200,
}

test('caddy: every time_format of the documentation is the same time', () => {
  const times = [
    ten / 1_000 + 0.123,
    ten + 123,
    (ten + 123) * 1e6,
    '2026-11-21T10:00:00.123Z',
    '2026-11-21T12:00:00.123456789+02:00',
    '2026/11/21 10:00:00.123',
    '2026/11/21 10:00:00.123456789',
  ]
  for (const ts of times) assert.equal(read('caddy', JSON.stringify({ ...caddyLine, ts }))['timestamp'], ten + 123)
  for (const ts of ['2026/11/21 10:00:00', '21/Nov/2026:11:00:00 +0100']) {
    assert.equal(read('caddy', JSON.stringify({ ...caddyLine, ts }))['timestamp'], ten)
  }
  for (const ts of ['2026/02/30 10:00:00', '30/Feb/2026:11:00:00 +0100', '10:00:00']) {
    assert.deepEqual(read('caddy', JSON.stringify({ ...caddyLine, ts })), { rejected: 'bad_time' })
  }
})

test('caddy: a log without the headers of requests cannot say who asked', () => {
  const request = { ...caddyLine.request, headers: undefined }
  assert.deepEqual(read('caddy', JSON.stringify({ ...caddyLine, request })), { rejected: 'no_user_agent' })
})

test('cloudflare: a page of a challenge is not a visit', () => {
  const line = { EdgeStartTimestamp: ten, ClientRequestSource: 'inBrowserChallenge', ClientRequestURI: '/a' }
  assert.deepEqual(read('cloudflare', JSON.stringify(line)), { rejected: 'not_a_visit' })
})

test('cloudflare: times are texts where a destination writes all values as texts', () => {
  for (const time of [String(ten / 1_000), `${ten}000000`, new Date(ten).toISOString()]) {
    const line = { EdgeStartTimestamp: time, ClientRequestSource: 'eyeball', ClientRequestURI: '/a' }
    assert.equal(read('cloudflare', JSON.stringify(line))['timestamp'], ten)
  }
})

const edgeLine = {
  'timestamp(ms)': String(ten + 123),
  'x-edge-location': 'SOF50-P2',
  'c-ip': '203.0.113.9',
  'cs-method': 'GET',
  'cs-uri-stem': '/guide',
  'sc-status': '200',
  'cs(Referer)': '-',
  'cs(User-Agent)': firefox.replaceAll(' ', '%20'),
  'x-edge-request-id': 'request==',
  'x-host-header': 'docs.example.com',
  'cs-protocol': 'https',
  'x-forwarded-for': '198.51.100.7',
}

test('cloudfront: lines of JSON have the names of the columns, and one of three times', () => {
  const expected = {
    id: 'request==',
    timestamp: ten + 123,
    url: 'https://docs.example.com/guide',
    method: 'GET',
    status: 200,
    userAgent: firefox,
    address: '203.0.113.9',
  }
  assert.deepEqual(read('cloudfront', JSON.stringify(edgeLine)), expected)
  const { 'timestamp(ms)': _, ...rest } = edgeLine
  const dated = JSON.stringify({ date: '2026-11-21', time: '10:00:00', ...rest })
  assert.equal(read('cloudfront', dated)['timestamp'], ten)
  assert.equal(read('cloudfront', JSON.stringify({ timestamp: ten / 1_000, ...rest }))['timestamp'], ten)
  assert.deepEqual(read('cloudfront', JSON.stringify(rest)), { rejected: 'bad_time' })
  assert.deepEqual(read('cloudfront', '{"c-ip":"192.0.2.1"}'), { rejected: 'not_this_format' })
})

test('logs in JSON of CloudFront, Traefik and Caddy are detected', () => {
  assert.equal(detectFormat([JSON.stringify(edgeLine)]), 'cloudfront')
  assert.equal(detectFormat([JSON.stringify(traefikLine)]), 'traefik-json')
  assert.equal(detectFormat([JSON.stringify(withoutHeaders)]), 'traefik-json')
  assert.equal(detectFormat([JSON.stringify({ ...caddyLine, request: { uri: '/a' } })]), 'caddy')
})

let folder: string
before(async () => void (folder = await temporaryFolder('vendors')))
after(() => removeFolder(folder))

const iisHead = (date: string) =>
  `#Software: Microsoft Internet Information Services 10.0\n#Date: ${date}\n#Fields: time cs-uri-stem c-ip cs(User-Agent) sc-status\n`
const iisLine = (time: string, path: string) => `${time} ${path} 192.0.2.1 Mozilla/5.0+(X11) 200\n`

test('iis: without a column date, the day is in #Date: and changes at midnight', async () => {
  const { port, views } = createImportStore()
  const first =
    iisHead('2026-11-20 22:00:01') +
    iisLine('22:00:01', '/a') +
    iisLine('23:59:59', '/b') +
    iisLine('00:00:00', '/c') +
    iisLine('23:59:58', '/late') +
    iisLine('00:00:02', '/c2') +
    iisLine('20:00:00', '/c3') +
    iisLine('01:00:00', '/d')
  await run(await writeLog(folder, first, 'iis.log'), port)
  const second =
    iisLine('12:00:00', '/e') +
    iisLine('11:00:00', '/same') +
    iisLine('10:59:59', '/f') +
    iisHead('2026-12-01 09:00:00') +
    iisLine('09:00:00', '/g')
  await run(await writeLog(folder, first + second, 'iis.log'), port)
  const times = new Map([...views.values()].map(({ path, timestamp }) => [path, new Date(timestamp).toISOString()]))
  assert.deepEqual(Object.fromEntries(times), {
    '/a': '2026-11-20T22:00:01.000Z',
    '/b': '2026-11-20T23:59:59.000Z',
    '/c': '2026-11-21T00:00:00.000Z',
    '/late': '2026-11-20T23:59:58.000Z',
    '/c2': '2026-11-21T00:00:02.000Z',
    '/c3': '2026-11-21T20:00:00.000Z',
    '/d': '2026-11-22T01:00:00.000Z',
    '/e': '2026-11-22T12:00:00.000Z',
    '/same': '2026-11-22T11:00:00.000Z',
    '/f': '2026-11-23T10:59:59.000Z',
    '/g': '2026-12-01T09:00:00.000Z',
  })
})

test('iis: a time without any date is no time', () => {
  const parse = createParser('iis')
  parse('#Fields: time cs-uri-stem c-ip cs(User-Agent) sc-status')
  assert.deepEqual(parse('10:00:00 /a 192.0.2.1 x 200'), { rejected: 'bad_time' })
  parse('#Date: by hand')
  assert.deepEqual(parse('10:00:00 /a 192.0.2.1 x 200'), { rejected: 'bad_time' })
})

test('lines of S3, Envoy and Nginx Proxy Manager are no lines of another format', () => {
  const id = '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be'
  const lines = {
    s3: `${id} docs [21/Nov/2026:10:00:00 +0000] 192.0.2.3 ${id} 3E57427F3 REST.GET.OBJECT a.html "GET /docs/a.html HTTP/1.1" 200 - 113 113 7 - "-" "Mozilla/5.0 (X11)" - s9lz= SigV4 ECDHE AuthHeader docs.s3.us-west-1.amazonaws.com TLSV1.2 - Yes`,
    envoy:
      '[2026-11-21T10:00:00.310Z] "GET /a HTTP/1.1" 200 - 0 154 113 84 "192.0.2.3" "Mozilla/5.0 (X11)" "cc21d9b0" "docs.example.com" "10.0.2.1:80"',
    'Nginx Proxy Manager':
      '[21/Nov/2026:10:00:00 +0000] - 200 200 - GET https docs.example.com "/a" [Client 192.0.2.3] [Length 5] [Gzip -] [Sent-to 172.17.0.2] "Mozilla/5.0 (X11)" "-"',
  }
  for (const [name, line] of Object.entries(lines)) assert.equal(detectFormat([line]), undefined, name)
})
