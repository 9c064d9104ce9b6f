// The groups of `npm test`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toGroups, updateDurations } from '../groups.ts'

test('groups end where a folder ends, if they stay nearly even', () => {
  const durations = { 'src/a/1.ts': 900, 'src/a/2.ts': 100, 'src/b/1.ts': 1_000, 'src/b/2.ts': 5_000, 'src/gone.ts': 1 }
  assert.deepEqual(toGroups(['src/b/1.ts', 'src/a/2.ts', 'src/a/1.ts', 'src/a/new.ts'], durations, 2), [
    ['src/a/1.ts', 'src/a/2.ts', 'src/a/new.ts'],
    ['src/b/1.ts'],
  ])
  assert.deepEqual(toGroups(['src/a/1.ts', 'src/b/1.ts', 'src/b/2.ts'], durations, 2), [
    ['src/a/1.ts', 'src/b/1.ts'],
    ['src/b/2.ts'],
  ])
})

const path = fc.stringMatching(/^(?:[ab]\/){0,3}[a-d]\.ts$/)

test('each file is in one group, and no group is much longer than another', () => {
  fc.assert(
    fc.property(
      fc.dictionary(path, fc.integer({ min: 1, max: 9_999 }), { minKeys: 1 }),
      fc.integer({ min: 1, max: 9 }),
      (all, count) => {
        const files = Object.keys(all)
        const groups = toGroups(files, all, count)
        assert.deepEqual(groups.flat(), files.toSorted())
        const mean = sum(Object.values(all)) / count
        for (const group of groups) {
          assert.ok(group.length > 0)
          assert.ok(sum(group.map((file) => all[file] ?? 0)) <= mean * 1.2 + Math.max(...Object.values(all)))
        }
      },
    ),
  )
})

test('a new run changes the durations of files that became slower or quicker', () => {
  const before = { slower: 1_000, same: 1_000, quick: 1_000, gone: 1_000 }
  const measured = { same: 1_400.5, slower: 12_345.6, quick: 9.5, new: 456.7, newAndQuick: 250 }
  assert.deepEqual(updateDurations(before, new Map(Object.entries(measured))), {
    new: 460,
    same: 1_000,
    slower: 12_000,
  })
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
