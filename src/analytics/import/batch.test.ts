import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { admit } from '../collect/admit.ts'
import { parsePageView } from '../collect/parse.ts'
import { addLine, emptyBatch, isFull } from './batch.ts'
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
const rules = { keptSince: 0, now: 1e12, hosts: new Set<string>(), hostsWithOptOut: new Set<string>() }

function read(view: object) {
  const bytes = Buffer.from(JSON.stringify(view))
  return reader.read({ kind: 'whole', bytes, start: 0, end: bytes.length })
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

test('a batch of rejected lines is full after 20,000', () => {
  const batch = emptyBatch(0)
  const line = { kind: 'whole', bytes: Buffer.from('x'), start: 0, end: 1 } as const
  for (let count = 0; count < 20_000; count += 1) {
    assert.equal(isFull(batch), false, String(count))
    addLine(batch, line, { rejected: 'not_this_format', text: 'x' })
  }
  assert.equal(isFull(batch), true)
})
