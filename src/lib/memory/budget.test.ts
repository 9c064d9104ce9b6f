import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryLimit, sharesOf } from './budget.ts'

const MiB = 1024 ** 2

test('a process plans with the limit of its container or machine, at most with 2 GiB', () => {
  assert.equal(memoryLimit(1024 * MiB, 8192 * MiB), 1024 * MiB)
  // Without a limit, version 1 of control groups says almost 2^64, and other systems 0.
  assert.equal(memoryLimit(2 ** 64, 8192 * MiB), 8192 * MiB)
  assert.equal(memoryLimit(0, 768 * MiB), 768 * MiB)
  assert.equal(sharesOf(undefined, 8192 * MiB).total, 2048 * MiB)
  assert.equal(sharesOf(undefined, 768 * MiB).total, 768 * MiB)
  assert.equal(sharesOf(4096 * MiB, 1024 * MiB).total, 4096 * MiB)
})

test('the shares leave a third of the memory for the programs and their work', () => {
  for (const total of [512, 1024, 2048, 65_536].map((size) => size * MiB)) {
    const { counters, filtered, ids, queries, waiting, young } = sharesOf(total)
    const shared = counters + filtered + ids + queries + waiting + young
    assert.ok(shared < total * 0.68, `${shared} of ${total}`)
  }
  const { counters, queries } = sharesOf(2048 * MiB)
  assert.deepEqual([counters, queries], [512 * MiB, 512 * MiB])
})
