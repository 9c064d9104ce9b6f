// The usage of a run, from its stored turns. Pure: a run that continues elsewhere counts the same.

import type { Usage } from '../model/prices.ts'
import type { ModelResponse } from '../model/types.ts'
import type { Turn } from '../transcript.ts'

/** The usage of all responses, and of the attempts that failed after a response began. */
function usagesOf(turns: readonly Turn[]): readonly ModelResponse['usage'][] {
  const counted = turns.flatMap(({ response, failed = [] }) => [...failed, ...(response ? [response] : [])])
  return counted.map(({ usage }) => usage)
}

/** Returns the US dollars of all responses; null when the price of one is not known. */
export function countCost(turns: readonly Turn[]): number | null {
  const costs = usagesOf(turns).map(({ costUsd }) => costUsd)
  return costs.reduce<number | null>((sum, cost) => (typeof cost === 'number' && sum !== null ? sum + cost : null), 0)
}

/** Returns the tokens of all responses as the budget counts them. */
export function countTokens(turns: readonly Turn[]): number {
  const tenths = usagesOf(turns).reduce((sum, usage) => sum + tenthsOf(usage), 0)
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
