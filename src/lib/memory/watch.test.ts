import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFailure } from '../failure.ts'
import { createMemoryWatch, ownMemory } from './watch.ts'

function watchOf(process: { used: number; garbage: number }) {
  const state = { now: 0, collections: 0 }
  const lines: string[] = []
  const log = {
    warn: (_: object, words: string) => void lines.push(`warn: ${words}`),
    info: (_: object, words: string) => void lines.push(`info: ${words}`),
  } as Parameters<typeof createMemoryWatch>[0]['log']
  const watch = createMemoryWatch({
    total: 1_000,
    log,
    read: () => process.used + process.garbage,
    collect: () => {
      state.collections += 1
      process.garbage = 0
    },
    now: () => state.now,
  })
  return { watch, state, lines }
}

test('garbage alone does not make memory short: it is collected first', () => {
  const { watch, state, lines } = watchOf({ used: 500, garbage: 450 })
  watch.refuse()
  assert.deepEqual(watch.look(), { used: 500, total: 1_000, isShort: false })
  assert.equal(state.collections, 1)
  assert.deepEqual(lines, [])
})

test('work is refused above nine tenths of the budget, and taken again below', () => {
  const process = { used: 901, garbage: 0 }
  const { watch, state, lines } = watchOf(process)
  const refusal = () => {
    try {
      watch.refuse()
      return undefined
    } catch (error) {
      const { code, retryAfter } = toFailure(error)
      return { code, retryAfter }
    }
  }
  assert.deepEqual(refusal(), { code: 'unavailable', retryAfter: 5 })
  process.used = 900
  // A look is kept for a moment, and a collection is not repeated at once.
  assert.deepEqual(refusal(), { code: 'unavailable', retryAfter: 5 })
  state.now = 100
  assert.equal(refusal(), undefined)
  process.used = 2_000
  state.now = 200
  assert.deepEqual(refusal(), { code: 'unavailable', retryAfter: 5 })
  assert.equal(state.collections, 1)
  state.now = 10_001
  refusal()
  assert.equal(state.collections, 2)
  assert.deepEqual(lines, [
    'warn: memory is short: page views, exports and new runs wait',
    'info: there is memory again',
    'warn: memory is short: page views, exports and new runs wait',
  ])
})

test('the memory of this process is between 10 MB and 10 GB', () => {
  const used = ownMemory()
  assert.ok(used > 1e7 && used < 1e10, String(used))
})
