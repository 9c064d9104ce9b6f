import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLine } from './few-at-once.ts'

const full = () => new Error('full')

test('two run at once, the others in their turn, and a full line refuses', async () => {
  const line = createLine({ atOnce: 2, waiting: 3, full })
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const begun: number[] = []
  const runs = gates.map(({ promise }, n) =>
    line(async () => {
      begun.push(n)
      await promise
    }),
  )
  await assert.rejects(
    line(async () => undefined),
    /full/,
  )
  assert.deepEqual(begun, [0, 1])
  gates[1]?.resolve()
  await runs[1]
  await Promise.resolve()
  assert.deepEqual(begun, [0, 1, 2])
  for (const { resolve } of gates) resolve()
  await Promise.all(runs)
  assert.deepEqual(begun, [0, 1, 2, 3, 4])
})

test('work that fails frees its place', async () => {
  const line = createLine({ atOnce: 1, waiting: 0, full })
  await assert.rejects(
    line(() => Promise.reject(new Error('broken'))),
    /broken/,
  )
  assert.equal(await line(async () => 'next'), 'next')
})
