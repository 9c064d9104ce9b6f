import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classify } from './model-failure.ts'

const now = new Date('2026-11-20T12:00:00Z')
const error = (status: number | undefined, words: string, headers?: Record<string, string>) =>
  classify({ status, words, details: words, headers }, now)

test('a rate limit is never taken for missing credit', () => {
  const words = 'You exceeded your current quota, please check your plan and billing details. "retryDelay": "3s"'
  const { failure, wait } = error(429, words)
  assert.deepEqual([failure.code, wait], ['model_unavailable', 3_000])
})

test('429 and 5xx about tokens are not taken for a request that is too long', () => {
  assert.equal(error(429, 'context window tokens per minute').failure.code, 'model_unavailable')
  assert.equal(error(500, 'context_length_exceeded').failure.code, 'model_unavailable')
})

test('a pause longer than 5 s is no wait; the failure carries it, up to an hour', () => {
  assert.equal(error(429, '', { 'retry-after': '5' }).wait, 5_000)
  const cases = [
    ['6', 6],
    ['7200', 3_600],
  ] as const
  for (const [seconds, retryAfter] of cases) {
    const { failure, wait } = error(503, '', { 'retry-after': seconds })
    assert.deepEqual([failure.retryAfter, wait], [retryAfter, undefined])
  }
})

test('a meaningless Retry-After counts as missing', () => {
  for (const value of ['', 'soon', '-1', 'NaN', '1e9']) {
    assert.equal(error(429, '', { 'retry-after': value }).wait, 'soon', value)
  }
})

test('a request that is no JSON is a fault of the service, not of the instruction', () => {
  const texts = [
    'The request body is not valid JSON: no low surrogate in string: line 1 column 5126 (char 5125)',
    'We could not parse the JSON body of your request.',
    'Invalid JSON payload received. Unexpected token.',
  ]
  for (const words of texts) assert.equal(error(400, words).failure.code, 'internal', words)
})

test('a wrong key is not quoted, and a 400 for a wrong key is recognised by its code', () => {
  assert.ok(!error(401, 'Incorrect API key provided: sk-1234').failure.message.includes('sk-1234'))
  assert.equal(error(400, 'API key not valid. API_KEY_INVALID').failure.code, 'model_not_configured')
  assert.equal(error(400, 'max_tokens: 9 is wrong').failure.code, 'model_refused')
})
