// Opens the models that an id can name: `docent/rules`, and those of the four providers. Every key and address is
// handed to the provider's library, so that it never looks for one in the environment itself.

import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { anthropicDialect, type Dialect, openaiDialect, plainDialect } from './dialect.ts'
import { createModel } from './model.ts'
import type { Model } from './types.ts'
import {
  modelProblem,
  type ModelProvider,
  type ModelSettings,
  parseModelId,
  type ProviderSettings,
} from './model-id.ts'
import { knownFacts } from './prices.ts'
import { createRulesModel } from '../rules/rules-model.ts'

const defaultContextTokens = 128_000
const defaultAddress = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const

/** Throws `model_not_configured`, which says what is missing, for a model that the settings do not give. */
export function openModel(id: string, settings: ModelSettings, clock: Clock): Model {
  const problem = modelProblem(id, settings)
  if (problem !== null) throw new Failure('model_not_configured', `The model ${id} cannot be used: it ${problem}.`)
  const facts = knownFacts(id, settings.prices)
  const options = { id, clock, timeoutMs: settings.timeoutMs, facts }
  const parsed = parseModelId(id)
  if (!parsed) {
    return createModel(createRulesModel(), { ...options, contextTokens: Infinity, dialect: plainDialect })
  }
  const contextTokens = settings.contextTokens ?? facts?.contextTokens ?? defaultContextTokens
  const provided = settings[parsed.provider]
  const { model, dialect } = openers[parsed.provider](parsed.name, provided)
  return createModel(model, { ...options, contextTokens, dialect, secret: provided.apiKey })
}

type Opened = { readonly model: LanguageModelV4; readonly dialect: Dialect }

const openers: Readonly<Record<ModelProvider, (name: string, settings: ProviderSettings) => Opened>> = {
  anthropic: (name, { apiKey = '', baseUrl }) => ({
    model: createAnthropic({ apiKey, baseURL: baseUrl ?? defaultAddress.anthropic })(name),
    dialect: anthropicDialect,
  }),
  openai: (name, { apiKey = '', baseUrl }) => ({
    model: createOpenAI({ apiKey, baseURL: baseUrl ?? defaultAddress.openai }).responses(name),
    dialect: openaiDialect,
  }),
  google: (name, { apiKey = '', baseUrl }) => ({
    model: createGoogle({ apiKey, baseURL: baseUrl ?? defaultAddress.google })(name),
    dialect: plainDialect,
  }),
  compatible: (name, { apiKey, baseUrl = '' }) => ({
    model: createOpenAICompatible({
      name: 'compatible',
      baseURL: baseUrl,
      includeUsage: true,
      ...(apiKey === undefined ? {} : { apiKey }),
    }).chatModel(name),
    dialect: plainDialect,
  }),
}
