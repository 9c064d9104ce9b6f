import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costUsd, isPriced, knownFacts, knownModels, parseOwnPrices } from './prices.ts'

const now = new Date('2026-11-20T12:00:00Z')
const usage = (inputTokens: number, rest: { cached?: number; written?: number; output?: number } = {}) => {
  const { cached = 0, written = 0, output = 0 } = rest
  return { inputTokens, cachedInputTokens: cached, cacheWriteTokens: written, outputTokens: output }
}
const cost = (id: string, used: ReturnType<typeof usage>, at = now) => costUsd(knownFacts(id, {}), used, at)

test('input, cached input, cache writes and output each have their price', () => {
  assert.equal(cost('anthropic/claude-opus-5', usage(1e6)), 5)
  assert.equal(cost('anthropic/claude-opus-5', usage(1e6, { cached: 1e6 })), 0.5)
  assert.equal(cost('anthropic/claude-opus-5', usage(1e6, { written: 1e6 })), 6.25)
  assert.equal(cost('anthropic/claude-opus-5', usage(0, { output: 1e6 })), 25)
})

test('at Anthropic a cache write costs 1.25 times the input, output 5 times', () => {
  const models = knownModels().filter((id) => id.startsWith('anthropic/'))
  assert.ok(models.length > 0)
  for (const { input, cacheWrite, output } of models.flatMap((id) => knownFacts(id, {})?.tiers ?? [])) {
    assert.deepEqual({ cacheWrite, output }, { cacheWrite: input * 1.25, output: input * 5 })
  }
})

test('a long request has the prices of its size, for all of it', () => {
  assert.equal(cost('anthropic/claude-haiku-5-5', usage(100_000)), 0.01)
  assert.equal(cost('anthropic/claude-haiku-5-5', usage(200_000)), 0.1)
})

test('an unknown cost is null, never a guess', () => {
  assert.equal(cost('openai/gpt-99', usage(1)), null, 'the model')
  assert.equal(cost('openai/gpt-5.4', usage(272_001)), null, 'the size')
  assert.equal(cost('openai/gpt-5.4', usage(100, { written: 1 })), null, 'the kind of token')
  assert.equal(cost('openai/constructor', usage(1)), null)
})

test('a price that ends has an end', () => {
  const facts = knownFacts('google/gemini-3.8-flash', {})
  assert.equal(costUsd(facts, usage(1e6), new Date('2026-12-31T23:59:59Z')), 0.75)
  assert.equal(costUsd(facts, usage(1e6), new Date('2027-01-01T00:00:00Z')), null)
  assert.equal(isPriced(facts, new Date('2027-01-01T00:00:00Z')), false)
})

test('a dated name is the model without its date', () => {
  assert.equal(cost('anthropic/claude-haiku-4-5-20251001', usage(1e5)), 0.1)
  assert.equal(cost('openai/gpt-5.4-2026-03-05', usage(1e5)), 0.25)
  assert.equal(cost('openai/gpt-5.4-pro', usage(1e5)), null)
})

test('docent/rules costs nothing, and that is known', () => {
  assert.equal(cost('docent/rules', usage(5, { output: 5 })), 0)
})

test("an operator's own price has parts for reads and writes of a cache", () => {
  const own = parseOwnPrices('compatible/all=3/15/0.3/3.75,compatible/read=3/15/0.3')
  const used = usage(4e6, { cached: 2e6, written: 1e6, output: 1e6 })
  assert.equal(costUsd(knownFacts('compatible/all', own), used, now), 3 + 2 * 0.3 + 3.75 + 15)
  assert.equal(costUsd(knownFacts('compatible/read', own), used, now), 3 + 2 * 0.3 + 3 + 15, 'writes are plain input')
})

test("an operator's own price overrides the table for every kind of input", () => {
  const own = parseOwnPrices('compatible/org/m-7b=0.5/2, anthropic/claude-opus-5=1/1')
  assert.equal(costUsd(knownFacts('compatible/org/m-7b', own), usage(2e6, { cached: 1e6, output: 1e6 }), now), 3)
  assert.equal(costUsd(knownFacts('anthropic/claude-opus-5', own), usage(1e6), now), 1)
  assert.equal(knownFacts('anthropic/claude-opus-5', own)?.contextTokens, 1e6)
  for (const wrong of ['m=1/2', 'a/b=1', 'a/b=1/2/', 'a/b=1/2/3/', 'a/b=1/2/3/4/5', 'a/b=1/2//4', 'a/b=-1/2', '1/2'])
    assert.throws(() => parseOwnPrices(wrong), /must be/)
})
