// The rule by its edges, and against random histories of running, being off, and moving the clock.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isDoubted,
  observe,
  runningUntilAcceptedMs,
  type TimeRecord,
  toleranceMs,
  witnessToleranceMs,
} from './trusted-time.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.UTC(2026, 10, 20)
const isTrusted = (record: TimeRecord) => !isDoubted(record)

test('a clock 12 hours ahead is trusted, and one a millisecond further is doubted', () => {
  const edge = start + 60_000 + toleranceMs
  assert.deepEqual(observe({ trustedAt: start }, { clock: edge, elapsedMs: 60_000 }), { trustedAt: edge })
  const doubted = observe({ trustedAt: start }, { clock: edge + 1, elapsedMs: 60_000 })
  assert.deepEqual(doubted, { trustedAt: start, doubt: { runningMs: 60_000, seenAt: edge + 1 } })
})

test('without stored time the clock is trusted', () => {
  assert.deepEqual(observe(undefined, { clock: start, elapsedMs: 0 }), { trustedAt: start })
})

test('a clock that is 40 days back is trusted, and so is the right one after it', () => {
  const back = start - 40 * day
  let record = observe({ trustedAt: start }, { clock: back, elapsedMs: 0 })
  assert.deepEqual(record, { trustedAt: start, doubt: { runningMs: 0, seenAt: back } })
  for (let ran = hour; ran < runningUntilAcceptedMs; ran += hour) {
    record = observe(record, { clock: back + ran, elapsedMs: hour })
    assert.deepEqual(record, { trustedAt: start + ran, doubt: { runningMs: ran, seenAt: back + ran } })
    assert.equal(isTrusted(record), true)
    const right = start + ran + toleranceMs
    assert.deepEqual(observe(record, { clock: right, elapsedMs: 0 }), { trustedAt: right })
    assert.equal(isTrusted(observe(record, { clock: right + 1, elapsedMs: 0 })), false)
  }
  const accepted = back + runningUntilAcceptedMs
  assert.deepEqual(observe(record, { clock: accepted, elapsedMs: hour }), { trustedAt: accepted })
  const witness = back + witnessToleranceMs
  assert.deepEqual(observe({ trustedAt: start }, { clock: back, elapsedMs: 0, witness }), { trustedAt: back })
})

test('the time of running behind does not count for a clock that is then ahead', () => {
  const back = start - 40 * day
  const behind = { trustedAt: start, doubt: { runningMs: runningUntilAcceptedMs - hour, seenAt: back } }
  const ahead = observe(behind, { clock: start + 100 * day, elapsedMs: hour })
  assert.deepEqual(ahead, { trustedAt: start, doubt: { runningMs: hour, seenAt: start + 100 * day } })
  const again = observe(
    { ...ahead, doubt: { runningMs: 20 * hour, seenAt: start + 100 * day } },
    { clock: back, elapsedMs: hour },
  )
  assert.deepEqual(again, { trustedAt: start + 20 * hour, doubt: { runningMs: 0, seenAt: back } })
})

test('a doubted clock is accepted after 24 hours, not a millisecond earlier', () => {
  const clock = start + 100 * day
  const almost = { trustedAt: start, doubt: { runningMs: runningUntilAcceptedMs - 61_000, seenAt: clock - hour } }
  assert.equal(isTrusted(observe(almost, { clock, elapsedMs: 60_999 })), false)
  assert.deepEqual(observe(almost, { clock, elapsedMs: 61_000 }), { trustedAt: clock })
})

test('a witness confirms a clock that it is within ten minutes of', () => {
  const clock = start + 100 * day
  const seen = (witness: number) => observe({ trustedAt: start }, { clock, elapsedMs: 0, witness })
  assert.equal(isTrusted(seen(clock - witnessToleranceMs)), true)
  assert.equal(isTrusted(seen(clock + witnessToleranceMs)), true)
  assert.equal(isTrusted(seen(clock - witnessToleranceMs - 1)), false)
  assert.equal(isTrusted(seen(clock + witnessToleranceMs + 1)), false)
})

