import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { lastDays } from './last-days.ts'

test('the last days are those of the zone, and today is one of them', () => {
  const now = new Date('2026-03-01T23:30:00Z')
  assert.deepEqual(lastDays(now, 'UTC', 7), { dateFrom: '2026-02-23', dateTo: '2026-03-02' })
  assert.deepEqual(lastDays(now, 'Europe/Berlin', 1), { dateFrom: '2026-03-02', dateTo: '2026-03-03' })
})

test('the last days are the same whatever a date looks like in a browser', (t: TestContext) => {
  // With the data of ICU 72, `en-CA` writes 3/1/26 for 2026-03-01.
  t.mock.getter(Intl.DateTimeFormat.prototype, 'format', () => () => '3/1/26')
  const now = new Date('2026-03-01T12:00:00Z')
  assert.deepEqual(lastDays(now, 'UTC', 7), { dateFrom: '2026-02-23', dateTo: '2026-03-02' })
  assert.deepEqual(lastDays(now, 'Pacific/Kiritimati', 1), { dateFrom: '2026-03-02', dateTo: '2026-03-03' })
  assert.deepEqual(lastDays(now, 'Pacific/Pago_Pago', 1), { dateFrom: '2026-03-01', dateTo: '2026-03-02' })
})
