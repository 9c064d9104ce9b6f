import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isRejected, type ParseLine, type WirePageView } from '../wire-page-view.ts'
import { createParser } from './formats.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36'
const ten = Date.UTC(2026, 10, 21, 10)

/** The page view as it is sent to the service: JSON drops undefined fields. */
function send(parse: ParseLine, line: string): unknown {
  return JSON.parse(JSON.stringify(parse(line)))
}

const combined = createParser('combined')
const plain = { timestamp: ten, path: '/a', method: 'GET', status: 200, userAgent: chrome, address: '192.0.2.1' }
const rest = `[21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "${chrome}"`

const combinedLines: readonly (readonly [string, string, Partial<WirePageView> | { rejected: string }])[] = [
  ['nginx combined', `192.0.2.1 - - ${rest}`, plain],
  ['a user', `192.0.2.1 - ann ${rest}`, plain],
  ['a user with blanks and brackets', `192.0.2.1 - ann [b] c ${rest}`, plain],
  ['an ident', `192.0.2.1 ident ann ${rest}`, plain],
  [
    'the host of lighttpd',
    `192.0.2.1 docs.example.com ann ${rest}`,
    { ...plain, path: undefined, url: 'https://docs.example.com/a' },
  ],
  ['IPv6', `2001:db8::1 - - ${rest}`, { ...plain, address: '2001:db8::1' }],
  ['IPv6 with a zone', `fe80::1%eth0 - - ${rest}`, { ...plain, address: 'fe80::1' }],
  ['IPv6 in brackets with a zone', `[fe80::1%25en0]:443 - - ${rest}`, { ...plain, address: 'fe80::1' }],
  ['a name for an address', `client.example.net - - ${rest}`, { rejected: 'not_an_address' }],
  ['a socket for an address', `unix: - - ${rest}`, { rejected: 'not_an_address' }],
  ['a dash for an address', `- - - ${rest}`, { ...plain, address: undefined }],
  [
    'vhost_combined',
    `docs.example.com:443 192.0.2.1 - - ${rest}`,
    { ...plain, path: undefined, url: 'https://docs.example.com:443/a' },
  ],
  [
    'vhost_combined on 80',
    `docs.example.com:80 192.0.2.1 - - ${rest}`,
    { ...plain, path: undefined, url: 'http://docs.example.com:80/a' },
  ],
  [
    'a vhost without port',
    `docs.example.com 192.0.2.1 - ann ${rest}`,
    { ...plain, path: undefined, url: 'https://docs.example.com/a' },
  ],
  ['a vhost and a name', `docs.example.com:443 client.example.net - - ${rest}`, { rejected: 'not_an_address' }],
  [
    'a vhost and IPv6',
    `docs.example.com:443 2001:db8::1 - - ${rest}`,
    { ...plain, path: undefined, address: '2001:db8::1', url: 'https://docs.example.com:443/a' },
  ],
  ['fields after the user agent', `192.0.2.1 - - ${rest} "203.0.113.9" 0.002 .`, plain],
  ['a query', `192.0.2.1 - - ${rest.replace('/a ', '/a?key=secret#b ')}`, plain],
  [
    'a whole address',
    `192.0.2.1 - - ${rest.replace('/a ', 'http://u:p@docs.example.com/a?b ')}`,
    { ...plain, path: undefined, url: 'http://docs.example.com/a' },
  ],
  ['a path with blanks', `192.0.2.1 - - ${rest.replace('/a ', '/a b HTTP/ ')}`, { ...plain, path: '/a b HTTP/' }],
  ['HTTP/0.9', `192.0.2.1 - - ${rest.replace(' HTTP/1.1', '')}`, plain],
  [
    'a referrer',
    `192.0.2.1 - - ${rest.replace('"-"', '"https://u:p@example.com/q?secret=1"')}`,
    { ...plain, referrer: 'https://example.com/q' },
  ],
  ['an empty referrer', `192.0.2.1 - - ${rest.replace('"-"', '""')}`, plain],
  ['no user agent', `192.0.2.1 - - ${rest.replace(chrome, '-')}`, { ...plain, userAgent: '' }],
  [
    'an escaped quote',
    `192.0.2.1 - - ${rest.replace(chrome, String.raw`a \"b\" \\`)}`,
    { ...plain, userAgent: 'a "b" \\' },
  ],
  [
    'escaped bytes',
    `192.0.2.1 - - ${rest.replace(chrome, String.raw`\xC3\xa9 \x22 \t \xff`)}`,
    { ...plain, userAgent: 'é " \t \ufffd' },
  ],
  ['a dash for the size', `192.0.2.1 - - ${rest.replace(' 12 ', ' - ')}`, plain],
  ['404', `192.0.2.1 - - ${rest.replace(' 200 ', ' 404 ')}`, { ...plain, status: 404 }],
  ['POST', `192.0.2.1 - - ${rest.replace('GET', 'POST')}`, { ...plain, method: 'POST' }],
  ['common', `192.0.2.1 - - [21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12`, { rejected: 'no_user_agent' }],
  ['no request', `192.0.2.1 - - ${rest.replace('GET /a HTTP/1.1', '-')}`, { rejected: 'no_request' }],
  ['an empty request', `192.0.2.1 - - ${rest.replace('GET /a HTTP/1.1', '')}`, { rejected: 'no_request' }],
  [
    'TLS on a plain port',
    `192.0.2.1 - - ${rest.replace('GET /a HTTP/1.1', String.raw`\x16\x03\x01\x02`)}`,
    { rejected: 'no_request' },
  ],
  ['OPTIONS *', `192.0.2.1 - - ${rest.replace('GET /a', 'OPTIONS *')}`, { rejected: 'no_request' }],
  ['CONNECT', `192.0.2.1 - - ${rest.replace('GET /a', 'CONNECT a.example:443')}`, { rejected: 'no_request' }],
  ['a quote that is not closed', `192.0.2.1 - - ${rest.slice(0, -1)}`, { rejected: 'not_this_format' }],
  [
    'a quote after three backslashes',
    `192.0.2.1 - - ${rest.replace(chrome, String.raw`a \\\" b`)}`,
    { ...plain, userAgent: String.raw`a \" b` },
  ],
  ['a last quote that is escaped', `192.0.2.1 - - ${rest.slice(0, -1)}\\"`, { rejected: 'not_this_format' }],
  ['no quotes', `192.0.2.1 - - ${rest.replaceAll('"', '')}`, { rejected: 'not_this_format' }],
  ['no status', `192.0.2.1 - - ${rest.replace(' 200 ', ' - ')}`, { rejected: 'no_status' }],
  ['status 000', `192.0.2.1 - - ${rest.replace(' 200 ', ' 000 ')}`, { rejected: 'no_status' }],
  ['a status of letters', `192.0.2.1 - - ${rest.replace(' 200 ', ' abc ')}`, { rejected: 'not_this_format' }],
  ['NULs', `\0\0\0`, { rejected: 'not_this_format' }],
  ['nothing but blanks', '     ', { rejected: 'not_this_format' }],
]

