import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { admit } from '../collect/admit.ts'
import { maxBatchBytes, parseBatch } from '../../http/resources/collect/parse-batch.ts'
import { parsePageView } from '../collect/parse.ts'
import { addLine, emptyBatch, isFull } from './batch.ts'
import { columnsType } from './columns/columns.ts'
import { createNdjson } from './formats/ndjson.ts'
import { createLineHash, createLineIds } from './ids/line-id.ts'
import { continueRotation } from './ids/rotation.ts'
import { createLineReader } from './read-line.ts'

const reader = createLineReader({
  parse: createNdjson(),
  ids: createLineIds(createLineHash('prj_a')),
  facts: { host: null, needsHost: false, idScope: '', olderDays: null, timeZone: 'UTC' },
  continued: continueRotation({ end: undefined }, { firstLine: '', timestamp: undefined }),
})
const rules = {
  keptSince: 0,
  now: 1e12,
  hosts: new Set<string>(),
  privacy: 'standard' as const,
  hostsWithOptOut: new Set<string>(),
}

function read(view: object) {
  const text = JSON.stringify(view)
  const bytes = Buffer.from(text)
  return reader.read({ kind: 'whole', bytes, text, start: 0, end: bytes.length })
}

const paths = fc
  .array(
    fc.constantFrom('a', '.png', '.md', '/', '..', '.', '%2e', '%2E', '_next/static', 'llms', '.txt', '?', '#', ' '),
  )
  .map((pieces) => `/${pieces.join('')}`)
const views = fc.record(
  {
    timestamp: fc.constantFrom(5, '2001-01-01T00:00:00Z', 'never'),
    url: paths.map((path) => `https://docs.example.com${path}`),
    path: paths,
    method: fc.constantFrom('GET', 'get', 'POST', 5, null),
    status: fc.constantFrom(200, 204, 304, 301, 404, 500),
  },
  { requiredKeys: ['timestamp'] },
)

test('the service rejects the same lines as the local check, for the same reason', () => {
  const property = fc.property(views, (view) => {
    const line = read(view)
    const parsed = parsePageView(view, 'log')
    if (!('rejected' in line) || line.rejected === 'not_this_format' || 'invalid' in parsed) return
    const judged = admit(parsed.view, rules)
    assert.equal('dropped' in judged ? judged.dropped : undefined, line.rejected)
  })
  fc.assert(property, { numRuns: 3_000 })
})

test('pages are sent to the service, most other requests are not', () => {
  assert.ok('view' in read({ timestamp: 1, path: '/a' }))
  assert.ok('view' in read({ timestamp: 1, path: '/llms.txt' }))
  assert.equal((read({ timestamp: 1, path: '/a.png' }) as { rejected: string }).rejected, 'not_a_page')
  assert.equal(
    (read({ timestamp: 1, url: 'https://d.example/a', method: 'HEAD' }) as { rejected: string }).rejected,
    'method',
  )
  assert.equal((read({ timestamp: 1, path: '/a', status: 301 }) as { rejected: string }).rejected, 'status')
})

test('a full batch fits into a request, whatever its lines hold', () => {
  // The worst that a line can have: control characters as JSON, Han characters in UTF-8.
  for (const userAgent of ['\u0001'.repeat(65_500), '語'.repeat(21_800)]) {
    const batch = emptyBatch(0)
    const line = { kind: 'whole', bytes: Buffer.from('x'), text: 'x', start: 0, end: 1 } as const
    while (!isFull(batch)) {
      const view = { timestamp: 1, path: '/a', userAgent: userAgent + String(batch.count) }
      addLine(batch, line, { view, lineId: undefined, text: 'x', beyond: undefined })
    }
    const body = Buffer.from(batch.views.encode())
    assert.ok(body.length <= maxBatchBytes, String(body.length))
    assert.equal(parseBatch(body, columnsType).length, batch.count)
  }
})

test('a batch of rejected lines is full after 20,000', () => {
  const batch = emptyBatch(0)
  const line = { kind: 'whole', bytes: Buffer.from('x'), text: 'x', start: 0, end: 1 } as const
  for (let count = 0; count < 20_000; count += 1) {
    assert.equal(isFull(batch), false, String(count))
    addLine(batch, line, { rejected: 'not_this_format', text: 'x' })
  }
  assert.equal(isFull(batch), true)
})
