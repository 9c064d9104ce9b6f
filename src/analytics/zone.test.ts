import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { dayIn } from '../../test/support/counting-oracle.ts'
import { addDays, addMonths, dayOf, hoursOf, offsetSegments, startOfDay, startOfWeek } from './zone.ts'

const day = 86_400_000
const odd = [
  'Africa/Cairo',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Asuncion',
]
const anyZone = fc.constantFrom(...odd, ...Intl.supportedValuesOf('timeZone'))
const anyTime = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2036, 0, 1) })

suite('days of a time zone', () => {
  test('they begin with their first instant', () => {
    const table: [string, string, string][] = [
      ['UTC', '2026-11-21', '2026-11-21T00:00:00.000Z'],
      ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
      ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
      ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z'],
      ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z'],
      ['Australia/Lord_Howe', '2026-04-06', '2026-04-05T13:30:00.000Z'],
      // Midnight is skipped: the day begins at 01:00.
      ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
      ['Africa/Cairo', '2026-04-25', '2026-04-24T21:00:00.000Z'],
      // The day is skipped whole: it begins where the next one does.
      ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
      ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
      // At 00:01 the clock goes back to 23:01: the day has begun.
      ['America/St_Johns', '2010-11-07', '2010-11-07T02:30:00.000Z'],
      ['America/St_Johns', '2010-11-08', '2010-11-08T03:30:00.000Z'],
    ]
    for (const [zone, date, start] of table) {
      assert.equal(new Date(startOfDay(zone, date)).toISOString(), start, `${zone} ${date}`)
    }
  })

  test('an instant is in the day that the wall clock shows, as Intl has it', () => {
    fc.assert(
      fc.property(anyZone, anyTime, (zone, ms) => {
        assert.equal(dayOf(zone, ms), dayIn(zone, ms))
      }),
      { numRuns: 400 },
    )
  })

  test('around each of their beginnings Intl changes the day', () => {
    fc.assert(
      fc.property(anyZone, anyTime, (zone, ms) => {
        const date = dayOf(zone, ms)
        const start = startOfDay(zone, date)
        assert.ok(start <= ms && ms < startOfDay(zone, addDays(date, 1)))
        assert.equal(dayIn(zone, start), date)
        assert.ok(dayIn(zone, start - 1) < date)
      }),
      { numRuns: 400 },
    )
  })

  test('with the offsets of a range they are days of 86,400 seconds', () => {
    fc.assert(
      fc.property(anyZone, anyTime, fc.nat(800), fc.nat(), (zone, from, days, at) => {
        const to = from + days * day + 1
        const ms = from + (at % (to - from))
        const segments = offsetSegments(zone, from, to)
        const offset = segments.findLast((segment) => segment.from <= ms)?.offset ?? Number.NaN
        const date = new Date(Math.floor((ms + offset * 1_000) / day) * day)
        assert.equal(date.toISOString().slice(0, 10), dayOf(zone, ms))
      }),
      { numRuns: 1_000 },
    )
  })

  test('a range that begins with a new offset has no segment of the old one', () => {
    const from = Date.parse('2026-03-29T01:00:00Z')
    assert.deepEqual(offsetSegments('Europe/Berlin', from, from + day), [{ from, offset: 7_200 }])
    const before = from - 1
    assert.deepEqual(offsetSegments('Europe/Berlin', before, from + day), [
      { from: before, offset: 3_600 },
      { from, offset: 7_200 },
    ])
  })

  test('an hour repeated across midnight belongs to the day that had begun', () => {
    const zone = 'America/St_Johns'
    for (let minute = -90; minute <= 90; minute += 1) {
      const ms = Date.parse('2010-11-07T02:31:00Z') + minute * 60_000
      assert.equal(dayOf(zone, ms), minute < -1 ? '2010-11-06' : '2010-11-07')
      // Seen from the beginning of a range that is there, and from one that is a week before.
      for (const from of [ms, ms - 7 * day]) {
        const segments = offsetSegments(zone, from, from + 30 * day)
        for (const time of [ms, ms + 2 * 3_600_000, ms + 23 * 3_600_000]) {
          const offset = segments.findLast((segment) => segment.from <= time)?.offset ?? Number.NaN
          const number = Math.floor((time / 1_000 + offset) / 86_400)
          assert.equal(new Date(number * day).toISOString().slice(0, 10), dayOf(zone, time))
        }
      }
    }
  })

  test('weeks begin on Monday, months keep to their last day', () => {
    for (const date of ['2026-11-16', '2026-11-19', '2026-11-22']) assert.equal(startOfWeek(date), '2026-11-16')
    assert.equal(startOfWeek('2026-01-01'), '2025-12-29')
    assert.equal(addMonths('2026-03-31', -1), '2026-02-28')
    assert.equal(addMonths('2026-11-21', -25), '2024-10-21')
  })

  test('a day has 24 hours, 23 or 25 when the clock changes', () => {
    const startsOf = (zone: string, date: string) => hoursOf(zone, date).map(({ start }) => start.slice(11))
    assert.equal(startsOf('Europe/Berlin', '2026-11-21').length, 24)
    const longer = startsOf('Europe/Berlin', '2026-10-25')
    assert.deepEqual([longer.length, longer[2], longer[3]], [25, '02:00:00+02:00', '02:00:00+01:00'])
    const shorter = startsOf('Europe/Berlin', '2026-03-29')
    assert.deepEqual([shorter.length, shorter[1], shorter[2]], [23, '01:00:00+01:00', '03:00:00+02:00'])
    assert.deepEqual(startsOf('Australia/Lord_Howe', '2026-04-05').slice(0, 4), [
      '00:00:00+11:00',
      '01:00:00+11:00',
      '01:30:00+10:30',
      '02:00:00+10:30',
    ])
    assert.equal(startsOf('Asia/Kathmandu', '2026-11-21')[23], '23:00:00+05:45')
  })

  test('the hours of a day fill it, in order, and none of them is longer than an hour', () => {
    fc.assert(
      fc.property(anyZone, anyTime, (zone, time) => {
        const date = dayOf(zone, time)
        const starts = hoursOf(zone, date).map(({ from }) => from)
        const ends = [...starts.slice(1), startOfDay(zone, addDays(date, 1))]
        assert.equal(starts[0], startOfDay(zone, date))
        for (const [at, from] of starts.entries()) {
          const length = (ends[at] ?? 0) - from
          assert.ok(length > 0 && length <= 3_600_000, `${zone} ${from}`)
        }
      }),
      { numRuns: 300 },
    )
  })
})
