import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalTime } from './local-time.ts'

const rows: readonly (readonly [zone: string, wall: string, instant: string])[] = [
  ['UTC', '2026-10-25T02:30:00', '2026-10-25T02:30:00'],
  ['Europe/Berlin', '2026-07-01T12:00:00', '2026-07-01T10:00:00'],
  // Back at 03:00, which is 02:00 again.
  ['Europe/Berlin', '2026-10-25T01:59:59', '2026-10-24T23:59:59'],
  ['Europe/Berlin', '2026-10-25T02:00:00', '2026-10-25T00:00:00'],
  ['Europe/Berlin', '2026-10-25T02:59:59', '2026-10-25T00:59:59'],
  ['Europe/Berlin', '2026-10-25T03:00:00', '2026-10-25T02:00:00'],
  // Forward at 02:00, which is 03:00.
  ['Europe/Berlin', '2026-03-29T01:59:59', '2026-03-29T00:59:59'],
  ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:30:00'],
  ['Europe/Berlin', '2026-03-29T03:00:00', '2026-03-29T01:00:00'],
  // By half an hour.
  ['Australia/Lord_Howe', '2026-04-05T01:29:59', '2026-04-04T14:29:59'],
  ['Australia/Lord_Howe', '2026-04-05T01:30:00', '2026-04-04T14:30:00'],
  ['Australia/Lord_Howe', '2026-04-05T02:00:00', '2026-04-04T15:30:00'],
  ['Asia/Kathmandu', '2026-11-21T05:45:00', '2026-11-21T00:00:00'],
]

test('a repeated hour is the first, and a skipped one is as much later', () => {
  for (const [zone, wall, instant] of rows) {
    const toInstant = createLocalTime(zone)
    assert.equal(new Date(toInstant(Date.parse(`${wall}Z`))).toISOString(), `${instant}.000Z`, `${zone} ${wall}`)
  }
})

test('times in any order are read the same with one reader', () => {
  const berlin = rows.filter(([zone]) => zone === 'Europe/Berlin')
  const toInstant = createLocalTime('Europe/Berlin')
  for (const [, wall, instant] of [...berlin, ...berlin.toReversed()])
    assert.equal(toInstant(Date.parse(`${wall}Z`)), Date.parse(`${instant}Z`), wall)
})
