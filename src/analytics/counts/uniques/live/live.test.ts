import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addUniques, createSums } from '../counters.ts'
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
const create = (firstDay: number) => createLive(firstDay, ['site', 'page'])
const onlyDays = (human: number, ai = 0) => ({ human, ai, lastHuman: 0, lastAi: 0 })

test('live counters give the uniques of any range, whatever the order of the days', () => {
  fc.assert(
    fc.property(
      fc.array(seen, { maxLength: 40 }),
      fc.array(fc.bigInt(1n, 2n ** 64n - 1n), { minLength: 1, maxLength: 4 }),
      fc.tuple(fc.integer({ min: 60, max: 140 }), fc.integer({ min: 0, max: 80 })),
      (some, people, [from, length]) => {
        const [before, live] = [create(100 - 30), create(100)]
        const views = some.map((one, at) => ({ ...one, visitor: people[at % people.length] ?? 1n }))
        for (const { page, visitor, human, ai } of views) {
          const earlier = [human, ai].map((list) =>
            toBits(
              list.filter((day) => day < 100),
              100 - 30,
            ),
          )
          const bits = { human: toBits(human, 100), ai: toBits(ai, 100) }
          for (const [dimension, scope] of [
            ['site', 0],
            ['page', page],
          ] as const) {
            before.add(dimension, scope, visitor, onlyDays(...(earlier as [number, number])))
            live.add(dimension, scope, visitor, { ...bits, lastHuman: toLast(human), lastAi: toLast(ai) })
          }
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
  const live = create(100)
  for (const human of [1, 1, 4]) {
    for (let visitor = 1n; visitor <= 20_000n; visitor += 1n) {
      live.add('page', 1, (visitor << 40n) | (visitor % 3n), onlyDays(human))
    }
  }
  const sums = createSums(2)
  const counters = live.counters().page ?? assert.fail()
  addUniques(sums, counters, 100, 103)
  assert.deepEqual([...sums], [0, 0, 0, 20_000, 0, 20_000])
  assert.equal(counters.length, 2, 'equal counters are one')
})

test('live counters state the memory that they take', () => {
  const live = create(100)
  for (let page = 1; page <= 1_000; page += 1) {
    live.add('site', 0, 1n, onlyDays(1))
    live.add('page', page, 1n, onlyDays(1))
  }
  const least = 1_000 * (20 + 40) + 1_001 * 24
  assert.ok(live.bytes() > least && live.bytes() < 3 * least, String(live.bytes()))
})

test('page views of a visitor and day are the larger report, and all without a visitor', () => {
  const live = createLive(100, ['agent_views'])
  const sums = createSums(3)
  const add = (scope: number, visitor: bigint, place: number, [byBrowser, byServer]: readonly [number, number]) =>
    live.addViews('agent_views', scope, visitor, { place, byBrowser, byServer })
  for (const [scope, visitor, place] of [
    [1, 7n, 0],
    [1, 7n, 1],
    [1, 8n, 0],
    [2, 7n, 0],
  ] as const)
    for (const reports of [
      [2, 0],
      [0, 3],
      [2, 0],
    ] as const)
      add(scope, visitor, place, reports)
  add(2, 0n, 0, [2, 3])
  add(2, 0n, 0, [0, 1])
  const counters = live.counters().agent_views ?? assert.fail()
  addUniques(sums, counters, 100, 101)
  assert.deepEqual([...sums], [0, 0, 0, 0, 0, 4 + 4, 0, 0, 4 + 6])
  addUniques(sums, counters, 101, 132)
  assert.equal(sums[5], 12)
})
