// The settings of models in tests: everything is unset except what a test sets.

import type { ModelProvider, ModelSettings, ProviderSettings } from '../../src/agent/model/model-id.ts'

const unset = { apiKey: undefined, baseUrl: undefined }

export function modelSettings(
  set: Partial<Record<ModelProvider, Partial<ProviderSettings>>>,
  rest: Partial<Pick<ModelSettings, 'contextTokens' | 'prices' | 'timeoutMs' | 'idleMs'>> = {},
): ModelSettings {
  return {
    anthropic: { ...unset, ...set.anthropic },
    openai: { ...unset, ...set.openai },
    google: { ...unset, ...set.google },
    compatible: { ...unset, ...set.compatible },
    contextTokens: undefined,
    prices: {},
    timeoutMs: 5_000,
    idleMs: 5_000,
    ...rest,
  }
}
