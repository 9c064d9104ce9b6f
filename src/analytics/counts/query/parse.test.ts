import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDay } from './parse.ts'

test('a date must exist, and may have a time', () => {
  const table: [string, string | undefined][] = [
    ['2026-11-21', '2026-11-21'],
    ['2024-02-29', '2024-02-29'],
    ['2026-02-29', undefined],
    ['1900-02-29', undefined],
    ['0000-02-29', '0000-02-29'],
    ['9999-12-31', '9999-12-31'],
    ['2026-04-31', undefined],
    ['2026-11-21T23:59:60Z', '2026-11-21'],
    ['2026-11-21T00:00:00+14:00', '2026-11-21'],
    ['2026-11-21T00:00:00 14:00', '2026-11-21'],
    ['2026-11-21T00:00:00,123-1130', '2026-11-21'],
    ['2026-11-21T000000Z', '2026-11-21'],
    ['2026-11-21T24:01:61', undefined],
    ['2026-11-21T', undefined],
    ['2026-11-21Z', undefined],
    ['2026-11-21\n', undefined],
    [' 2026-11-21', undefined],
    ['２０２６-11-21', undefined],
    ['+012026-01-01', undefined],
    ['-000001-01-01', undefined],
  ]
  for (const [text, day] of table) assert.equal(parseDay(text), day, text)
})

test('every date that the platform accepts is parsed, with any time', () => {
  const dates = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(dates, (date) => {
      assert.equal(parseDay(date.toISOString()), date.toISOString().slice(0, 10))
    }),
  )
})

test('no text throws, and every accepted text is a day', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.match(parseDay(text) ?? '0000-01-01', /^\d{4}-\d\d-\d\d$/)))
})
