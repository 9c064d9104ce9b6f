import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitMonths } from './reclassify.ts'

test('history is split into months: the first from its day, the last without an end', () => {
  assert.deepEqual(splitMonths('2026-11-20', '2026-11-21'), [{ since: '2026-11-20' }])
  assert.deepEqual(splitMonths('2026-11-30', '2026-12-01'), [
    { since: '2026-11-30', until: '2026-12-01' },
    { since: '2026-12-01' },
  ])
  assert.deepEqual(splitMonths('2025-12-31', '2026-03-02'), [
    { since: '2025-12-31', until: '2026-01-01' },
    { since: '2026-01-01', until: '2026-02-01' },
    { since: '2026-02-01', until: '2026-03-01' },
    { since: '2026-03-01' },
  ])
  assert.deepEqual(splitMonths('2027-01-01', '2026-03-02'), [{ since: '2027-01-01' }])
})
