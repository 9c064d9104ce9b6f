import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeBudget, findNearlySpent, narrowBudget } from './budget.ts'

const service = { turns: 10, tokens: 1_000, costUsd: Infinity, seconds: 60, changedFiles: 5, changedBytes: 100 }

test("each budget is the smaller of the service's and the project's", () => {
  assert.deepEqual(narrowBudget(service, {}), service)
  assert.deepEqual(narrowBudget(service, { turns: 3, tokens: 9_999, costUsd: 2 }), { ...service, turns: 3, costUsd: 2 })
  assert.equal(narrowBudget({ ...service, costUsd: 1 }, { costUsd: 2 }).costUsd, 1)
})

test('a budget is nearly used up at 80 %, not a unit before', () => {
  const large = { turns: 200, tokens: 1_000, costUsd: 2.5, seconds: 60, changedFiles: 5, changedBytes: 100 }
  const edges = { turns: 160, tokens: 800, costUsd: 2, seconds: 48, changedFiles: 4, changedBytes: 80 }
  const less = { turns: 159, tokens: 799.9, costUsd: 1.999, seconds: 47.9, changedFiles: 3, changedBytes: 79 }
  assert.deepEqual(findNearlySpent(large, less), [])
  assert.deepEqual(findNearlySpent(large, edges), Object.keys(edges))
  for (const [key, value] of Object.entries(edges)) {
    assert.deepEqual(findNearlySpent(large, { ...less, [key]: value }), [key])
  }
  assert.deepEqual(findNearlySpent({ ...large, costUsd: Infinity }, { ...less, costUsd: 1e9 }), [])
  assert.deepEqual(findNearlySpent(large, { ...less, costUsd: null }), [])
})

test('a budget is described with its limits only', () => {
  const words = '10 turns, 1,000 tokens, 60 seconds, 5 changed files, 100 bytes of changed files'
  assert.equal(describeBudget(service), words)
  assert.match(describeBudget({ ...service, costUsd: 2.5 }), /tokens, 2\.5 US dollars, 60/)
})
