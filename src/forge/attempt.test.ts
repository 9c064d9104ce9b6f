import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../lib/clock.ts'
import { Failure } from '../lib/failure.ts'
import { again, attempt } from './attempt.ts'

const signal = new AbortController().signal

function recordingClock(): { readonly clock: Clock; readonly waits: number[] } {
  const waits: number[] = []
  const total = () => waits.reduce((sum, ms) => sum + ms, 0)
  const sleep = async (ms: number) => void waits.push(ms)
  return { clock: { now: () => new Date(total()), sleep }, waits }
}

test('waits grow to eight seconds, and the last ends within the deadline', async () => {
  const { clock, waits } = recordingClock()
  const endless = attempt({ clock, deadlineMs: 31_500 }, async () => again, signal)
  await assert.rejects(endless, { code: 'forge_unavailable' })
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
  const shorter = recordingClock()
  await assert.rejects(attempt({ clock: shorter.clock, deadlineMs: 31_499 }, async () => again, signal))
  assert.equal(shorter.waits.length, 6)
})

test('a wait that a forge requests is respected', async () => {
  const { clock, waits } = recordingClock()
  const failures = [
    new Failure('forge_rate_limited', 'wait', { retryAfter: 30 }),
    new Failure('forge_unavailable', 'x'),
  ]
  const step = async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return 'done'
  }
  assert.equal(await attempt({ clock, deadlineMs: 120_000 }, step, signal), 'done')
  assert.deepEqual(waits, [30_000, 1_000])
})

test('other failures end the step at once', async () => {
  const { clock, waits } = recordingClock()
  const errors = [new Failure('forge_refused', 'no'), new Failure('repository_unreachable', 'gone'), new Error('bug')]
  for (const error of errors) {
    await assert.rejects(
      attempt({ clock, deadlineMs: 120_000 }, async () => await Promise.reject(error), signal),
      error,
    )
  }
  assert.deepEqual(waits, [])
})
