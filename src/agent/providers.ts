// The models that a setting can name: `docent/rules`, and any server that speaks the OpenAI chat protocol.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Clock } from '../lib/clock.ts'
import { Failure } from '../lib/failure.ts'
import { createModel, type Model } from './model.ts'
import { createRulesModel } from './rules/rules-model.ts'

export type ModelSettings = {
  /** `provider/model`; all after the first slash is the model's name. */
  readonly id: string
  readonly baseUrl: string | undefined
  readonly apiKey: string | undefined
  readonly contextTokens: number
  readonly timeoutMs: number
}

/** Throws `config_invalid` for a model that the settings do not give. */
export function openModel(settings: ModelSettings, clock: Clock): Model {
  const slash = settings.id.indexOf('/')
  const provider = settings.id.slice(0, slash)
  const name = settings.id.slice(slash + 1)
  const options = { id: settings.id, clock, timeoutMs: settings.timeoutMs }
  if (settings.id === 'docent/rules') return createModel(createRulesModel(), { ...options, contextTokens: Infinity })
  if (provider === 'compatible' && name !== '' && settings.baseUrl !== undefined) {
    const server = createOpenAICompatible({
      name: 'compatible',
      baseURL: settings.baseUrl,
      includeUsage: true,
      ...(settings.apiKey === undefined ? {} : { apiKey: settings.apiKey }),
    })
    return createModel(server.chatModel(name), { ...options, contextTokens: settings.contextTokens })
  }
  throw new Failure('config_invalid', `DOCENT_MODEL: there is no model ${settings.id}.`)
}
