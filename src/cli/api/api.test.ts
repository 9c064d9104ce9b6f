import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { createApi } from './api.ts'

const stop = new AbortController()
const silentMs = 60_000

async function open(body: Readable): Promise<AsyncGenerator<string, void>> {
  const api = createApi(async () => ({ status: 200, headers: {}, body }))
  return (await api.stream('/events', {}, stop.signal)).chunks(silentMs, stop.signal)
}

test('an event stream ends with the response, when it breaks, and when it falls silent', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const ends = Readable.from(['one'])
  const breaks = new Readable({ read: () => undefined })
  const silent = new Readable({ read: () => undefined })
  for (const body of [ends, breaks, silent]) {
    if (body !== ends) body.push('one')
    const chunks = await open(body)
    assert.deepEqual(await chunks.next(), { done: false, value: 'one' })
    const next = chunks.next()
    if (body === breaks) breaks.destroy(new Error('reset'))
    if (body === silent) t.mock.timers.tick(silentMs)
    assert.deepEqual(await next, { done: true, value: undefined })
    assert.ok(body.destroyed)
  }
})
