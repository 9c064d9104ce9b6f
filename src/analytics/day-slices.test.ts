import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSlices } from './day-slices.ts'

test('days share a slice up to its size, and larger ones have their own', () => {
  const days = [
    { day: 1, rows: 4 },
    { day: 3, rows: 6 },
    { day: 4, rows: 1 },
    { day: 9, rows: 30 },
    { day: 10, rows: 10 },
  ]
  assert.deepEqual(toSlices(days, 10), [
    { from: 1, to: 4, rows: 10 },
    { from: 4, to: 5, rows: 1 },
    { from: 9, to: 10, rows: 30 },
    { from: 10, to: 11, rows: 10 },
  ])
  assert.deepEqual(toSlices([], 10), [])
})
