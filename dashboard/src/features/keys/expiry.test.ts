import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryOf } from './expiry.ts'

const now = new Date('2026-11-22T12:00:00Z')

test('a key expires soon from two weeks before its end', () => {
  const table: readonly (readonly [string | null, 'active' | 'expired', string])[] = [
    [null, 'active', 'never'],
    ['2026-12-06T12:00:01Z', 'active', 'later'],
    ['2026-12-06T12:00:00Z', 'active', 'soon'],
    ['2026-11-22T12:00:01Z', 'active', 'soon'],
    ['2026-11-22T12:00:00Z', 'active', 'over'],
    ['2026-11-22T13:00:00Z', 'expired', 'over'],
  ]
  for (const [expiresAt, state, expiry] of table) assert.equal(expiryOf({ expiresAt, state }, now), expiry)
})
