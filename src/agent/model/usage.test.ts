import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { toCompatibleUsage, toCount, toMetered } from './usage.ts'

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

test('reads and writes of a cache are never more than the input', () => {
  const table = [
    [{ read: 600, written: 100 }, [600, 100]],
    [{ read: 1_000, written: 1 }, [1_000, 0]],
    [{ read: 1_001, written: undefined }, [1_000, 0]],
    [{ read: -1, written: 2_000 }, [0, 1_000]],
  ] as const
  for (const [{ read, written }, expected] of table) {
    const { usage } = toMetered({
      inputTokens: 1_000,
      outputTokens: 1,
      inputTokenDetails: { cacheReadTokens: read, cacheWriteTokens: written, noCacheTokens: undefined },
      outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
      totalTokens: undefined,
    })
    assert.deepEqual([usage.cachedInputTokens, usage.cacheWriteTokens], expected, inspect({ read, written }))
  }
})

test('a compatible server reports its cache in one of several ways', () => {
  const sizes = { prompt_tokens: 1_000, completion_tokens: 5 }
  const table = [
    [{}, [0, 0]],
    [{ prompt_tokens_details: { cached_tokens: 600 } }, [600, 0]],
    [{ prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 100 } }, [600, 100]],
    [{ prompt_tokens_details: { cached_tokens: 600 }, cache_creation_input_tokens: 100 }, [600, 100]],
    [{ prompt_cache_hit_tokens: 600, prompt_cache_miss_tokens: 400 }, [600, 0]],
    [{ prompt_cache_hit_tokens: 'all', cache_creation_input_tokens: {} }, [0, 0]],
  ] as const
  for (const [sent, [read, written]] of table) {
    const { inputTokens, outputTokens } = toCompatibleUsage({ ...sizes, ...sent })
    assert.deepEqual(inputTokens, { total: 1_000, noCache: undefined, cacheRead: read, cacheWrite: written })
    assert.equal(outputTokens.total, 5)
  }
  for (const nothing of [undefined, null, {}]) assert.equal(toCompatibleUsage(nothing).inputTokens.total, undefined)
})
