import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { cacheWindows, type WindowKind, windowOf } from './window.ts'

const kinds: readonly WindowKind[] = ['day', 'week', 'month', 'never']
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
]

const at = (text: string) => new Date(text).getTime()
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

suite('the window of a time', () => {
  test('has the name of its day, week or month in the zone, and ends with it', () => {
    const table: [WindowKind, string, string, string, string | null][] = [
      ['day', 'UTC', '2026-11-21T23:59:59.999Z', 'day:2026-11-21', '2026-11-22T00:00:00.000Z'],
      ['day', 'UTC', '2026-11-22T00:00:00Z', 'day:2026-11-22', '2026-11-23T00:00:00.000Z'],
      ['day', 'Asia/Kathmandu', '2026-11-21T18:15:00Z', 'day:2026-11-22', '2026-11-22T18:15:00.000Z'],
      ['day', 'Asia/Kathmandu', '2026-11-21T18:14:59Z', 'day:2026-11-21', '2026-11-21T18:15:00.000Z'],
      // 23 and 25 hours.
      ['day', 'Europe/Berlin', '2026-03-29T12:00:00Z', 'day:2026-03-29', '2026-03-29T22:00:00.000Z'],
      ['day', 'Europe/Berlin', '2026-10-25T12:00:00Z', 'day:2026-10-25', '2026-10-25T23:00:00.000Z'],
      // Midnight is skipped: the day begins at one.
      ['day', 'Africa/Cairo', '2024-04-25T21:59:59Z', 'day:2024-04-25', '2024-04-25T22:00:00.000Z'],
      ['day', 'Africa/Cairo', '2024-04-25T22:00:00Z', 'day:2024-04-26', '2024-04-26T21:00:00.000Z'],
      // The 30th is skipped.
      ['day', 'Pacific/Apia', '2011-12-30T09:59:59Z', 'day:2011-12-29', '2011-12-30T10:00:00.000Z'],
      ['day', 'Pacific/Apia', '2011-12-30T10:00:00Z', 'day:2011-12-31', '2011-12-31T10:00:00.000Z'],
      // At 00:01 the clock went back to 23:01 of the day before; the day that had begun continues.
      ['day', 'America/St_Johns', '2010-11-07T02:29:59Z', 'day:2010-11-06', '2010-11-07T02:30:00.000Z'],
      ['day', 'America/St_Johns', '2010-11-07T02:30:00Z', 'day:2010-11-07', '2010-11-08T03:30:00.000Z'],
      ['day', 'America/St_Johns', '2010-11-07T03:00:00Z', 'day:2010-11-07', '2010-11-08T03:30:00.000Z'],
      ['week', 'UTC', '2026-11-22T23:59:59Z', 'week:2026-W47', '2026-11-23T00:00:00.000Z'],
      ['week', 'UTC', '2026-11-23T00:00:00Z', 'week:2026-W48', '2026-11-30T00:00:00.000Z'],
      ['week', 'UTC', '2027-01-03T12:00:00Z', 'week:2026-W53', '2027-01-04T00:00:00.000Z'],
      ['week', 'UTC', '2024-12-30T00:00:00Z', 'week:2025-W01', '2025-01-06T00:00:00.000Z'],
      ['week', 'Pacific/Kiritimati', '2026-11-22T10:00:00Z', 'week:2026-W48', '2026-11-29T10:00:00.000Z'],
      ['month', 'UTC', '2026-11-30T23:59:59Z', 'month:2026-11', '2026-12-01T00:00:00.000Z'],
      ['month', 'Europe/Berlin', '2026-11-30T23:00:00Z', 'month:2026-12', '2026-12-31T23:00:00.000Z'],
      ['month', 'America/New_York', '2027-01-01T04:59:59Z', 'month:2026-12', '2027-01-01T05:00:00.000Z'],
      ['never', 'UTC', '2026-11-30T23:59:59Z', 'never', null],
    ]
    for (const [kind, zone, time, name, end] of table) {
      const window = windowOf(kind, zone, at(time))
      assert.deepEqual([window.name, iso(window.end)], [name, end], `${kind} ${zone} ${time}`)
    }
  })

  test('windows follow each other without gaps, each with its own name', () => {
    const time = fc.integer({ min: at('2009-01-01'), max: at('2035-01-01') })
    const where = fc.record({ kind: fc.constantFrom(...kinds), zone: fc.constantFrom(...zones), time })
    fc.assert(
      fc.property(where, ({ kind, zone, time: some }) => {
        const window = windowOf(kind, zone, some)
        assert.ok(window.start <= some && (window.end === null || some < window.end))
        if (window.end === null) return
        assert.deepEqual(windowOf(kind, zone, window.start), window)
        assert.deepEqual(windowOf(kind, zone, window.end - 1), window)
        const next = windowOf(kind, zone, window.end)
        assert.equal(next.start, window.end)
        assert.notEqual(next.name, window.name)
      }),
      { numRuns: 400 },
    )
  })

  test('the cache returns the same windows for times in any order', () => {
    const cached = cacheWindows()
    const time = fc.integer({ min: at('2026-01-01'), max: at('2026-12-31') })
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.constantFrom(...zones), time, (kind, zone, some) => {
        assert.deepEqual(cached(kind, zone, some), windowOf(kind, zone, some))
      }),
      { numRuns: 400 },
    )
    const first = cached('month', 'UTC', at('2026-11-02'))
    assert.equal(cached('month', 'UTC', at('2026-11-29')), first)
  })
})
