import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCost, formatSeconds, statusOf, titleOf } from './status.ts'

const completed = { status: 'completed', phase: null, outcome: 'pull_request', error: null, pullRequest: null } as const
const pull = { number: 1, url: '', state: 'open', draft: false, mergedAt: null } as const

test('the state of a job in words', () => {
  const words = (changes: object) => statusOf({ ...completed, ...changes }).words
  assert.equal(words({ status: 'active', phase: 'editing' }), 'Editing')
  assert.equal(words({ status: 'failed', error: { code: 'cancelled', message: '' } }), 'Cancelled')
  assert.equal(words({ status: 'failed', error: { code: 'internal', message: '' } }), 'Failed')
  assert.equal(words({ pullRequest: pull }), 'Ready for review')
  assert.equal(words({ pullRequest: { ...pull, draft: true } }), 'Draft')
  assert.equal(words({ pullRequest: { ...pull, draft: true, state: 'merged' } }), 'Merged')
  assert.equal(words({ outcome: 'no_changes' }), 'No changes')
  assert.equal(words({ outcome: 'partial', pullRequest: { ...pull, draft: true } }), 'Part of the work')
  assert.equal(words({ outcome: 'partial', pullRequest: { ...pull, state: 'merged' } }), 'Merged')
  assert.equal(words({ outcome: 'needs_input', pullRequest: pull }), 'Asks you')
})

test('durations, costs and titles are short', () => {
  assert.deepEqual([0, 59, 60, 185, 7_800].map(formatSeconds), ['0 s', '59 s', '1 min', '3 min 5 s', '2 h 10 min'])
  assert.deepEqual([null, 0, 0.0123, 1.239].map(formatCost), [undefined, '$0.00', '$0.0123', '$1.24'])
  assert.equal(titleOf('\n Fix the links\nin all pages'), 'Fix the links')
  assert.equal(titleOf('a'.repeat(200)).length, 120)
  assert.equal(titleOf('\u{1F680}'.repeat(200)), `${'\u{1F680}'.repeat(59)}…`)
})
