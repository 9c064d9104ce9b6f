// The token counts of a response as the provider reported them, made safe: they become a budget, a bill and a metric,
// so each is a whole number from 0 to 2^53 − 1, whatever was sent. Pure.

import type { OpenAICompatibleProviderSettings } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { LanguageModelUsage } from 'ai'
import type { Usage } from './prices.ts'

export type Metered = {
  readonly usage: Usage
  /** False: the provider did not report what the response used, and it is counted as zero. */
  readonly isMetered: boolean
}

type CompatibleUsage = Parameters<NonNullable<OpenAICompatibleProviderSettings['convertUsage']>>[0]

export function toMetered({ inputTokens, inputTokenDetails, outputTokens }: LanguageModelUsage): Metered {
  return {
    isMetered: isCount(inputTokens) && isCount(outputTokens),
    usage: { ...toInput(inputTokens, inputTokenDetails), outputTokens: toCount(outputTokens) },
  }
}

/** The parts are never more than the whole, whatever was sent. */
function toInput(whole: unknown, parts: LanguageModelUsage['inputTokenDetails']): Omit<Usage, 'outputTokens'> {
  const inputTokens = toCount(whole)
  const cachedInputTokens = Math.min(toCount(parts.cacheReadTokens), inputTokens)
  const cacheWriteTokens = Math.min(toCount(parts.cacheWriteTokens), inputTokens - cachedInputTokens)
  return { inputTokens, cachedInputTokens, cacheWriteTokens }
}

/**
 * Reads the usage that an OpenAI-compatible server sends. The protocol has a field for reads of a cache, not for
 * writes: OpenRouter adds one to the details, LiteLLM writes Anthropic's beside them, and DeepSeek has a field of its own
 * for reads. They are all parts of `prompt_tokens`.
 */
export function toCompatibleUsage(sent: CompatibleUsage): LanguageModelV4Usage {
  const details = sent?.prompt_tokens_details
  const [total, output] = [sent?.prompt_tokens ?? undefined, sent?.completion_tokens ?? undefined]
  const cacheRead = toCount(details?.cached_tokens ?? sent?.['prompt_cache_hit_tokens'])
  const cacheWrite = toCount(details?.['cache_write_tokens'] ?? sent?.['cache_creation_input_tokens'])
  const reasoning = sent?.completion_tokens_details?.reasoning_tokens ?? undefined
  return {
    inputTokens: { total, noCache: undefined, cacheRead, cacheWrite },
    outputTokens: { total: output, text: undefined, reasoning },
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
