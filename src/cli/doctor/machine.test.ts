import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMemory } from './machine.ts'

const MiB = 1024 ** 2

test('doctor divides the memory, and warns of a budget that does not fit', () => {
  const usual = checkMemory(undefined, 8192 * MiB)
  assert.equal(usual.state, 'ok')
  assert.match(usual.says, /^a service that starts here plans with 2048 MiB: counters of visitors 512 MiB, /)
  const set = checkMemory(1024 * MiB, 8192 * MiB)
  assert.match(set.says, /plans with 1024 MiB by DOCENT_MEMORY: .*, everything else 336 MiB$/)
  const large = checkMemory(4096 * MiB, 2048 * MiB)
  assert.deepEqual([large.state, large.todo], ['warning', 'Set DOCENT_MEMORY to less.'])
  assert.match(large.says, /has 2048 MiB$/)
  assert.equal(checkMemory(undefined, 256 * MiB).state, 'warning')
})
