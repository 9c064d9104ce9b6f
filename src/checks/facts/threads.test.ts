import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFactsThreads } from './threads.ts'

const page = (text: string) => () => Promise.resolve({ kind: 'page', syntax: 'markdown', text } as const)

test('a file beyond the limits costs its own facts alone', async (t) => {
  const threads = createFactsThreads({ atOnce: 1, memoryMb: 60 })
  t.after(() => threads.close())
  // 200,000 values make a tree of some hundred megabytes.
  const hostile = `{"a":[${'{"b":[{}]},'.repeat(200_000)}{}]}`
  const [tooMuch, small] = await Promise.all([
    threads.read(() => Promise.resolve({ kind: 'data', path: 'a.json', text: hostile })),
    threads.read(page('[one](/one)')),
  ])
  assert.equal(tooMuch, undefined)
  assert.ok(small && 'links' in small && small.links.length === 1)
})

test('five megabytes of any mark are read or given up', async (t) => {
  const threads = createFactsThreads({ atOnce: 1, timeMs: 5_000, memoryMb: 200 })
  t.after(() => threads.close())
  for (const mark of '[*<{') {
    const text = mark.repeat(5_000_000)
    const facts = await threads.read(() => Promise.resolve({ kind: 'page', syntax: 'mdx', text }))
    assert.ok(!facts || ('isOpen' in facts && facts.isOpen), mark)
  }
  const after = await threads.read(page('[one](/one)'))
  assert.ok(after && 'links' in after && after.links.length === 1)
})

test('a file that takes too long is given up', async (t) => {
  const threads = createFactsThreads({ atOnce: 1, timeMs: 0 })
  t.after(() => threads.close())
  assert.equal(await threads.read(page('# A')), undefined)
})

test('a file that cannot be opened costs its own facts alone', async (t) => {
  const threads = createFactsThreads({ atOnce: 1 })
  t.after(() => threads.close())
  const fault = new Error('The tree is gone.')
  const [gone, small] = await Promise.allSettled([
    threads.read(() => Promise.reject(fault)),
    threads.read(page('[one](/one)')),
  ])
  assert.deepEqual(gone, { status: 'rejected', reason: fault })
  assert.ok(small.status === 'fulfilled' && small.value && 'links' in small.value)
})

test('files beyond one message are read after each other', async (t) => {
  const threads = createFactsThreads({ atOnce: 2 })
  t.after(() => threads.close())
  const all = await Promise.all(
    Array.from({ length: 200 }, (_, at) => threads.read(page(`[one](/${at})${' '.repeat(at * 100)}`))),
  )
  assert.deepEqual(
    all.map((facts) => facts && 'links' in facts && facts.links[0]?.url),
    Array.from({ length: 200 }, (_, at) => `/${at}`),
  )
})

test('closing refuses the work that waits', async () => {
  const threads = createFactsThreads({ atOnce: 1 })
  const work = Promise.allSettled([threads.read(page('# A')), threads.read(page('# B'))])
  await threads.close()
  for (const { status } of await work) assert.equal(status, 'rejected')
})
