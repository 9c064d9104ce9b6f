import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done, toResponse } from '../../../test/support/scripted-loop.ts'
import type { ModelResponse } from '../model/types.ts'
import { countTokens } from './spent.ts'

const turn = (usage: object, number = 1) => {
  const response = toResponse([done], number)
  return { number, input: [], response: { ...response, usage: usage as ModelResponse['usage'] }, results: [] }
}
const used = (inputTokens: number, cachedInputTokens: number, outputTokens: number) =>
  turn({ inputTokens, cachedInputTokens, cacheWriteTokens: 0, outputTokens, costUsd: null })

test('input from a cache counts one tenth, and the sum is exact', () => {
  assert.equal(countTokens([used(100_000, 90_000, 500)]), 19_500)
  assert.equal(countTokens([used(10, 0, 1)]), 11)
  assert.equal(countTokens([used(10, 10, 0)]), 1)
  assert.equal(countTokens([used(3, 1, 0), used(3, 1, 0), used(3, 1, 0)]), 6.3)
  assert.equal(countTokens([used(10, 11, 0)]), 1, 'never more than the input')
})

test('a turn without a response, or of an earlier release, counts as uncached', () => {
  const open = { number: 2, input: [], response: undefined, results: undefined }
  assert.equal(countTokens([turn({ inputTokens: 10, outputTokens: 1, costUsd: null }), open]), 11)
})
