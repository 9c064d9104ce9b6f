// The usage of a run, from its stored turns. Pure: a run that continues elsewhere counts the same.

import type { Usage } from '../model/prices.ts'
import type { Turn } from '../transcript.ts'

/** Returns the US dollars of all responses; null when the price of one is not known. */
export function countCost(turns: readonly Turn[]): number | null {
  const costs = turns.flatMap(({ response }) => (response ? [response.usage.costUsd] : []))
  return costs.reduce<number | null>((sum, cost) => (typeof cost === 'number' && sum !== null ? sum + cost : null), 0)
}

/** Returns the tokens of all responses as the budget counts them. */
export function countTokens(turns: readonly Turn[]): number {
  const tenths = turns.reduce((sum, { response }) => sum + (response ? tenthsOf(response.usage) : 0), 0)
  return tenths / 10
}

/**
 * In tenths of a token, so that sums are exact. Input that the provider read from its cache counts one tenth, which is
 * about what providers charge for it. Turns of earlier releases may not have that number.
 */
function tenthsOf(usage: Omit<Usage, 'cachedInputTokens'> & Partial<Usage>): number {
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens)
  return 10 * (usage.inputTokens + usage.outputTokens) - 9 * cached
}
