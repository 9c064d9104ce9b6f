import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createParser, detectFormat, readFormat } from '../formats.ts'

const ten = Date.UTC(2026, 10, 21, 10)
const entry = {
  time_iso8601: '2026-11-21T11:00:00+01:00',
  remote_addr: '203.0.113.9',
  http_x_forwarded_for: '198.51.100.7',
  request: 'GET /guide?token=secret HTTP/2.0',
  host: 'docs.example.com',
  scheme: 'https',
  status: '200',
  http_referer: 'https://example.com/?q=secret',
  http_user_agent: 'Claude-User/1.0',
  sent_http_content_type: 'text/markdown',
}
const view = {
  timestamp: ten,
  url: 'https://docs.example.com/guide',
  method: 'GET',
  status: 200,
  userAgent: 'Claude-User/1.0',
  address: '203.0.113.9',
  referrer: 'https://example.com/',
  representation: 'markdown',
}
const send = (text: string, fields?: string) =>
  JSON.parse(JSON.stringify(createParser('nginx-json', undefined, { fields })(text))) as unknown
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown
const { request: _, ...bare } = entry
const own = {
  ts: ten / 1_000,
  url: '/guide?token=secret',
  'client.ip': '192.0.2.1',
  client: { ip: '203.0.113.9', ua: 'x' },
  code: 200,
}
const map = 'time=ts,path=url,address=client.ip,user_agent=client.ua,status=code'
const ownView = { timestamp: ten, path: '/guide', status: 200, userAgent: 'x', address: '192.0.2.1' }

type Row = readonly [name: string, entry: object, expected: object, fields?: string]
const rows: readonly Row[] = [
  ['the names of variables', entry, view],
  ['the time of the server', { ...entry, time_iso8601: undefined, time_local: '21/Nov/2026:11:00:00 +0100' }, view],
  ['seconds as a text', { ...entry, msec: '1795255200.123' }, { ...view, timestamp: ten + 123 }],
  ['milliseconds', { ...entry, msec: ten + 5 }, { ...view, timestamp: ten + 5 }],
  ['a status as a number', { ...entry, status: 404 }, { ...view, status: 404 }],
  ['separate variables', { ...bare, request_method: 'HEAD', request_uri: '/guide?a' }, { ...view, method: 'HEAD' }],
  ['a server without a name', { ...entry, host: '_' }, { ...view, url: undefined, path: '/guide' }],
  ['an empty user agent', { ...entry, http_user_agent: '-' }, { ...view, userAgent: '' }],
  ['a picture', { ...entry, sent_http_content_type: 'image/png' }, { rejected: 'not_a_page' }],
  ['a client that left', { ...entry, status: '000' }, { rejected: 'not_a_visit' }],
  ['no user agent', { ...entry, http_user_agent: undefined }, { rejected: 'no_user_agent' }],
  ['no path', { ...entry, request: '-' }, { rejected: 'no_request' }],
  ['30 February', { ...entry, time_iso8601: '2026-02-30T11:00:00Z' }, { rejected: 'bad_time' }],
  ['a status that is none', { ...entry, status: 'OK' }, { rejected: 'not_this_format' }],
  ['an object as the user agent', { ...entry, http_user_agent: { a: 1 } }, { rejected: 'not_this_format' }],
  ['a list as the time', { ...entry, time_iso8601: [1] }, { rejected: 'not_this_format' }],
  ['another server', { ts: 1, message: 'GET /' }, { rejected: 'not_this_format' }],
  ['names of the operator; a whole key comes first', own, ownView, map],
  ['a key with dots', { ...own, 'client.ip': undefined }, { ...ownView, address: '203.0.113.9' }, map],
  ['no time under its name', { ...own, ts: undefined }, { rejected: 'bad_time' }, map],
  ['no path under its name', { ...own, url: undefined }, { rejected: 'no_request' }, map],
  ['no user agent under its name', { ...own, client: 5 }, { rejected: 'no_user_agent' }, map],
  ['no status under its name', { ...own, code: undefined }, { rejected: 'not_this_format' }, map],
  ['an inherited name', own, { rejected: 'no_request' }, 'time=ts,path=__proto__.url'],
  ['an inherited value', own, { rejected: 'no_request' }, 'time=ts,path=constructor.name'],
]

for (const [name, line, expected, fields] of rows)
  test(`nginx-json: ${name}`, () => assert.deepEqual(send(JSON.stringify(line), fields), plain(expected)))

test('hostile lines are rejected, and change no prototype', () => {
  const lines = [
    '{"__proto__":{"url":"/evil","ts":1}}',
    '{"a":'.repeat(10_000),
    `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    `{"ts":"${'1'.repeat(60_000)}"}`,
    '[]',
    'null',
  ]
  for (const line of lines) assert.deepEqual(Object.keys(send(line, map) as object), ['rejected'], line.slice(0, 40))
  assert.equal(({} as { url?: string }).url, undefined)
  const any = fc.json({ maxDepth: 4 })
  fc.assert(fc.property(any, (line) => void (send(line), send(line, map))))
})

test('lines with the names of variables are detected, others stay what they are', () => {
  assert.equal(detectFormat([JSON.stringify(entry)]), 'nginx-json')
  assert.equal(detectFormat([JSON.stringify({ ...entry, ts: 1 })]), 'nginx-json')
  assert.equal(detectFormat([JSON.stringify({ at: ten, url: '/guide', ua: 'x' })]), undefined)
  const page = { timestamp: ten, path: '/a', userAgent: 'x', request: 'GET / HTTP/1.1', status: 200 }
  assert.equal(detectFormat([JSON.stringify(page)]), 'ndjson')
})

test('X-Forwarded-For and any other field can have the address', () => {
  const address = (from: Parameters<typeof createParser>[1]) => {
    const parsed = createParser('nginx-json', from)(JSON.stringify(entry))
    return 'address' in parsed ? parsed.address : undefined
  }
  assert.equal(address({ kind: 'forwarded', hops: 1 }), '198.51.100.7')
  assert.equal(address({ kind: 'field', name: 'remote_addr', hops: 1 }), '203.0.113.9')
  assert.equal(readFormat('nginx-json', { fields: 'time=a,path=b' }).hasForwarded, false)
})

const refusals: readonly (readonly [format: string, settings: object, message: RegExp])[] = [
  ['nginx-json', { fields: 'path=url' }, /^nginx-json needs time in --fields: write --fields like time=ts,path=url/],
  ['nginx-json', { fields: 'time=ts' }, /^nginx-json needs path \(or request\) in --fields/],
  ['nginx-json', { fields: 'time=ts,path=' }, /^“path=” does not say where a field is/],
  ['nginx-json', { fields: 'time=a,time=b,path=c' }, /^time has two places/],
  ['nginx-json', { fields: '__proto__=a' }, /^__proto__ is no field of nginx-json, which has time, address/],
  ['nginx-json', { timeZone: 'UTC' }, /^--time-zone is for the format haproxy, .* leave it out for nginx-json\.$/],
  ['combined', { fields: 'time=ts' }, /^--fields is for the formats haproxy and nginx-json, not combined\.$/],
  ['combined', { timeZone: 'UTC' }, /^--time-zone is for the format haproxy/],
]

test('a map of fields that does not fit is refused once, in a sentence', () => {
  for (const [format, settings, message] of refusals)
    assert.throws(() => readFormat(format, settings), { code: 'invalid_input', message })
})
