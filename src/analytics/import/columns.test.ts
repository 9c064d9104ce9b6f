import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePageView } from '../collect/parse.ts'
import { decodeColumns, encodeColumns, maxColumnViews } from './columns.ts'
import { wireFields, type WirePageView } from './wire-page-view.ts'

const text = fc.oneof(fc.constantFrom('/guide', '', '-', '{"dnt":"1"}', '__proto__'), fc.string({ unit: 'binary' }))
const view: fc.Arbitrary<WirePageView> = fc.record(
  {
    id: text,
    lineId: fc.constantFrom('0123456789abcdef'.repeat(2), 'x'),
    sameAs: fc.array(text, { maxLength: 5 }),
    timestamp: fc.oneof(fc.integer(), fc.constant('2026-11-21T10:00:00Z')),
    url: fc.oneof(fc.webUrl(), text),
    path: text,
    userAgent: text,
    address: fc.oneof(fc.ipV4(), fc.ipV6(), text),
    visitorId: text,
    referrer: fc.oneof(fc.webUrl(), text),
    representation: fc.constantFrom('html', 'markdown'),
    method: text,
    status: fc.integer({ min: 100, max: 599 }),
    headers: fc.oneof(fc.constant({ dnt: '1' }), fc.dictionary(text, text)),
  },
  { requiredKeys: ['timestamp'] },
)

function depthOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
}

const decode = (body: string) => decodeColumns(JSON.parse(body), 1e9)

test('the service reads the same page views from columns as from objects', () => {
  const property = fc.property(fc.array(view, { minLength: 1, maxLength: 30 }), (views) => {
    const items = decode(encodeColumns(views))
    const parsed = items.map((item) => parsePageView(item, 'log'))
    assert.deepEqual(
      parsed,
      views.map((one) => parsePageView(JSON.parse(JSON.stringify(one)), 'log')),
    )
  })
  fc.assert(property, { numRuns: 500 })
})

test('values that a field cannot have are invalid in columns, too, and never deep', () => {
  const any = fc.record(Object.fromEntries(wireFields.map((name) => [name, fc.jsonValue()])), { requiredKeys: [] })
  const property = fc.property(fc.array(any, { minLength: 1, maxLength: 10 }), (views) => {
    const body = encodeColumns(views as unknown as readonly WirePageView[])
    assert.ok(depthOf(JSON.parse(body)) <= 4, body)
    assert.deepEqual(
      decode(body).map((item) => parsePageView(item, 'log')),
      views.map((one) => parsePageView(one, 'log')),
    )
  })
  fc.assert(property, { numRuns: 500 })
})

test('each value is sent once, and columns that no page view has are left out', () => {
  const one = { timestamp: 1, path: '/a', userAgent: '/a', headers: { dnt: '1' } }
  const body = encodeColumns([one, { ...one, timestamp: 2 }, { timestamp: 3, path: '{"dnt":"1"}' }])
  assert.deepEqual(JSON.parse(body), {
    values: ['/a', '{"dnt":"1"}', { dnt: '1' }],
    given: { timestamp: [1, 2, 3] },
    places: { path: [0, 0, 1], userAgent: [0, 0, -1], headers: [2, 2, -1] },
  })
})

test('columns that do not fit together are refused, with the place of the fault', () => {
  const rows = (given: object, places: object = {}) => ({ values: ['/a', '/b'], given, places })
  const table: readonly [unknown, RegExp][] = [
    [[], /The body must be an object/],
    [null, /The body must be an object/],
    [{ given: {}, places: {} }, /`values` must be an array/],
    [{ values: [], places: {} }, /`given` must be an object/],
    [{ values: [], given: {}, places: [] }, /`places` must be an object/],
    [rows({ timestamp: 5 }), /`given.timestamp` must be an array/],
    [rows({ timestamp: [1] }, { path: [0, 1] }), /`places.path` must be as long as the other columns/],
    [rows({ timestamp: [1] }, { path: [2] }), /`places.path.0` must be a place in `values`, or -1/],
    [rows({ timestamp: [1] }, { path: [-2] }), /must be a place/],
    [rows({ timestamp: [1] }, { path: [0.5] }), /must be a place/],
    [rows({ timestamp: [1] }, { path: ['0'] }), /must be a place/],
    [rows({ timestamp: [1] }, { path: ['length'] }), /must be a place/],
    [rows({ timestamp: [1] }, { path: [null] }), /must be a place/],
    [{ ...rows({ timestamp: [1] }), values: Array(20_000).fill('') }, /`values` has more values than rows/],
    [rows({ timestamp: Array(maxColumnViews + 1).fill(1) }), /at most 2,000 page views/],
  ]
  for (const [body, message] of table) {
    assert.throws(() => decodeColumns(body, 1e6), { code: 'invalid_input', message }, JSON.stringify(body).slice(0, 80))
  }
})

test('a long value that many rows share counts for each of them', () => {
  const body = { values: ['x'.repeat(1_000)], given: { timestamp: [1, 2] }, places: { path: [0, 0] } }
  assert.equal(decodeColumns(body, 2_000).length, 2)
  assert.throws(() => decodeColumns(body, 1_999), { code: 'invalid_input', message: /too much text/ })
  const wide = { ...body, values: ['語'.repeat(1_000)] }
  assert.equal(decodeColumns(wide, 6_000).length, 2)
  assert.throws(() => decodeColumns(wide, 5_999), { code: 'invalid_input', message: /too much text/ })
})

test('no rows are no page views, and unknown columns are ignored', () => {
  assert.deepEqual(decode('{"values":[],"given":{},"places":{}}'), [])
  const body =
    '{"values":["/a"],"given":{"timestamp":[1],"__proto__":[2]},"places":{"__proto__":[0],"path":[0],"other":[]}}'
  assert.deepEqual(decode(body), [{ timestamp: 1, path: '/a' }])
  assert.equal(({} as { path?: string }).path, undefined)
})
