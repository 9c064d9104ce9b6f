import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createParser, readFormat } from '../formats/formats.ts'
import { isRejected } from '../wire-page-view.ts'
import { readAddressFrom, requirePlace } from './address-from.ts'

const clf = '10.0.0.5 - - [21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 5'
const caddy = (headers: object) =>
  JSON.stringify({ ts: 1_795_000_000, status: 200, request: { uri: '/a', remote_ip: '10.0.0.5', headers } })
const logpush = (more: object) => JSON.stringify({ EdgeStartTimestamp: 1_795_000_000, ClientRequestURI: '/a', ...more })
const vercel = (more: object) =>
  JSON.stringify({
    source: 'static',
    timestamp: 1_795_000_000_000,
    proxy: { path: '/a', clientIp: '10.0.0.5', ...more },
  })
const api = (more: object) => JSON.stringify({ timestamp: 1_795_000_000_000, path: '/a', address: '10.0.0.5', ...more })
const traefik = `${clf} "-" "x" 3 "web@docker" "http://10.0.0.7:80" 2ms "203.0.113.9"`

type Case = readonly [format: string, line: string, from: string, hops: number, address: string | undefined]

const nginxJson = 'escape=json {"t":"$msec","uri":"$uri","ip":"$http_cf_connecting_ip","xff":"${http_x_forwarded_for}"}'
const jsonLine = '{"t":"1795000000.000","uri":"/a","ip":"203.0.113.9","xff":"198.51.100.6, 192.0.2.8"}'
const apache = '%t "%r" %{X-Real-IP}i "%{X-Forwarded-For}i"'
const apacheLine = `${clf.slice(13, -6)} 203.0.113.9 "192.0.2.8"`

const cases: readonly Case[] = [
  ['combined', `${clf} "-" "x" 0.1 "198.51.100.6, 203.0.113.9"`, 'field 11', 1, '203.0.113.9'],
  ['combined', `${clf} "-" "x" 0.1 "203.0.113.9, 10.0.0.6"`, 'field 11', 2, '203.0.113.9'],
  ['combined', `${clf} "-" "x" 0.1 "203.0.113.9"`, 'field 11', 2, undefined],
  ['combined', `${clf} "-" "x" 0.1 "[2001:db8::9]:443"`, 'field 11', 1, '2001:db8::9'],
  ['combined', `${clf} "-" "x" 0.1 203.0.113.9:4711`, 'field 11', 1, '203.0.113.9'],
  ['combined', `${clf} "-" "x" 0.1 unknown`, 'field 11', 1, undefined],
  ['combined', `${clf} "-" "x" 0.1 -`, 'field 11', 1, undefined],
  ['combined', `${clf} "-" "x" 0.1`, 'field 11', 1, undefined],
  ['combined', clf.replace('10.0.0.5', '198.51.100.6, 203.0.113.9') + ' "-" "x"', 'field 1', 1, '203.0.113.9'],
  ['common', clf.replace('- -', '- 203.0.113.9'), 'field 3', 1, '203.0.113.9'],
  ['traefik', traefik, 'field 14', 1, '203.0.113.9'],
  [
    '$remote_addr [$time_local] "$request" "$http_x_real_ip"',
    `10.0.0.5 ${clf.slice(13, -6)} "203.0.113.9"`,
    'field 4',
    1,
    '203.0.113.9',
  ],
  [nginxJson, jsonLine, 'field $http_cf_connecting_ip', 1, '203.0.113.9'],
  [nginxJson, jsonLine, 'field HTTP_CF_connecting_ip', 2, undefined],
  [nginxJson, jsonLine, 'field http_x_forwarded_for', 2, '198.51.100.6'],
  [nginxJson, jsonLine, 'forwarded', 1, '192.0.2.8'],
  [apache, apacheLine, 'field {X-Real-IP}i', 1, '203.0.113.9'],
  [apache, apacheLine, 'field %{x-real-ip}i', 1, '203.0.113.9'],
  [apache, apacheLine, 'forwarded', 1, '192.0.2.8'],
  ['caddy', caddy({ 'Cf-Connecting-Ip': ['203.0.113.9'] }), 'field request.headers.Cf-Connecting-Ip', 1, '203.0.113.9'],
  ['caddy', caddy({ 'X-A': ['198.51.100.6', '203.0.113.9, 10.0.0.6'] }), 'field request.headers.X-A', 2, '203.0.113.9'],
  ['caddy', caddy({}), 'field request.headers.X-A', 1, undefined],
  ['caddy', caddy({}), 'field request.headers.constructor.name', 1, undefined],
  ['cloudflare', logpush({ RequestHeaders: { 'x-a': '203.0.113.9' } }), 'field RequestHeaders.x-a', 1, '203.0.113.9'],
  ['vercel', vercel({ 'x.y': '203.0.113.9' }), 'field proxy.clientIp', 1, '10.0.0.5'],
  ['ndjson', api({ 'a.b': '203.0.113.9' }), 'field a.b', 1, '203.0.113.9'],
  ['ndjson', api({}), 'field a.b', 1, undefined],
  ['iis', '2026-11-21 10:00:00 /a x 203.0.113.9,+10.0.0.6 200', 'field X-Real', 2, '203.0.113.9'],
]

