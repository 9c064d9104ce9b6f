import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailureCount } from '../../../jobs/options/readings.ts'
import { toOutcome } from './failures.ts'

const mergedAt = new Date('2026-11-10T12:00:00Z')
const given = [{ path: '/old', visitors: 20, days: 9 }]
const of = (views: number, path = '/old'): readonly FailureCount[] =>
  views === 0 ? [] : [{ path, visitors: Math.ceil(views / 2), views }]

/** The outcome of the one page, so many days after the merge. */
function after(days: number, before: number, since: number, isKept = true) {
  const now = new Date(mergedAt.getTime() + days * 86_400_000)
  const counts = { before: { isKept, pages: of(before) }, since: { isKept: true, pages: of(since) } }
  const { note, pages } = toOutcome(given, { mergedAt, now, ...counts })
  return [pages[0]?.verdict, pages[0]?.text, note]
}

test('failures are compared by day, from three days after the merge', () => {
  const cases: readonly (readonly [ReturnType<typeof after>, readonly unknown[]])[] = [
    [after(3, 28, 0), ['stopped', '14 visitors in the 7 days before, 0 since (3 days)', null]],
    [after(2.99, 28, 0), ['unknown', '14 visitors in the 7 days before, 0 since (2 days)', early(1)]],
    [after(1, 28, 9), ['unknown', '14 visitors in the 7 days before, 5 since (1 day)', early(2)]],
    // 28 in 7 days are 12 in 3.
    [after(3, 28, 11), ['fewer', '14 visitors in the 7 days before, 6 since (3 days)', null]],
    [after(3, 28, 12), ['continues', '14 visitors in the 7 days before, 6 since (3 days)', null]],
    [after(7, 28, 27), ['fewer', '14 visitors in the 7 days before, 14 since (7 days)', null]],
    [after(40, 2, 0), ['stopped', '1 visitor in the 7 days before, 0 in the last 7 days', null]],
    [after(40, 0, 0), ['unknown', '0 visitors in the 7 days before, 0 in the last 7 days', null]],
  ]
  for (const [found, expected] of cases) assert.deepEqual(found, expected)
})

function early(days: number): string {
  return `It needs ${days} more ${days === 1 ? 'day' : 'days'} since the merge.`
}

test('without the page views of before, nothing is judged, and the run says so', () => {
  const note = 'The page views before the merge are no longer kept.'
  const text = '20 visitors on 9 days when the run was given it, 0 in the last 7 days'
  assert.deepEqual(after(400, 28, 0, false), ['unknown', text, note])
})

test('a run without a merge, without page views or without pages says which', () => {
  const now = new Date(mergedAt.getTime() + 86_400_000)
  assert.equal(toOutcome(given, undefined).note, 'The pull request of the run is not merged.')
  const without = toOutcome(given, { mergedAt, now, before: undefined, since: undefined })
  assert.deepEqual([without.note, without.pages[0]?.verdict], ['The service has no page views.', 'unknown'])
  assert.deepEqual(toOutcome([], undefined), { mergedAt: null, note: null, pages: [] })
})
