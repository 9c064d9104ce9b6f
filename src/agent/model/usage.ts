// The token counts of a response as the provider reported them, made safe: they become a budget, a bill and a metric,
// so each is a whole number from 0 to 2^53 − 1, whatever was sent. Pure.

import type { LanguageModelUsage } from 'ai'
import type { Usage } from './prices.ts'

export type Metered = {
  readonly usage: Usage
  /** False: the provider did not report what the response used, and it is counted as zero. */
  readonly isMetered: boolean
}

export function toMetered({ inputTokens, inputTokenDetails, outputTokens }: LanguageModelUsage): Metered {
  return {
    isMetered: isCount(inputTokens) && isCount(outputTokens),
    usage: {
      inputTokens: toCount(inputTokens),
      cachedInputTokens: toCount(inputTokenDetails.cacheReadTokens),
      cacheWriteTokens: toCount(inputTokenDetails.cacheWriteTokens),
      outputTokens: toCount(outputTokens),
    },
  }
}

/** The types promise numbers; a provider, or a library that passes its JSON on, may not keep that promise. */
export function toCount(reported: unknown): number {
  if (typeof reported !== 'number' || Number.isNaN(reported)) return 0
  return Math.min(Math.max(Math.round(reported), 0), Number.MAX_SAFE_INTEGER)
}

function isCount(reported: unknown): boolean {
  return typeof reported === 'number' && reported >= 0 && reported <= Number.MAX_SAFE_INTEGER
}
