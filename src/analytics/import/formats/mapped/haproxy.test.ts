import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../../../test/support/linear.ts'
import { createParser, readFormat } from '../formats.ts'

const settings = { fields: 'user_agent=2,host=1,referrer=3,forwarded=4' }
const head =
  '203.0.113.9:33317 [06/Feb/2009:12:14:14.655] http-in~ static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0'
const headers =
  '{docs.example.com|Mozilla/5.0 (X11) #7Ca#7D#C5#81|https://example.com/?q=secret|198.51.100.7, 10.0.0.2}'
const line = `${head} ${headers} {text/html} "GET /guide?token=secret HTTP/1.1"`
const view = {
  timestamp: Date.UTC(2009, 1, 6, 12, 14, 14, 655),
  url: 'https://docs.example.com/guide',
  method: 'GET',
  status: 200,
  userAgent: 'Mozilla/5.0 (X11) |a}Ł',
  address: '203.0.113.9',
  referrer: 'https://example.com/',
}
const parse = (text: string, more: object = {}) =>
  JSON.parse(JSON.stringify(createParser('haproxy', undefined, { ...settings, ...more })(text))) as unknown

const prefixes = [
  '',
  'Feb  6 12:14:14 localhost haproxy[14389]: ',
  '<134>Feb  6 12:14:14 haproxy[14389]: ',
  '<134>1 2009-02-06T12:14:14.655123+01:00 lb haproxy 14389 - - ',
  '2009-02-06T12:14:14+0100 lb haproxy[14389]: ',
  '2009-02-06T12:14:14.655123+01:00 lb.example.com haproxy[14389]: ',
]

test('a line is the same page view after the prefix of any syslog', () => {
  for (const prefix of prefixes) assert.deepEqual(parse(prefix + line), view, prefix)
})

