import assert from 'node:assert/strict'
import { test } from 'node:test'
import { narrowBudget } from './budget.ts'

const service = { turns: 10, tokens: 1_000, costUsd: Infinity, seconds: 60, changedFiles: 5, changedBytes: 100 }

test("each budget is the smaller of the service's and the project's", () => {
  assert.deepEqual(narrowBudget(service, {}), service)
  assert.deepEqual(narrowBudget(service, { turns: 3, tokens: 9_999, costUsd: 2 }), { ...service, turns: 3, costUsd: 2 })
  assert.equal(narrowBudget({ ...service, costUsd: 1 }, { costUsd: 2 }).costUsd, 1)
})
