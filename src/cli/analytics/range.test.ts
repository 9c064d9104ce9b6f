// Ranges of days of commands.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeRange, countDays, rangeBefore, toDay, toRows } from './range.ts'

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
  const range = { from: '2026-03-01', to: '2026-04-01' }
  assert.deepEqual(rangeBefore(range), { from: '2026-01-29', to: '2026-03-01' })
  assert.equal(countDays(rangeBefore(range)), countDays(range))
})

test('a range is the thirty days up to today by default', () => {
  assert.deepEqual(completeRange({}, '2026-11-21'), { from: '2026-10-23', to: '2026-11-22' })
  assert.deepEqual(completeRange({ to: '2026-03-01' }, '2026-11-21'), { from: '2026-01-30', to: '2026-03-01' })
  assert.deepEqual(completeRange({ from: '2026-11-01' }, '2026-11-21'), { from: '2026-11-01', to: '2026-11-22' })
})