test('processes that observe in turn count each moment of running once', () => {
  const clock = start + 100 * day
  const first = observe({ trustedAt: start }, { clock, elapsedMs: 60_000 })
  const second = observe(first, { clock: clock + 30_000, elapsedMs: 60_000 })
  assert.equal(second.doubt?.runningMs, 90_000)
})

type Step = readonly ['run' | 'off' | 'jump', number]
type Moment = { readonly time: number; readonly clock: number; readonly ran: number; readonly isTrusted: boolean }
const tick = 10 * 60_000

/** The moments of a service that observes every ten minutes while it runs. `ran`: running in all since the start. */
function live(steps: readonly Step[]): readonly Moment[] {
  const moments: Moment[] = []
  let [time, offset, ran] = [start, 0, 0]
  let record: TimeRecord | undefined
  const look = (elapsedMs: number) => {
    record = observe(record, { clock: time + offset, elapsedMs })
    moments.push({ time, clock: time + offset, ran, isTrusted: isTrusted(record) })
  }
  look(0)
  for (const [what, ms] of steps) {
    if (what === 'jump') offset += ms
    if (what === 'off') {
      time += ms
      look(0)
    }
    if (what !== 'run') continue
    for (let passed = 0; passed < ms; passed += tick) {
      time += tick
      ran += tick
      look(tick)
    }
  }
  return moments
}

const lasting = (most: number) => fc.integer({ min: 1, max: most / tick }).map((ticks) => ticks * tick)
const step = fc.oneof(
  fc.tuple(fc.constant('run' as const), lasting(30 * hour)),
  fc.tuple(fc.constant('off' as const), lasting(5 * day)),
  fc.tuple(
    fc.constant('jump' as const),
    lasting(120 * day).chain((ms) => fc.constantFrom(ms, -ms)),
  ),
)
const histories = fc.array(step, { maxLength: 25 })

test('any history: a clock that gains over 12 hours waits for 24 hours of running', () => {
  const rule = (steps: readonly Step[]) => {
    const moments = live(steps)
    let before = moments[0] ?? assert.fail()
    // The highest clock that was trusted, and the running since. A clock between the two may be trusted or not.
    let highest = before.clock
    for (const now of moments.slice(1)) {
      const ran = now.ran - before.ran
      if (now.clock - before.clock - ran <= toleranceMs) assert.equal(now.isTrusted, true)
      // While a clock goes back in steps, the time of running is counted with care: it may take longer.
      else if (now.clock - highest - ran > toleranceMs && ran < runningUntilAcceptedMs)
        assert.equal(now.isTrusted, false)
      if (!now.isTrusted) continue
      highest = Math.max(highest + ran, now.clock)
      before = now
    }
  }
  fc.assert(fc.property(histories, rule), { seed: 8, numRuns: 2_000 })
})

test('a clock corrected within a day destroys nothing before its true time', () => {
  const wrongSpell = fc
    .tuple(lasting(20 * hour), lasting(100 * day), lasting(72 * hour))
    .map(([ran, ahead, right]): readonly Step[] => {
      const jump = toleranceMs + tick + ahead
      return [
        ['jump', jump],
        ['run', ran],
        ['jump', -jump],
        ['run', right],
      ]
    })
  const rule = (spells: readonly (readonly Step[])[]) => {
    for (const { clock, time, isTrusted } of live(spells.flat())) if (isTrusted) assert.equal(clock, time)
  }
  fc.assert(fc.property(fc.array(wrongSpell, { maxLength: 8 }), rule), { seed: 8, numRuns: 500 })
})

test('a machine that is on eight hours a day destroys in the end', () => {
  const daily = Array.from({ length: 5 }, (): readonly Step[] => [
    ['off', 16 * hour],
    ['run', 8 * hour],
  ]).flat()
  const rule = (steps: readonly Step[]) => {
    const moments = live([...steps, ...daily])
    const end = moments.at(-1) ?? assert.fail()
    assert.ok(moments.some((one) => one.isTrusted && one.time > end.time - 5 * day))
  }
  fc.assert(fc.property(histories, rule), { seed: 8, numRuns: 1_000 })
})
