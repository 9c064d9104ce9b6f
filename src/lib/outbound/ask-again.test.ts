import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAgain } from './ask-again.ts'

const { signal } = new AbortController()
const isBroken = (result: string) => result === 'broken'

/** The requests answer with `results`, one after the other. */
function answering(...results: readonly string[]) {
  const state = { asked: 0 }
  const request = () => Promise.resolve(results[state.asked++] ?? assert.fail('asked too often'))
  return { request, state }
}

for (const [results, expected] of [
  [['whole'], 'whole'],
  [['broken', 'whole'], 'whole'],
  [['broken', 'broken'], 'broken'],
] as const) {
  test(`answered ${results.join(', ')}: the caller gets ${expected}`, async () => {
    const { request, state } = answering(...results)
    assert.equal(await askAgain(request, isBroken, signal), expected)
    assert.equal(state.asked, results.length)
  })
}

test('a request that took long is not repeated', async (t) => {
  const times = [0, 10_001]
  t.mock.method(performance, 'now', () => times.shift() ?? 0)
  assert.equal(await askAgain(answering('broken').request, isBroken, signal), 'broken')
})

test('an aborted pause throws the reason', async () => {
  const stop = new AbortController()
  const { request } = answering('broken')
  const asked = askAgain(request, isBroken, stop.signal)
  stop.abort(new Error('the run was cancelled'))
  await assert.rejects(asked, /the run was cancelled/)
})
