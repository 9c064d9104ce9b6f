import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastDays } from './last-days.ts'

test('the last days are those of the zone, and today is one of them', () => {
  const now = new Date('2026-03-01T23:30:00Z')
  assert.deepEqual(lastDays(now, 'UTC', 7), { dateFrom: '2026-02-23', dateTo: '2026-03-02' })
  assert.deepEqual(lastDays(now, 'Europe/Berlin', 1), { dateFrom: '2026-03-02', dateTo: '2026-03-03' })
})
