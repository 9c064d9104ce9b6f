import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatRelative } from './relative.ts'

const cases: readonly (readonly [at: string, from: string, words: string])[] = [
  ['2026-11-22T12:00:00Z', '2026-11-22T12:00:00Z', 'just now'],
  ['2026-11-22T12:00:00Z', '2026-11-22T12:00:59.999Z', 'just now'],
  ['2026-11-22T12:00:00Z', '2026-11-22T12:01:00Z', '1 minute ago'],
  ['2026-11-22T12:00:00Z', '2026-11-22T12:59:59Z', '59 minutes ago'],
  ['2026-11-22T12:00:00Z', '2026-11-22T13:00:00Z', '1 hour ago'],
  ['2026-11-22T12:00:00Z', '2026-11-23T11:59:59Z', '23 hours ago'],
  ['2026-11-22T12:00:00Z', '2026-11-23T12:00:00Z', '1 day ago'],
  // Two days before by the calendar, one whole day by the clock.
  ['2026-11-20T16:00:00Z', '2026-11-22T15:00:00Z', '1 day ago'],
  ['2028-02-29T12:00:00Z', '2028-03-01T12:00:00Z', '1 day ago'],
  ['2028-02-28T12:00:00Z', '2028-03-01T12:00:00Z', '2 days ago'],
  ['2028-02-29T12:00:00Z', '2028-03-29T12:00:00Z', '29 days ago'],
  ['2028-01-30T12:00:00Z', '2028-02-29T12:00:00Z', '1 month ago'],
  ['2027-03-01T12:00:00Z', '2028-02-29T12:00:00Z', '1 year ago'],
  ['2027-03-01T12:00:01Z', '2028-02-29T12:00:00Z', '12 months ago'],
  ['2028-03-07T11:59:58Z', '2028-02-29T12:00:00Z', 'in 7 days'],
  ['2028-02-29T12:59:58Z', '2028-02-29T12:00:00Z', 'in 60 minutes'],
]

for (const [at, from, words] of cases) {
  test(`${at} is ${words} at ${from}`, () => {
    assert.equal(formatRelative(new Date(at), new Date(from)), words)
  })
}
