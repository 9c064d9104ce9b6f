import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextSlot, scheduleProblem, spreadOf } from './schedule.ts'

const berlin = 'Europe/Berlin'

function slots(cron: string, timeZone: string, from: string, count: number): string[] {
  const found: string[] = []
  let at: Date | null = new Date(from)
  while (found.length < count && (at = nextSlot({ cron, timeZone }, at))) found.push(at.toISOString())
  return found
}

test('the slots of a schedule are those of its time zone', () => {
  assert.deepEqual(slots('0 3 * * *', 'UTC', '2026-11-28T03:00:00Z', 2), [
    '2026-11-29T03:00:00.000Z',
    '2026-11-30T03:00:00.000Z',
  ])
  assert.deepEqual(slots('0 3 * * *', berlin, '2026-11-28T01:59:59.999Z', 1), ['2026-11-28T02:00:00.000Z'])
  assert.deepEqual(slots('30 9 * * MON-FRI', 'Asia/Kolkata', '2026-11-28T00:00:00Z', 1), ['2026-11-30T04:00:00.000Z'])
  // A day of the month or a day of the week, as other programs read it.
  assert.deepEqual(slots('0 0 1 * 1', 'UTC', '2026-11-28T00:00:00Z', 3), [
    '2026-11-30T00:00:00.000Z',
    '2026-12-01T00:00:00.000Z',
    '2026-12-07T00:00:00.000Z',
  ])
})

test('a time that does not exist runs at the end of the gap, and once', () => {
  // 2026-03-29: 02:00 to 03:00 does not exist in Berlin; the gap ends at 01:00 UTC.
  const end = '2026-03-29T01:00:00.000Z'
  for (const cron of ['0 2 * * *', '30 2 * * *', '59 2 * * *']) {
    assert.deepEqual(slots(cron, berlin, '2026-03-28T12:00:00Z', 1), [end], cron)
    assert.notEqual(slots(cron, berlin, end, 1)[0], end)
  }
  assert.deepEqual(slots('*/15 * * * *', berlin, '2026-03-29T00:30:00Z', 4), [
    '2026-03-29T00:45:00.000Z',
    end,
    '2026-03-29T01:15:00.000Z',
    '2026-03-29T01:30:00.000Z',
  ])
})

test('a slot within 15 minutes after another one at a gap is the same slot', () => {
  // The end of the gap is 10 minutes after the slot before it, then 5 minutes before the slot after it.
  assert.deepEqual(slots('5-59/15 * * * *', berlin, '2026-03-29T00:40:00Z', 3), [
    '2026-03-29T00:50:00.000Z',
    '2026-03-29T01:05:00.000Z',
    '2026-03-29T01:20:00.000Z',
  ])
  assert.deepEqual(slots('5,20 2,3 * * *', berlin, '2026-03-29T00:40:00Z', 2), [
    '2026-03-29T01:00:00.000Z',
    '2026-03-29T01:20:00.000Z',
  ])
})

test('a repeated time runs once, the first time', () => {
  // 2026-10-25: 02:00 to 03:00 is there twice in Berlin, from 00:00 and from 01:00 UTC.
  assert.deepEqual(slots('30 2 * * *', berlin, '2026-10-24T12:00:00Z', 2), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ])
  assert.deepEqual(slots('30 * * * *', berlin, '2026-10-25T00:00:00Z', 2), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T02:30:00.000Z',
  ])
  assert.deepEqual(slots('30 2 * * *', berlin, '2026-10-25T00:45:00Z', 1), ['2026-10-26T01:30:00.000Z'])
})

test('a half hour, a midnight and a whole day may be missing', () => {
  // Lord Howe moves by half an hour: 02:00 to 02:30 on 2026-10-04.
  assert.deepEqual(slots('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', 1), ['2026-10-03T15:30:00.000Z'])
  // Beirut skips midnight on 2026-03-29.
  assert.deepEqual(slots('0 0 * * *', 'Asia/Beirut', '2026-03-28T12:00:00Z', 1), ['2026-03-28T22:00:00.000Z'])
  // Samoa had no 30 December 2011.
  assert.deepEqual(slots('0 3 * * *', 'Pacific/Apia', '2011-12-29T20:00:00Z', 2), [
    '2011-12-30T10:00:00.000Z',
    '2011-12-30T13:00:00.000Z',
  ])
})

