import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLedgerFilter } from './address.ts'

test('an address with an unknown filter shows everything', () => {
  assert.deepEqual(readLedgerFilter({ source: 'api', state: 'set_aside' }), { source: 'api', state: 'set_aside' })
  assert.deepEqual(readLedgerFilter({ source: 5, state: 'lost' }), {})
  assert.deepEqual(readLedgerFilter({ from: 'v1', to: 'v2' }), {})
  const range = { source: 'api', from: 'v1.1', to: 'v1.2' }
  assert.deepEqual(readLedgerFilter(range), range)
  assert.deepEqual(readLedgerFilter({ ...range, to: {} }), { source: 'api', from: 'v1.1' })
})
