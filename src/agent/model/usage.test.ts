import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { toCount, toMetered } from './usage.ts'

test('any reported token count becomes a whole number from 0 to 2^53 − 1', () => {
  const table = [
    [0, 0],
    [1, 1],
    [1.4, 1],
    [1.5, 2],
    [-1, 0],
    [-1_000_000, 0],
    [-Infinity, 0],
    [Infinity, Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [2 ** 53, Number.MAX_SAFE_INTEGER],
    [Number.NaN, 0],
    ['12', 0],
    [null, 0],
    [undefined, 0],
    [{}, 0],
  ] as const
  for (const [reported, expected] of table) assert.equal(toCount(reported), expected, inspect(reported))
  fc.assert(fc.property(fc.anything(), (reported) => Number.isSafeInteger(toCount(reported)) && toCount(reported) >= 0))
})

test('counts that a provider cannot mean leave an answer unmetered', () => {
  const details = { cacheReadTokens: undefined, cacheWriteTokens: undefined, noCacheTokens: undefined }
  const meter = (inputTokens: number | undefined, outputTokens: number | undefined) =>
    toMetered({
      inputTokens,
      outputTokens,
      inputTokenDetails: details,
      outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
      totalTokens: undefined,
    }).isMetered
  assert.equal(meter(1.5, 0), true)
  for (const wrong of [undefined, -1, Number.NaN, Infinity, 2 ** 53]) {
    assert.equal(meter(wrong, 1), false, String(wrong))
    assert.equal(meter(1, wrong), false, String(wrong))
  }
})
