import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addUniques, createSums } from './counters.ts'
import { createLive, daysOfFrame } from './live.ts'

/** The frame begins with day 100. */
const days = fc.array(fc.integer({ min: 100 - 30, max: 100 + daysOfFrame - 1 }), { maxLength: 6 })
const seen = fc.record({
  visitor: fc.bigInt(1n, 2n ** 64n - 1n),
  page: fc.integer({ min: 1, max: 3 }),
  human: days,
  ai: days,
})
const toBits = (some: readonly number[], first: number) =>
  some.filter((day) => day >= first).reduce((bits, day) => bits | (1 << (day - first)), 0)
const toLast = (some: readonly number[]) => Math.max(0, ...some.filter((day) => day < 100))
const onlyDays = (human: number, ai = 0) => ({ human, ai, lastHuman: 0, lastAi: 0 })

test('live counters give the uniques of any range, whatever the order of the days', () => {
  fc.assert(
    fc.property(
      fc.array(seen, { maxLength: 40 }),
      fc.array(fc.bigInt(1n, 2n ** 64n - 1n), { minLength: 1, maxLength: 4 }),
      fc.tuple(fc.integer({ min: 60, max: 140 }), fc.integer({ min: 0, max: 80 })),
      (some, people, [from, length]) => {
        const [before, live] = [createLive(100 - 30), createLive(100)]
        const views = some.map((one, at) => ({ ...one, visitor: people[at % people.length] ?? 1n }))
        for (const { page, visitor, human, ai } of views) {
          const earlier = [human, ai].map((list) =>
            toBits(
              list.filter((day) => day < 100),
              100 - 30,
            ),
          )
          before.add(page, visitor, onlyDays(...(earlier as [number, number])))
          const bits = { human: toBits(human, 100), ai: toBits(ai, 100) }
          live.add(page, visitor, { ...bits, lastHuman: toLast(human), lastAi: toLast(ai) })
        }
        const sums = createSums(4)
        for (const window of [before, live])
          for (const one of Object.values(window.counters())) addUniques(sums, one, from, from + length)
        const inRange = (list: readonly number[]) => list.some((day) => day >= from && day < from + length)
        const count = (which: (view: (typeof views)[number]) => boolean) =>
          new Set(views.filter(which).map((v) => v.visitor)).size
        const expected = [0, 1, 2, 3].flatMap((page) => {
          const ofScope = (view: (typeof views)[number]) => page === 0 || view.page === page
          return [
            count((view) => ofScope(view) && inRange(view.human)),
            count((view) => ofScope(view) && inRange(view.ai)),
            count((view) => ofScope(view) && inRange([...view.human, ...view.ai])),
          ]
        })
        assert.deepEqual([...sums], expected)
      },
    ),
    { numRuns: 500 },
  )
})

test('live counters of 20,000 visitors stay apart, and find each again', () => {
  const live = createLive(100)
  for (const human of [1, 1, 4]) {
    for (let visitor = 1n; visitor <= 20_000n; visitor += 1n) {
      live.add(1, (visitor << 40n) | (visitor % 3n), onlyDays(human))
    }
  }
  const sums = createSums(2)
  addUniques(sums, live.counters().page, 100, 103)
  assert.deepEqual([...sums], [0, 0, 0, 20_000, 0, 20_000])
  assert.equal(live.counters().page.length, 2, 'equal counters are one')
})

test('live counters state the memory that they take', () => {
  const live = createLive(100)
  for (let page = 1; page <= 1_000; page += 1) live.add(page, 1n, onlyDays(1))
  const least = 1_000 * (20 + 40) + 1_001 * 24
  assert.ok(live.bytes() > least && live.bytes() < 3 * least, String(live.bytes()))
})