for (const [name, line, expected] of combinedLines) {
  test(`combined: ${name}`, () => {
    assert.deepEqual(send(combined, line), JSON.parse(JSON.stringify(expected)))
  })
}

test('combined: some lines name a host', () => {
  const parse = createParser('combined')
  assert.equal((parse(`192.0.2.1 - - ${rest}`) as WirePageView).path, '/a')
  const own = parse(`other.example.com:443 192.0.2.1 - - ${rest}`) as WirePageView
  assert.equal(own.url, 'https://other.example.com:443/a')
})

const times: readonly (readonly [string, number | undefined])[] = [
  ['21/Nov/2026:10:00:00 +0000', ten],
  ['21/Nov/2026:10:00:00 +0545', ten - 5.75 * 3_600_000],
  ['21/Nov/2026:10:00:00 -1200', ten + 12 * 3_600_000],
  ['29/Feb/2024:00:00:00 +0000', Date.UTC(2024, 1, 29)],
  ['29/Feb/2000:00:00:00 +0000', Date.UTC(2000, 1, 29)],
  ['01/Jan/0000:00:00:00 +0000', Date.parse('0000-01-01T00:00:00Z')],
  ['31/Dec/9999:23:59:59 +0000', Date.parse('9999-12-31T23:59:59Z')],
  ['31/Dec/2016:23:59:60 +0000', Date.parse('2016-12-31T23:59:59Z')],
  ['30/Feb/2026:10:00:00 +0000', undefined],
  ['29/Feb/1900:10:00:00 +0000', undefined],
  ['00/Jan/2026:10:00:00 +0000', undefined],
  ['31/Apr/2026:10:00:00 +0000', undefined],
  ['21/Nop/2026:10:00:00 +0000', undefined],
  ['21/Nov/2026:24:00:00 +0000', undefined],
  ['21/Nov/2026:10:60:00 +0000', undefined],
  ['21/Nov/2026:10:00:61 +0000', undefined],
  ['21/Nov/2026:10:00:00 +2400', undefined],
  ['21/Nov/2026:10:00:00 00000', undefined],
  ['21/Nov/2026:1a:00:00 +0000', undefined],
]

