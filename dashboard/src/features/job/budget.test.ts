import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobEvent } from '../../api/jobs.ts'
import { usedOf } from './budget.ts'

const at = '2026-11-20T09:00:00.000Z'
const start = (id: number, runId: string): JobEvent => ({
  id,
  runId,
  createdAt: at,
  type: 'run_started',
  number: 1,
  model: 'test/model',
  budget: { turns: 10, tokens: 1_000, seconds: 60, costUsd: 2 },
})
const turn = (id: number, runId: string, costUsd: number): JobEvent => ({
  id,
  runId,
  createdAt: at,
  type: 'turn',
  number: id,
  text: '',
  calls: [],
  usage: { inputTokens: 90, cachedInputTokens: 50, outputTokens: 10 },
  total: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd, turns: id },
})

test('only the newest run counts, and its cost is what it added', () => {
  const events = [start(1, 'a'), turn(2, 'a', 0.5), start(3, 'b'), turn(4, 'b', 0.75), turn(5, 'b', 1.5)]
  assert.deepEqual(usedOf(events), [
    { name: 'Turns', used: 2, limit: 10 },
    { name: 'Tokens', used: 110, limit: 1_000 },
    { name: 'Cost', used: 1, limit: 2 },
  ])
  assert.deepEqual(usedOf([]), [])
})
