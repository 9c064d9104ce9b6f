// The names of models and the settings that each needs. Pure, and without any provider's library: the configuration,
// the API of projects and the runs all use it.

import type { OwnPrices } from './prices.ts'

export const modelProviders = ['anthropic', 'openai', 'google', 'compatible'] as const
export type ModelProvider = (typeof modelProviders)[number]

export type ProviderSettings = {
  readonly apiKey: string | undefined
  /** Without a trailing slash. Undefined: the provider's own address. */
  readonly baseUrl: string | undefined
}

export type ModelSettings = Readonly<Record<ModelProvider, ProviderSettings>> & {
  /** Overrides the known size of a model. Undefined: the table of prices.ts applies, then 128,000. */
  readonly contextTokens: number | undefined
  readonly prices: OwnPrices
  /** The longest wait for one response, also if it arrives slowly. */
  readonly timeoutMs: number
  /** The longest wait for the next byte of a response. */
  readonly idleMs: number
}

/**
 * Parses `provider/model`; the name of the model is everything after the first slash. Returns undefined for other
 * forms.
 */
export function parseModelId(id: string): { readonly provider: ModelProvider; readonly name: string } | undefined {
  const slash = id.indexOf('/')
  const provider = modelProviders.find((one) => one === id.slice(0, slash))
  const name = id.slice(slash + 1)
  return provider && name.length <= 200 && /^[\w./:@+-]+$/.test(name) ? { provider, name } : undefined
}

/** Explains why a text is not the id of a model; null when it is. */
export function modelIdProblem(id: string): string | null {
  if (id === 'docent/rules' || parseModelId(id)) return null
  return 'must be docent/rules, or anthropic/, openai/, google/ or compatible/ with the name of a model'
}

/** Explains why the service cannot use this id with these settings; null when it can. */
export function modelProblem(id: string, settings: ModelSettings): string | null {
  const parsed = parseModelId(id)
  if (!parsed) return modelIdProblem(id)
  const { provider } = parsed
  const { apiKey, baseUrl } = settings[provider]
  const isUsable = provider === 'compatible' ? baseUrl !== undefined : apiKey !== undefined
  if (isUsable) return null
  const variable = `DOCENT_${provider.toUpperCase()}_${provider === 'compatible' ? 'BASE_URL' : 'API_KEY'}`
  return `needs ${variable} to be set, or a stored key (\`docent model key set ${provider}\`)`
}
