import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayCounts, saySavings } from './words.ts'

test('the sums of the ledger are sentences', () => {
  const none = { documented: 0, skipped: 0, waiting: 0, rejected: 0, set_aside: 0 }
  assert.equal(sayCounts(none), '0 changes are undocumented, 0 are documented, 0 were skipped.')
  assert.equal(
    sayCounts({ documented: 1, skipped: 1, waiting: 0, rejected: 1, set_aside: 1 }),
    '1 change is undocumented, 1 is documented, 1 was skipped, 1 was rejected.',
  )
  const savings = { skipped: 12, tokens: 48_000, asked: 2, missed: 1 }
  assert.equal(
    saySavings({ savings }),
    'No model was asked for 12, which saved about 48,000 tokens. People asked for 2 of the skipped ones, and 1 of these are documented now.',
  )
  assert.equal(saySavings({ savings: { skipped: 0, tokens: null, asked: 0, missed: 0 } }), undefined)
})
