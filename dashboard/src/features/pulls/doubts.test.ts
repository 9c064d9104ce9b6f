import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doubtsOf } from './doubts.ts'

const calm = {
  pull: { draft: false },
  job: { status: 'completed', outcome: 'pull_request', checks: null },
  comments: [{ state: 'done' }],
} as const

test('a merge without doubts is not asked about', () => {
  assert.deepEqual(doubtsOf(calm), [])
})

test('each reason to wait with a merge is one sentence', () => {
  const failed = { status: 'failed', outcome: null, checks: { introduced: 1 } as never } as const
  const comments = [{ state: 'failed' }, { state: 'done' }, { state: 'waiting' }] as const
  assert.deepEqual(doubtsOf({ pull: { draft: true }, job: failed, comments }), [
    'It is a draft.',
    'The checks found 1 new problem.',
    'The agent has not responded to 2 comments.',
    'The last run of the job failed.',
  ])
  const active = { ...calm.job, status: 'active' } as const
  assert.deepEqual(doubtsOf({ ...calm, job: active }), ['The agent is still working on it.'])
  const asking = { ...calm.job, outcome: 'needs_input' } as const
  assert.deepEqual(doubtsOf({ ...calm, job: asking }), ['The last run ended with a question.'])
})
