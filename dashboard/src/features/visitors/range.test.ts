import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeView, readView } from './address.ts'
import { formatChange, formatHour, formatRange, formatRatio, readablePath } from './format.ts'
import { intervalOf, intervalsOf, isToday, rangeBefore, rangeOf, readRange } from './range.ts'

const days = { today: '2026-03-31', firstDay: '2024-02-29', firstPageView: '2024-02-29' }
const of = (dateFrom: string, dateTo: string) => ({ dateFrom, dateTo })

test('presets end with today, or with the last whole month', () => {
  const table = [
    ['today', '2026-03-31', '2026-04-01'],
    ['yesterday', '2026-03-30', '2026-03-31'],
    ['7d', '2026-03-25', '2026-04-01'],
    ['12m', '2025-04-01', '2026-04-01'],
    ['month', '2026-03-01', '2026-04-01'],
    ['last-month', '2026-02-01', '2026-03-01'],
    ['all', '2024-02-29', '2026-04-01'],
  ] as const
  for (const [range, from, to] of table) assert.deepEqual(rangeOf({ range }, days), of(from, to), range)
  assert.deepEqual(rangeOf({ range: '30d' }, days), of('2026-03-02', '2026-04-01'))
  assert.deepEqual(rangeOf({}, days), of('2026-03-01', '2026-04-01'))
})

test('two days are a range; days that are not kept or to come are left out', () => {
  assert.deepEqual(rangeOf({ from: '2026-03-01', to: '2026-03-01' }, days), of('2026-03-01', '2026-03-02'))
  assert.deepEqual(rangeOf({ from: '2020-01-01', to: '2027-01-01' }, days), of('2024-02-29', '2026-04-01'))
  assert.deepEqual(rangeOf({ from: '2027-01-01', to: '2027-01-02' }, days), of('2026-04-01', '2026-04-01'))
})

test('a range is compared with as many days before, if all of them are kept', () => {
  assert.deepEqual(rangeBefore(of('2026-03-02', '2026-04-01'), days), of('2026-01-31', '2026-03-02'))
  assert.deepEqual(rangeBefore(of('2024-03-02', '2024-03-04'), days), of('2024-02-29', '2024-03-02'))
  assert.equal(rangeBefore(of('2024-03-02', '2024-03-05'), days), undefined)
  assert.equal(rangeBefore(of('2026-04-01', '2026-04-01'), days), undefined)
})

test('a range is compared with days that have page views from the first on', () => {
  const since = { ...days, firstPageView: '2026-02-02' }
  assert.equal(rangeBefore(of('2026-03-01', '2026-03-25'), since), undefined)
  assert.deepEqual(rangeBefore(of('2026-03-02', '2026-03-30'), since), of('2026-02-02', '2026-03-02'))
  assert.equal(rangeBefore(of('2026-02-03', '2026-02-04'), since), undefined, 'recording began during that day')
  assert.deepEqual(rangeBefore(of('2026-02-04', '2026-02-05'), since), of('2026-02-03', '2026-02-04'))
  assert.equal(rangeBefore(of('2026-03-02', '2026-03-30'), { ...days, firstPageView: null }), undefined)
})

test('only today alone is shown by the hour; repeated hours have their offset', () => {
  assert.equal(isToday(of('2026-03-31', '2026-04-01'), days), true)
  assert.equal(isToday(of('2026-03-30', '2026-04-01'), days), false)
  assert.equal(isToday(of('2026-03-30', '2026-03-31'), days), false)
  assert.equal(formatHour('2026-11-21T09:00:00+01:00', false), '09:00')
  assert.equal(formatHour('2026-10-25T02:00:00+02:00', true), '02:00 (UTC+02:00)')
})

test('a ratio has one digit, and nothing to divide by is a dash', () => {
  assert.deepEqual([formatRatio(2.444), formatRatio(3), formatRatio(Number.NaN)], ['2.4', '3.0', '–'])
})

test('a range has at most 110 intervals, and keeps the chosen one where it can', () => {
  assert.deepEqual(intervalsOf(of('2026-01-01', '2026-04-11')), ['day', 'week', 'month'])
  assert.deepEqual(intervalsOf(of('2026-01-01', '2026-04-12')), ['week', 'month'])
  assert.equal(intervalOf(of('2026-01-01', '2026-03-01'), 'month'), 'month')
  assert.equal(intervalOf(of('2026-01-01', '2026-01-08'), 'month'), 'day')
  assert.equal(intervalOf(of('2024-01-01', '2026-01-01'), undefined), 'month')
})

test('the first days of a month are compared with those of the month before', () => {
  assert.deepEqual(rangeBefore(of('2026-03-01', '2026-03-25'), days), of('2026-02-01', '2026-02-25'))
  assert.deepEqual(rangeBefore(of('2026-03-01', '2026-04-01'), days), of('2026-02-01', '2026-03-01'))
  assert.deepEqual(rangeBefore(of('2026-03-01', '2026-04-02'), days), of('2026-01-28', '2026-03-01'))
  assert.equal(rangeBefore(of('2024-03-01', '2024-03-03'), days), undefined)
})

test('an address that makes no sense shows this month and the pages', () => {
  const wrong = { range: 'x', from: '2026-02-30', to: '2026-03-01', list: 'x', page: '-1', sort: 'path', table: 'x' }
  assert.deepEqual(readView({ ...wrong, interval: 'year', search: {} }), {})
  assert.deepEqual(readRange({ from: '2026-03-02', to: '2026-03-01' }), {})
  assert.deepEqual(readView({ search: 404, page: 2, list: 'broken' }), { search: '404', page: 2, list: 'broken' })
})

test('other rows begin at their first page; another chart does not', () => {
  const view = { search: 'a', page: 3 } as const
  assert.deepEqual(changeView(view, { search: 'b' }), { search: 'b' })
  assert.deepEqual(changeView(view, { list: 'agents', search: undefined }), { list: 'agents' })
  assert.deepEqual(changeView(view, { table: true }), { search: 'a', page: 3, table: true })
})

test('a change is a percentage, except after nothing', () => {
  assert.equal(formatChange(9, 8), '+12.5%')
  assert.equal(formatChange(1, 3), '−66.7%')
  assert.equal(formatChange(5, 5), 'No change')
  assert.equal(formatChange(5, 0), undefined)
  assert.equal(formatChange(2_000, 1), '+199,900%')
})

test('a range without days is named after its day', () => {
  assert.equal(formatRange(of('2026-03-02', '2026-03-02')), 'Mar 2, 2026')
  assert.match(formatRange(of('2026-03-02', '2026-04-01')), /^Mar 2\s–\s31, 2026$/)
})

test('letters of a path are read as letters; marks that turn text stay escaped', () => {
  assert.equal(readablePath('/d%C3%A9but/%E6%97%A5'), '/début/日')
  assert.equal(readablePath('/%E2%80%AEgnp%3Cscript%3E%2F%00'), '/%E2%80%AEgnp%3Cscript%3E%2F%00')
  assert.equal(readablePath('/%FF%20'), '/%FF%20')
})
