import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProjectSettings } from '../../../projects/settings.ts'
import { perWindowOf } from './per-window.ts'

const at = (time: string) => Date.parse(time.includes('T') ? time : `${time}T12:00:00Z`)
const window = (name: string, first: string, last: string) => ({
  window: name,
  views: '1',
  sums: '1',
  first: at(first),
  last: at(last),
})
const october = window('month:2026-10', '2026-10-01', '2026-10-31')
const november = window('month:2026-11', '2026-11-01', '2026-11-20')

function told(
  [dateFrom, dateTo]: readonly [string, string],
  windows: readonly ReturnType<typeof window>[],
  visitorWindow: ProjectSettings['visitorWindow'] = 'month',
) {
  const plan = { dateFrom, dateTo, from: at(`${dateFrom}T00:00Z`), to: at(`${dateTo}T00:00Z`) }
  return perWindowOf(plan, { timeZone: 'UTC', visitorWindow }, windows)
}

test('thirty days over two months say so', () => {
  assert.deepEqual(told(['2026-10-25', '2026-11-24'], [november, october]), {
    window: 'month',
    windows: 2,
    note: 'counted per month: Oct 25–31 and Nov 1–23; a person who came in both counts twice',
  })
})

test('a range with page views of one window counts nobody twice', () => {
  assert.equal(told(['2026-11-01', '2026-12-01'], [october, november]), null)
  assert.equal(told(['2026-10-25', '2026-11-24'], [november]), null)
  const early = window('month:2026-10', '2026-10-01', '2026-10-24T23:59:59.999Z')
  assert.equal(told(['2026-10-25', '2026-11-24'], [november, early]), null)
  const edge = window('month:2026-10', '2026-10-01', '2026-10-25T00:00:00.000Z')
  assert.equal(told(['2026-10-25', '2026-11-24'], [november, edge])?.windows, 2)
  assert.equal(told(['2026-11-24', '2026-11-24'], [october, november]), null)
  assert.equal(told(['2026-10-25', '2026-11-24'], []), null)
})

test('page views without a window count as those of the present windows', () => {
  const unnamed = window('', '2026-09-15', '2026-11-20')
  assert.equal(told(['2026-10-25', '2026-11-24'], [unnamed], 'never'), null)
  assert.equal(told(['2026-10-25', '2026-11-24'], [unnamed, november])?.windows, 2)
  assert.equal(told(['2026-11-01', '2026-11-24'], [unnamed]), null)
})

test('weeks, days, many windows, years and a changed setting', () => {
  const weeks = [
    window('week:2026-W01', '2025-12-29', '2026-01-04'),
    window('week:2025-W52', '2025-12-28', '2025-12-28'),
  ]
  const { note: ofWeeks } = told(['2025-12-28', '2026-01-05'], weeks, 'week') ?? {}
  assert.match(ofWeeks ?? '', /^counted per week: Dec 28, 2025 and Dec 29, 2025 – Jan 4, 2026; /)
  const days = ['20', '21', '22'].map((day) => window(`day:2026-11-${day}`, `2026-11-${day}`, `2026-11-${day}`))
  const { note: ofDays } = told(['2026-11-01', '2026-12-01'], days, 'day') ?? {}
  assert.equal(ofDays, 'counted per day: Nov 20, Nov 21 and Nov 22; a person who came in several counts once in each')
  const many = told(
    ['2026-11-01', '2026-12-01'],
    [...days, window('day:2026-11-25', '2026-11-25', '2026-11-25')],
    'day',
  )
  assert.match(many?.note ?? '', /^counted per day: 4 windows, Nov 20–25; /)
  const changed = told(['2026-10-25', '2026-12-01'], [october, ...days.slice(0, 1)], 'day')
  assert.match(changed?.note ?? '', /^counted per month and per day: Oct 25–31 and Nov 20; .* both counts twice$/)
  assert.equal(changed?.window, 'day')
})
