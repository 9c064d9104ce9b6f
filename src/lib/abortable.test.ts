import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { abortable } from './abortable.ts'

const never = new Promise<never>(() => undefined)

test('the result or the failure of the work is passed on', async () => {
  const { signal } = new AbortController()
  assert.equal(await abortable(Promise.resolve(1), signal), 1)
  assert.equal(await abortable(Promise.resolve(2), undefined), 2)
  await assert.rejects(abortable(Promise.reject(new Error('failed')), signal), /failed/)
  assert.deepEqual(getEventListeners(signal, 'abort'), [])
})

test('an abort ends the wait with its reason, and leaves no listener', async () => {
  const controller = new AbortController()
  const waiting = abortable(never, controller.signal)
  controller.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  assert.deepEqual(getEventListeners(controller.signal, 'abort'), [])
})

test('a signal that was aborted before wins, and work that fails later is ignored', async () => {
  const work = Promise.withResolvers<number>()
  await assert.rejects(abortable(work.promise, AbortSignal.abort(new Error('gone'))), /gone/)
  await assert.rejects(abortable(Promise.resolve(1), AbortSignal.abort(new Error('gone'))), /gone/)
  // An unhandled rejection would fail this test.
  work.reject(new Error('late'))
  await new Promise(setImmediate)
})
