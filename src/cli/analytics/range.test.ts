// Ranges of days of commands.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeRange, countDays, hasData, rangeBefore, toDay, toRows } from './range.ts'

test('a day has to exist', () => {
  assert.equal(toDay('2028-02-29'), '2028-02-29')
  for (const text of ['2026-02-29', '2026-13-01', '2026-1-1', 'today', '2026-11-20T10:00', '']) {
    assert.throws(() => toDay(text), { code: 'commander.invalidArgument' })
  }
})

test('a table has as many rows as a page of the API', () => {
  assert.deepEqual([toRows('1'), toRows('250')], ['1', '250'])
  for (const text of ['0', '251', '1e2', '-1', '2.5', 'x', '']) {
    assert.throws(() => toRows(text), { code: 'commander.invalidArgument' })
  }
})

test('the previous range has as many days and ends where the range begins', () => {
  const range = { from: '2026-03-02', to: '2026-04-01' }
  assert.deepEqual(rangeBefore(range), { from: '2026-01-31', to: '2026-03-02' })
  assert.equal(countDays(rangeBefore(range)), countDays(range))
  assert.deepEqual(rangeBefore({ from: '2026-03-01', to: '2026-04-02' }), { from: '2026-01-28', to: '2026-03-01' })
})

test('the first days of a month are compared with those of the month before', () => {
  const before = (from: string, to: string) => rangeBefore({ from, to })
  assert.deepEqual(before('2026-11-01', '2026-11-25'), { from: '2026-10-01', to: '2026-10-25' })
  assert.deepEqual(before('2026-01-01', '2026-02-01'), { from: '2025-12-01', to: '2026-01-01' })
  assert.deepEqual(before('2026-03-01', '2026-03-02'), { from: '2026-02-28', to: '2026-03-01' })
  assert.deepEqual(before('2026-03-01', '2026-03-31'), { from: '2026-02-01', to: '2026-03-01' })
})

test('a range has data if page views begin on its first day, or before its only day', () => {
  const month = { from: '2026-10-01', to: '2026-10-22' }
  const day = { from: '2026-10-01', to: '2026-10-02' }
  assert.deepEqual(
    [hasData(month, '2026-10-01'), hasData(month, '2026-10-02'), hasData(month, null)],
    [true, false, false],
  )
  assert.deepEqual([hasData(day, '2026-09-30'), hasData(day, '2026-10-01')], [true, false])
})

test('a range is the month up to today by default', () => {
  assert.deepEqual(completeRange({}, '2026-11-21'), { from: '2026-11-01', to: '2026-11-22' })
  assert.deepEqual(completeRange({}, '2026-11-30'), { from: '2026-11-01', to: '2026-12-01' })
  assert.deepEqual(completeRange({ to: '2026-03-01' }, '2026-11-21'), { from: '2026-02-01', to: '2026-03-01' })
  assert.deepEqual(completeRange({ from: '2026-11-01' }, '2026-11-21'), { from: '2026-11-01', to: '2026-11-22' })
})