for (const [at, [format, line, text, hops, address]] of cases.entries()) {
  test(`${format.slice(0, 20)}: ${text} with ${hops} hops is ${address}, case ${at}`, () => {
    const parse = createParser(format, readAddressFrom(text, hops))
    parse('#Fields: date time cs-uri-stem cs(User-Agent) x-real sc-status')
    const parsed = parse(line)
    assert.ok(!isRejected(parsed), line)
    assert.equal(parsed.address, address)
    assert.equal(parsed.path, '/a')
  })
}

const columns = ['#Software: IIS', '#Fields: date time c-ip X-Real']

test('a place that no line can have is refused once, with the reason', () => {
  const refusals: readonly (readonly [format: string, from: string, words: RegExp | undefined])[] = [
    ['combined', 'field 999', undefined],
    ['combined', 'field 1000', /positions: give a number from 1 to 999, not 1000\.$/],
    ['combined', 'field 0', /positions/],
    ['combined', 'field x', /positions: give a number from 1 to 999, not x\.$/],
    ['common', 'field 7', undefined],
    ['common', 'field 8', /^a\.log has the format common, whose lines have 7 fields: there is no field 8\.$/],
    ['common', 'forwarded', /which has no X-Forwarded-For for --address-from\.$/],
    ['$time_iso8601$request', 'field 1', /separates/],
    ['{"time":"$msec","uri":"$uri"}', 'field 2', /whose lines have 1 field: there is no field 2\.$/],
    [nginxJson, 'field $http_cf_connecting_ip', undefined],
    [
      nginxJson,
      'field ip',
      /fields have positions: give a number from 1 to 1 or a name of the format string, not ip\.$/,
    ],
    ['caddy', 'field 3', /lines are JSON: give the name of a field, not 3\.$/],
    ['caddy', 'field request.a', undefined],
    ['iis', 'field x-real', undefined],
    ['iis', 'field 3', /whose line #Fields: has no column 3\.$/],
  ]
  for (const [format, text, words] of refusals) {
    const check = () => {
      const from = readAddressFrom(text, 1)
      assert.ok(from)
      const { hasForwarded, fields } = readFormat(format)
      requirePlace(from, { file: 'a.log', format, hasForwarded, fields, sample: columns, option: '--address-from' })
    }
    if (words === undefined) check()
    else assert.throws(check, { code: 'invalid_input', message: words }, `${format} ${text}`)
  }
})

test('a place is forwarded, or a field with a name', () => {
  assert.deepEqual(readAddressFrom(' field   a b ', 2), { kind: 'field', name: 'a b', hops: 2 })
  for (const text of ['', 'field', 'field ', 'Forwarded', 'header x', `field ${'x'.repeat(201)}`]) {
    assert.equal(readAddressFrom(text, 1), undefined, text)
  }
})
