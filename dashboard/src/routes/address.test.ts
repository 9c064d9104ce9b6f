import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLedgerFilter } from './address.ts'

test('an address with an unknown filter shows everything', () => {
  assert.deepEqual(readLedgerFilter({ source: 'api', state: 'set_aside' }), { source: 'api', state: 'set_aside' })
  assert.deepEqual(readLedgerFilter({ source: 5, state: 'lost' }), {})
})
