import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import type { Repository } from '../../git/types.ts'
import { createBehindReader } from './behind.ts'

const branches = { base: 'main', branch: 'docent/1' }

/** A repository that counts its fetches. */
function arrange() {
  const clock = createManualClock()
  const reader = createBehindReader({ clock, log: { debug: () => undefined } })
  const state = { fetches: 0, isAway: false, conflicts: [] as readonly string[] }
  const repository = {
    fetch: async () => {
      state.fetches += 1
      if (state.isAway) throw new Error('the repository is away')
      return { base: { branch: 'main', commit: 'b' }, heads: new Map([['docent/1', 'h']]) }
    },
    countMissing: async (of: string, inside: string) => (of === 'b' && inside === 'h' ? 2 : 0),
    merge: async () => ({ kind: 'conflict', paths: state.conflicts }),
  } as unknown as Repository
  const look = (key: string) => reader.read(key, () => Promise.resolve(repository), branches)
  return { clock, state, look }
}

test('a pull request causes one request to the repository per minute', async () => {
  const { clock, state, look } = arrange()
  await Promise.all([look('1'), look('1'), look('1')])
  await clock.pass(59_999)
  await look('1')
  assert.equal(state.fetches, 1)
  await clock.pass(1)
  const found = await look('1')
  assert.deepEqual([state.fetches, found?.checkedAt], [2, clock.now().toISOString()])
  await look('2')
  assert.equal(state.fetches, 3)
})

test('at most 1,000 pull requests and 100 files of a conflict are remembered', async () => {
  const { state, look } = arrange()
  state.conflicts = Array.from({ length: 101 }, (_, index) => `${index}.md`)
  const found = await look('first')
  assert.deepEqual([found?.commits, found?.conflicts.length], [2, 100])
  for (let key = 2; key <= 1_000; key += 1) await look(String(key))
  await look('first')
  assert.equal(state.fetches, 1_000)
  await look('one more')
  await look('first')
  assert.equal(state.fetches, 1_002)
})

test('neither a silent repository nor a refused address is a failure', async () => {
  const { clock, state, look } = arrange()
  state.isAway = true
  assert.equal(await look('1'), null)
  const reader = createBehindReader({ clock, log: { debug: () => undefined } })
  const refused = () => assert.fail('the address is not allowed any more')
  assert.equal(await reader.read('1', refused, branches), null)
})
