import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePageView } from '../../collect/parse.ts'
import type { Hash } from '../ids/line-hash.ts'
import { maxColumnViews } from './columns.ts'
import { decodeColumns } from './read-columns.ts'
import { createColumns } from './write-columns.ts'
import { wireFields, type WirePageView } from '../wire-page-view.ts'

const text = fc.oneof(fc.constantFrom('/guide', '', '-', '{"dnt":"1"}', '__proto__'), fc.string({ unit: 'binary' }))
const view: fc.Arbitrary<WirePageView> = fc.record(
  {
    id: text,
    sameAs: fc.array(text, { maxLength: 5 }),
    timestamp: fc.oneof(fc.integer(), fc.constant('2026-11-21T10:00:00Z')),
    url: fc.oneof(fc.webUrl(), text),
    path: text,
    userAgent: text,
    address: fc.oneof(fc.ipV4(), fc.ipV6(), text),
    visitorId: text,
    referrer: fc.oneof(fc.webUrl(), text),
    country: text,
    title: text,
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

function encodeColumns(views: readonly WirePageView[], lineIds: readonly (Hash | undefined)[] = []): string {
  const columns = createColumns()
  for (const [row, one] of views.entries()) columns.add(one, lineIds[row])
  return columns.encode()
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
    values: ['/a', { dnt: '1' }, '{"dnt":"1"}'],
    given: { timestamp: [1, 2, 3] },
    places: { path: [0, 0, 2], userAgent: [0, 0, -1], headers: [1, 1, -1] },
  })
})

test('ids of lines are one text, and a row with an id of its own has none', () => {
  const views = [{ timestamp: 1 }, { timestamp: 2, id: 'own' }, { timestamp: 3 }]
  const body = encodeColumns(views, [[0x01234567, 0x89abcdef | 0, 3, 4], undefined, [-1, 1, 3, 4]])
  assert.equal((JSON.parse(body) as { lineIds: string }).lineIds, '0123456789abcdef0000000000000000ffffffff00000001')
  assert.deepEqual(
    (decode(body) as readonly { lineId: unknown }[]).map(({ lineId }) => lineId),
    [0x0123456789abcdefn, undefined, 0xffffffff00000001n],
  )
})

test('a page view is read back from its columns until the service has answered', () => {
  const one = { timestamp: 5, url: 'https://d.example/a', userAgent: 'A/1', address: '192.0.2.1', status: 304 }
  const columns = createColumns()
  columns.add({ timestamp: 1, path: '/b', referrer: 'https://r.example/', visitorId: 'v', representation: 'markdown' })
  columns.add(one)
  assert.deepEqual(JSON.parse(JSON.stringify(columns.at(1))), one)
  assert.equal(columns.at(0).path, '/b')
  assert.equal(columns.at(0).address, undefined)
  assert.equal(columns.units(), 60)
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
    [{ ...rows({ timestamp: [1] }), values: Array(30_000).fill('') }, /`values` has more values than rows/],
    [rows({ timestamp: Array(maxColumnViews + 1).fill(1) }), /at most 2,000 page views/],
    ...[5, '0', '0123456789abcdeg', '0123456789abcdef0'].map((lineIds): [unknown, RegExp] => [
      { ...rows({ timestamp: [1] }), lineIds },
      /`lineIds` must have 16 hexadecimal digits for each row/,
    ]),
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
  assert.deepEqual(JSON.parse(JSON.stringify(decode(body))), [{ timestamp: 1, path: '/a' }])
  assert.equal(({} as { path?: string }).path, undefined)
})