test('a text that is no schedule is refused with the reason', () => {
  const table: [string, RegExp | null][] = [
    ['0 3 * * *', null],
    [' 0  3 * * * ', null],
    ['*/15 * * * *', null],
    ['0,15,30,45 0-23 * * *', null],
    ['0 0 29 2 *', null],
    ['0 0 * JAN,jul SUN', null],
    ['0,50 3 * * *', null],
    ['55 23 31 12 *', null],
    // Two times that would be close at midnight, on days that never follow each other.
    ['0,50 0,23 1 * *', null],
    ['0,50 0,23 1,2 * *', /15 minutes .* at 23:50 and 00:00$/],
    ['0,50 0,23 28 2 *', null],
    ['0,50 0,23 29 2,3 *', null],
    ['0,50 0,23 1,31 * *', /at 23:50 and 00:00$/],
    ['*/14 * * * *', /15 minutes .* at 00:00 and 00:14$/],
    ['* * * * *', /at 00:00 and 00:01$/],
    ['0,50 3,4 * * *', /at 03:50 and 04:00$/],
    ['0,46 * * * *', /at 00:46 and 01:00$/],
    ['0,45 * * * *', null],
    ['0 3 * *', /five fields/],
    ['0 0 3 * * *', /five fields/],
    ['@daily', /five fields/],
    ['', /five fields/],
    ['0 3 L * *', /takes numbers/],
    ['0 3 * * 5#2', /takes numbers/],
    ['0 3 15W * *', /takes numbers/],
    ['0 3 ? * *', /takes numbers/],
    ['0 3 * * 5L', /takes numbers/],
    ['0 3 * * XYZ', /illegal characters/],
    ['60 3 * * *', /minute: 60/],
    ['0 24 * * *', /hour: 24/],
    ['0 3 30 2 *', /day that does not exist/],
    ['0 22-2 * * *', /larger than to value/],
    ['*/0 * * * *', /stepping: 0/],
    ['0 3 * * 1,,2', /./],
  ]
  for (const [cron, expected] of table) {
    const problem = scheduleProblem(cron)
    if (expected === null) assert.equal(problem, null, cron)
    else assert.match(problem ?? '', expected, cron)
  }
})

test('slots of a year are at least 15 minutes apart, and follow from any time before', () => {
  const zones = ['UTC', berlin, 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'America/St_Johns']
  const minute = fc.constantFrom('*/15', '5-59/15', '0', '50', '0,20,40', '14,29,44,59', '7,37')
  const hour = fc.constantFrom('*', '2', '1-3', '0,23', '*/2')
  const crons = fc.tuple(minute, hour).map(([minute, hour]) => `${minute} ${hour} * * *`)
  const within = fc.integer({ min: 0, max: 365 * 24 * 60 * 60 - 1 })
  fc.assert(
    fc.property(
      crons,
      fc.constantFrom(...zones),
      within,
      fc.integer({ min: 1, max: 86_400 }),
      (cron, timeZone, at, gap) => {
        if (scheduleProblem(cron) !== null) return
        const from = new Date(Date.UTC(2026, 0) + at * 1_000)
        const next = nextSlot({ cron, timeZone }, from)
        assert.ok(next && next > from)
        // No slot is between: a look from a time between the two finds the same one.
        const between = new Date(Math.min(next.getTime() - 1, from.getTime() + gap * 1_000))
        assert.deepEqual(nextSlot({ cron, timeZone }, between), next)
        const after = nextSlot({ cron, timeZone }, next)
        assert.ok(after && after.getTime() - next.getTime() >= 15 * 60_000)
      },
    ),
    { numRuns: 200 },
  )
})

test('a thousand automations of one slot are spread over five minutes', () => {
  const spreads = Array.from({ length: 1_000 }, (_, at) => spreadOf(`aut_${at}`))
  assert.ok(spreads.every((spread) => spread >= 0 && spread < 300_000 && spread % 1_000 === 0))
  assert.ok(new Set(spreads).size > 250)
  assert.equal(spreadOf('aut_1'), spreads[1])
})
