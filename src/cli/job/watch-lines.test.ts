import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, nothingSeen, see, type Seen, statusOf } from './watch-lines.ts'

test('the status shows runs, costs and changes only when there are any', () => {
  const usage = { inputTokens: 4_000, outputTokens: 320 }
  const table: readonly (readonly [Partial<Seen>, string])[] = [
    [{}, 'queued, turn 0, 0 tokens'],
    [{ run: 1, turn: 3, budget: { turns: 200 } }, 'queued, turn 3 of 200, 0 tokens'],
    [
      { phase: 'checking', progress: { done: 300, total: 5_000 } },
      'checking, 300 of 5,000 files checked, turn 0, 0 tokens',
    ],
    [{ run: 2 }, 'queued, run 2, turn 0, 0 tokens'],
    [{ total: { ...usage, costUsd: null } }, 'queued, turn 0, 4,320 tokens'],
    [{ total: { ...usage, costUsd: 0 } }, 'queued, turn 0, 4,320 tokens'],
    [{ total: { ...usage, costUsd: 0.01234 } }, 'queued, turn 0, 4,320 tokens, $0.0123'],
    [{ changed: { files: 1, bytes: 1_234 } }, 'queued, turn 0, 0 tokens, 1 file changed (1.2 kB)'],
    [{ changed: { files: 2, bytes: 0 } }, 'queued, turn 0, 0 tokens, 2 files changed (0.0 kB)'],
  ]
  for (const [seen, expected] of table) assert.equal(statusOf({ ...nothingSeen, ...seen }), expected)
})

test('the progress of a check is shown until the next event', () => {
  const own = { id: 1, createdAt: '2026-11-20T09:00:00.000Z', runId: null }
  const seen = see(nothingSeen, { ...own, type: 'progress', phase: 'checking', done: 3, total: 5 })
  assert.match(statusOf(seen), /3 of 5 files checked/)
  assert.doesNotMatch(statusOf(see(seen, { ...own, id: 2, type: 'phase', phase: 'publishing' })), /checked/)
})

test('a warning is shown completely, because it ends with the advice', () => {
  const message = `${'x'.repeat(300)} --label NAME`
  const event = { id: 1, type: 'warning', createdAt: '2026-11-20T09:00:00.000Z', runId: null, message } as const
  assert.deepEqual(linesOf(event, nothingSeen), [{ style: 'yellow', text: `! ${message}` }])
})
