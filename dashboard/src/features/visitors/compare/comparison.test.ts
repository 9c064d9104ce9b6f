import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../range.ts'
import { behind, comparisonOf, firstKnown } from './comparison.ts'

const range = (dateFrom: string, dateTo: string) => ({ dateFrom, dateTo })

test('a period has the same intervals as the series', () => {
  const november = range('2026-11-01', '2026-11-22')
  const cases = [
    [november, 'day', 'earlier', range('2026-10-01', '2026-10-22'), ['2026-11-03', '2026-10-03']],
    [november, 'day', 'year', range('2025-11-01', '2025-11-22'), ['2026-11-03', '2025-11-03']],
    [
      range('2026-11-03', '2026-11-13'),
      'day',
      'earlier',
      range('2026-10-24', '2026-11-03'),
      ['2026-11-12', '2026-11-02'],
    ],
    // Weeks begin on Monday: 21 days back, and 52 weeks.
    [november, 'week', 'earlier', range('2026-10-11', '2026-11-01'), ['2026-11-16', '2026-10-26']],
    [november, 'week', 'year', range('2025-11-02', '2025-11-23'), ['2026-11-16', '2025-11-17']],
    [
      range('2026-09-15', '2026-11-22'),
      'month',
      'earlier',
      range('2026-06-15', '2026-08-22'),
      ['2026-11-01', '2026-08-01'],
    ],
    [
      range('2026-09-15', '2026-12-01'),
      'month',
      'year',
      range('2025-09-15', '2025-12-01'),
      ['2026-10-01', '2025-10-01'],
    ],
    [range('2024-02-01', '2024-03-01'), 'day', 'year', range('2023-02-01', '2023-03-02'), ['2024-02-29', '2023-03-01']],
  ] as const
  for (const [asked, interval, compare, expected, [date, other]] of cases) {
    const found = comparisonOf(asked, interval, compare)
    assert.deepEqual(found.range, expected, `${interval} ${compare}`)
    assert.equal(found.dateOf(date), other)
  }
})

test('the last days of a long month have no day of a shorter one behind them', () => {
  const march = range('2026-03-01', '2026-04-01')
  const comparison = comparisonOf(march, 'day', 'earlier')
  assert.deepEqual(comparison.range, range('2026-02-01', '2026-03-01'))
  const points = Array.from({ length: 31 }, (_, at) => ({ date: addDays('2026-03-01', at) }))
  const earlier = Array.from({ length: 28 }, (_, at) => ({ date: addDays('2026-02-01', at) }))
  const found = behind(points, comparison, { earlier, firstDay: '2026-02-10' })
  assert.deepEqual([found.size, [...found.keys()][0], [...found.keys()].at(-1)], [19, '2026-03-10', '2026-03-28'])
})

test('an interval that begins before the first page view is not shown', () => {
  const comparison = comparisonOf(range('2026-11-04', '2026-11-22'), 'week', 'earlier')
  const points = ['2026-11-02', '2026-11-09', '2026-11-16'].map((date) => ({ date }))
  const earlier = points.map(({ date }) => ({ date: comparison.dateOf(date) }))
  const from = (firstDay: string) => [...behind(points, comparison, { earlier, firstDay }).keys()]
  // The first one is of the days from Wednesday.
  assert.deepEqual(from('2026-10-14'), ['2026-11-02', '2026-11-09', '2026-11-16'])
  assert.deepEqual(from('2026-10-15'), ['2026-11-09', '2026-11-16'])
  assert.equal(firstKnown({ firstDay: '2024-10-01', firstPageView: '2026-10-15' }), '2026-10-15')
  assert.equal(firstKnown({ firstDay: '2024-10-01', firstPageView: '2024-09-01' }), '2024-10-01')
})