for (const [text, ms] of times) {
  test(`combined: the time ${text} is ${ms === undefined ? 'rejected' : ms}`, () => {
    const parsed = combined(`192.0.2.1 - - ${rest.replace('21/Nov/2026:10:00:00 +0000', text)}`)
    assert.deepEqual(isRejected(parsed) ? parsed.rejected : parsed.timestamp, ms ?? 'bad_time')
  })
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

test('combined: times of the years 0 to 9999 in any zone are parsed as by Date', () => {
  const parse = createParser('combined')
  const first = Date.parse('0000-01-02T00:00:00Z') / 1_000
  const last = Date.parse('9999-12-30T00:00:00Z') / 1_000
  const property = fc.property(
    fc.integer({ min: first, max: last }),
    fc.integer({ min: -1_439, max: 1_439 }),
    (s, zone) => {
      const local = new Date((s + zone * 60) * 1_000).toISOString()
      const two = (number: number) => String(number).padStart(2, '0')
      const offset = `${zone < 0 ? '-' : '+'}${two(Math.floor(Math.abs(zone) / 60))}${two(Math.abs(zone) % 60)}`
      const day = `${local.slice(8, 10)}/${months[Number(local.slice(5, 7)) - 1]}/${local.slice(0, 4)}`
      const line = `192.0.2.1 - - [${day}:${local.slice(11, 19)} ${offset}] "GET / HTTP/1.1" 200 1 "-" "-"`
      assert.equal((parse(line) as WirePageView).timestamp, s * 1_000)
    },
  )
  fc.assert(property, { numRuns: 2_000 })
})

test('behind proxies, the address is the entry that a trusted server wrote', () => {
  const start = '10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "x"'
  const addressOf = (after: string, hops: number) => {
    const parsed = createParser('combined', { kind: 'forwarded', hops })(start + after)
    assert.ok(!isRejected(parsed), after)
    return parsed.address
  }
  const cases: readonly (readonly [after: string, hops: number, address: string | undefined])[] = [
    [' "203.0.113.9"', 1, '203.0.113.9'],
    [' "198.51.100.66, 203.0.113.9" 0.002', 1, '203.0.113.9'],
    [' "198.51.100.66, 203.0.113.9, 192.0.2.80"', 2, '203.0.113.9'],
    [' "203.0.113.9"', 2, undefined],
    [' "2001:db8::9"', 1, '2001:db8::9'],
    [' "[2001:db8::9]:4711"', 1, '2001:db8::9'],
    [' "203.0.113.9:4711"', 1, '203.0.113.9'],
    [' "203.0.113.9, unknown"', 1, undefined],
    [' "-"', 1, undefined],
    ['', 1, undefined],
  ]
  for (const [after, hops, address] of cases) assert.equal(addressOf(after, hops), address, `${after} ${hops}`)
})
