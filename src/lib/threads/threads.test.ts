import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createThreads } from './threads.ts'

function startThreads(idleMs = 60_000) {
  const started: Worker[] = []
  const start = () => {
    const thread = new Worker('setInterval(() => {}, 1_000_000)', { eval: true })
    started.push(thread)
    return thread
  }
  return { ...createThreads({ start, idleMs, most: 1 }), started }
}

test('work that succeeds leaves its thread to the next, any other ends it', async () => {
  const { use, started } = startThreads()
  const first = await use(async (thread) => thread)
  assert.equal(await use(async (thread) => thread), first)
  assert.equal(await use(async () => undefined), undefined)
  await assert.rejects(
    use(() => Promise.reject(new Error('the page is away'))),
    /is away/,
  )
  assert.equal(started.length, 2)
  assert.deepEqual(
    started.map(({ threadId }) => threadId),
    [-1, -1],
  )
})

test('one of two threads is kept for later, and a dead one is replaced', async () => {
  const { use, started } = startThreads()
  const other = Promise.withResolvers<string>()
  const both = [use(() => other.promise), use(async () => 'one')]
  await both[1]
  other.resolve('two')
  await Promise.all(both)
  const [alive, ...others] = started.filter(({ threadId }) => threadId > 0)
  assert.equal(others.length, 0)
  await alive?.terminate()
  assert.ok(((await use(async ({ threadId }) => threadId)) ?? 0) > 0)
  assert.equal(started.length, 3)
  await started[2]?.terminate()
})

test('a thread that is held stays without work, and ends after that', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { use, hold } = startThreads(1)
  const releases = [hold(), hold()]
  const thread = await use(async (own) => own)
  releases.pop()?.()
  t.mock.timers.tick(10)
  assert.equal(await use(async (own) => own), thread)
  releases.pop()?.()
  assert.ok(thread && thread.threadId > 0)
  thread.ref()
  t.mock.timers.tick(10)
  await once(thread, 'exit')
})

test('a thread without work ends', async () => {
  const { use } = startThreads(1)
  const thread = await use(async (own) => own)
  assert.ok(thread && thread.threadId > 0)
  // It keeps no process alive: this test waits for it.
  thread.ref()
  await once(thread, 'exit')
  assert.equal(thread.threadId, -1)
})
