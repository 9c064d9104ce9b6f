import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addIntervals, addUniques, createSums, toCounters } from './counters.ts'

/** The counters of visitors who were there on some days. */
function countersOf(visitors: readonly ReadonlySet<number>[]) {
  const counts = new Map<string, number>()
  for (const days of visitors) {
    let previous = 0
    for (const day of [...days].toSorted((a, b) => a - b)) {
      const key = `${previous} ${day}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
      previous = day
    }
  }
  const pairs = [...counts].map(([key, total]) => [...key.split(' ').map(Number), total])
  const column = (at: number) => pairs.map((pair) => pair[at] ?? 0)
  const total = column(2)
  return toCounters([{ scope: 0, previous: column(0), day: column(1), human: total, ai: total.map(() => 0), total }])
}

const anyVisitors = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }), {
  maxLength: 30,
})

test('the sums of intervals that follow one another are the visitors of each', () => {
  fc.assert(
    fc.property(
      anyVisitors,
      fc.uniqueArray(fc.integer({ min: 1, max: 42 }), { minLength: 2, maxLength: 9 }),
      (all, cut) => {
        const visitors = all.map((days) => new Set(days))
        const edges = cut.toSorted((a, b) => a - b)
        const sums = createSums(edges.length - 1)
        addIntervals(sums, countersOf(visitors), edges)
        const expected = edges.slice(0, -1).flatMap((from, at) => {
          const to = edges[at + 1] ?? from
          const there = visitors.filter((days) => [...days].some((day) => day >= from && day < to)).length
          return [there, 0, there]
        })
        assert.deepEqual([...sums], expected)
      },
    ),
    { numRuns: 500 },
  )
})

test('the sum of a range is the visitors of the range, wherever it begins and ends', () => {
  fc.assert(
    fc.property(anyVisitors, fc.integer({ min: 1, max: 42 }), fc.integer({ min: 1, max: 42 }), (all, from, to) => {
      const visitors = all.map((days) => new Set(days))
      const sums = createSums(1)
      addUniques(sums, countersOf(visitors), from, to)
      const there = visitors.filter((days) => [...days].some((day) => day >= from && day < to)).length
      assert.deepEqual([...sums], [there, 0, there])
    }),
    { numRuns: 500 },
  )
})
