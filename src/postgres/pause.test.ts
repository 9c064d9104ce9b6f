import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPause } from './pause.ts'

const { signal } = new AbortController()

/** Takes no time: notes how long each sleep is, and does what `during` says at its beginning. */
function arrange(during: (() => void)[] = []) {
  const slept: number[] = []
  let now = 0
  const clock = {
    now: () => new Date(now),
    sleep: async (ms: number, until?: AbortSignal) => {
      during.shift()?.()
      const took = until?.aborted === true ? 0 : ms
      slept.push(took)
      now += took
    },
  }
  return { slept, clock }
}

test('a pause takes its time, and ends after three seconds when it is woken', async () => {
  const pause = createPause()
  const { slept, clock } = arrange([() => {}, pause.wake])
  await pause.wait(clock, 10_000, signal)
  await pause.wait(clock, 10_000, signal)
  await pause.wait(clock, 10_000, signal)
  assert.deepEqual(slept, [10_000, 0, 3_000, 10_000])
})

test('a notification during a pass shortens the pause after it, once', async () => {
  const pause = createPause()
  const { slept, clock } = arrange()
  pause.wake()
  pause.wake()
  await pause.wait(clock, 5_000, signal)
  await pause.wait(clock, 5_000, signal)
  await pause.wait(clock, 1_000, signal)
  assert.deepEqual(slept, [0, 3_000, 5_000, 1_000])
})
