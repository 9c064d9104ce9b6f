// Opens the model that an id names: `docent/rules`, or one of the four providers. The provider's library gets every
// key and address from here, so that it never reads one from the environment.

import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Clock } from '../../lib/clock.ts'
import type { Redactor } from '../../lib/outbound/redactor.ts'
import { Failure } from '../../lib/failure.ts'
import { anthropicDialect, type Dialect, openaiDialect, plainDialect } from './dialect.ts'
import { createGuardedFetch, type ReportDate, sizeLimits } from './guarded-fetch.ts'
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
import { toCompatibleUsage } from './usage.ts'
import { createRulesModel } from '../rules/rules-model.ts'

const defaultContextTokens = 128_000
const defaultAddress = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const

export type ModelHooks = {
  /** Gets the date of every response. */
  readonly report?: ReportDate
  /** Knows the secrets that no response may hold. Default: only the key of the provider. */
  readonly redactor?: Pick<Redactor, 'hide' | 'redact'>
}

/** Throws `model_not_configured`, which names the missing setting. */
export function openModel(id: string, settings: ModelSettings, clock: Clock, hooks: ModelHooks = {}): Model {
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
  const { model, dialect } = openers[parsed.provider](
    parsed.name,
    provided,
    createGuardedFetch({ ...sizeLimits, idleMs: settings.idleMs }, hooks.report),
  )
  return createModel(model, { ...options, contextTokens, dialect, secret: provided.apiKey, redactor: hooks.redactor })
}

type Fetch = typeof globalThis.fetch
type Opened = { readonly model: LanguageModelV4; readonly dialect: Dialect }

const openers: Readonly<Record<ModelProvider, (name: string, settings: ProviderSettings, fetch: Fetch) => Opened>> = {
  anthropic: (name, { apiKey = '', baseUrl }, fetch) => ({
    model: createAnthropic({ apiKey, baseURL: baseUrl ?? defaultAddress.anthropic, fetch })(name),
    dialect: anthropicDialect,
  }),
  openai: (name, { apiKey = '', baseUrl }, fetch) => ({
    model: createOpenAI({ apiKey, baseURL: baseUrl ?? defaultAddress.openai, fetch }).responses(name),
    dialect: openaiDialect,
  }),
  google: (name, { apiKey = '', baseUrl }, fetch) => ({
    model: createGoogle({ apiKey, baseURL: baseUrl ?? defaultAddress.google, fetch })(name),
    dialect: plainDialect,
  }),
  compatible: (name, { apiKey, baseUrl = '' }, fetch) => ({
    model: createOpenAICompatible({
      name: 'compatible',
      baseURL: baseUrl,
      includeUsage: true,
      convertUsage: toCompatibleUsage,
      fetch,
      ...(apiKey === undefined ? {} : { apiKey }),
    }).chatModel(name),
    dialect: plainDialect,
  }),
}