const path = `/${'a'.repeat(2_000)}`
const rows: readonly (readonly [name: string, line: string, expected: object])[] = [
  ['an IPv6 address', line.replace('203.0.113.9:', '2001:db8::1:'), { ...view, address: '2001:db8::1' }],
  ['a socket', line.replace('203.0.113.9:33317', 'unix:1'), { ...view, address: undefined }],
  ['no headers of the response', line.replace(' {text/html}', ''), view],
  ['HTTP/2', line.replace('/guide?', 'https://docs.example.com/guide?').replace('/1.1', '/2.0'), view],
  ['an escaped path', line.replace('/guide?', '/#C5#81?'), { ...view, url: 'https://docs.example.com/Ł' }],
  ['logged early', line.replace('109 200 2750', '+109 200 +2750').replace('1/0 0/0', '1/+2 0/0'), view],
  ['captured cookies', line.replace('- - ----', 'id=5 id=6 --VN'), view],
  ['what httpslog appends', `${line} 0/0000/0/0/1 docs.example.com/TLSv1.3/TLS_AES_128_GCM_SHA256`, view],
  ['no version', line.replace(' HTTP/1.1', ''), view],
  ['cut after the path', line.replace('token=secret HTTP/1.1"', 'tok'), view],
  ['an empty user agent', line.replace(/Mozilla[^|]+/, ''), { ...view, userAgent: '' }],
  ['cut within the path', line.replace(/\?token.*/, ''), { rejected: 'no_request' }],
  ['a long path that is cut', line.replace(/\/guide.*/, `${path}"`), { rejected: 'no_request' }],
  ['a request that is none', line.replace(/"GET.*/, '"<BADREQ>"'), { rejected: 'no_request' }],
  ['cut before the request', line.slice(0, line.indexOf('"')), { rejected: 'no_request' }],
  ['a client that left', line.replace(' 200 2750', ' -1 0'), { rejected: 'not_a_visit' }],
  [
    'no captured headers',
    line.replace(headers, '').replace(' {text/html}', '').replace('  ', ' '),
    { rejected: 'no_user_agent' },
  ],
  ['30 February', line.replace('06/Feb', '30/Feb'), { rejected: 'bad_time' }],
  [
    'a TCP log',
    '10.0.1.2:33313 [06/Feb/2009:12:12:51.443] fnt bck/srv1 0/0/5007 212 -- 0/0/0/0/3 0/0',
    { rejected: 'not_a_visit' },
  ],
  ['a message of HAProxy', `${prefixes[1]}Server docs/a is DOWN, reason: L4`, { rejected: 'not_a_visit' }],
  ['a handshake', '10.0.1.2:3 [06/Feb/2009:12:12:51.443] fe/1: SSL handshake failure', { rejected: 'not_a_visit' }],
  ['another program', 'Feb  6 12:14:14 localhost sshd[1]: Accepted', { rejected: 'not_this_format' }],
  [
    'a cookie that looks like the rest of a line',
    line.replace('- - ----', 'id= ---- 1/1/1/1/0 0/0 {evil|evil|evil|evil} #22GET - ----'),
    view,
  ],
  [
    'a header that looks like a request',
    line.replace('(X11)', '#22GET /evil HTTP/1.1#22'),
    { ...view, userAgent: 'Mozilla/5.0 "GET /evil HTTP/1.1" |a}Ł' },
  ],
]

for (const [name, text, expected] of rows)
  test(`haproxy: ${name}`, () => assert.deepEqual(parse(text), JSON.parse(JSON.stringify(expected))))

test('X-Forwarded-For and any captured header can have the address', () => {
  const { hasForwarded } = readFormat('haproxy', settings)
  assert.equal(hasForwarded, true)
  const address = (from: Parameters<typeof createParser>[1]) => {
    const parsed = createParser('haproxy', from, settings)(line)
    return 'address' in parsed ? parsed.address : undefined
  }
  assert.equal(address({ kind: 'forwarded', hops: 2 }), '198.51.100.7')
  assert.equal(address({ kind: 'field', name: '4', hops: 1 }), '10.0.0.2')
  assert.equal(address({ kind: 'field', name: '9', hops: 1 }), undefined)
})

test('times are those of the zone that is given', () => {
  const { timestamp } = parse(line, { timeZone: 'Europe/Berlin' }) as typeof view
  assert.equal(timestamp, view.timestamp - 3_600_000)
  assert.equal(readFormat('haproxy', settings).zone, 'UTC')
  assert.equal(readFormat('haproxy', { ...settings, timeZone: 'Asia/Kolkata' }).zone, 'Asia/Kolkata')
})

const refusals: readonly (readonly [settings: object, message: RegExp])[] = [
  [{}, /^haproxy needs user_agent in --fields, .*: --fields user_agent=1,host=2,referrer=3,forwarded=4\.$/],
  [{ fields: 'host=1' }, /^haproxy needs user_agent/],
  [{ fields: 'user_agent=0' }, /^user_agent has the place 0, which is not a number/],
  [{ fields: 'user_agent=1,status=2' }, /^status is no field of haproxy, which has user_agent, host/],
  [{ fields: 'user_agent=1,host=2', timeZone: 'Europe/Berln' }, /^Europe\/Berln is not a time zone: .* --time-zone/],
]

test('settings that lines cannot be read by are refused in a sentence', () => {
  for (const [wrong, message] of refusals)
    assert.throws(() => readFormat('haproxy', wrong), { code: 'invalid_input', message })
})

test('no line makes the parser throw, and reading takes linear time', () => {
  const read = createParser('haproxy', undefined, settings)
  const mixed = fc
    .tuple(fc.nat({ max: line.length }), fc.string({ unit: 'binary', maxLength: 6 }))
    .map(([at, text]) => line.slice(0, at) + text + line.slice(at + text.length))
  fc.assert(
    fc.property(fc.oneof(mixed, fc.string({ unit: 'binary' })), (text) => void read(text)),
    { numRuns: 2_000 },
  )
  for (const piece of [' ---- 1/1/1/1/0 0/0 {', '{', '|', '#41', '1', ' 1/1', ' [06/Feb/2009:12:14:14.655] ']) {
    for (const place of ['- - ', 'Mozilla', '/guide']) {
      const text = (length: number) => line.replace(place, place + piece.repeat(length / piece.length))
      assertLinear(text, read, { size: 65_536, name: `${piece} after ${place}` })
    }
  }
})
