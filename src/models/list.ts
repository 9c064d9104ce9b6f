// Lists the models that projects can use now: the built-in one, and the known models of all providers that have a key, with
// their prices and context sizes. Projects can also use a provider's other models by name.

import { type ModelProvider, modelProviders, parseModelId } from '../agent/model/model-id.ts'
import { isPriced, knownFacts, knownModels, type ModelFacts } from '../agent/model/prices.ts'
import { isConfigured, type ModelsContext, resolveSettings } from './settings.ts'

/** US dollars per million tokens; null if not known. */
export type ModelPrice = {
  /** The rates apply to requests with at most this many input tokens; null for requests of any size. */
  readonly upToInputTokens: number | null
  readonly input: number
  readonly cachedInput: number | null
  readonly cacheWrite: number | null
  readonly output: number
}

export type UsableModel = {
  readonly id: string
  readonly provider: ModelProvider | 'docent'
  /** Whether this is the model of projects without a model of their own. */
  readonly isDefault: boolean
  /** null: no limit is known. */
  readonly contextTokens: number | null
  /** In ascending order of request size; empty if no price is known. */
  readonly prices: readonly ModelPrice[]
}

export async function listModels(context: ModelsContext): Promise<readonly UsableModel[]> {
  const settings = await resolveSettings(context)
  const usable = modelProviders.filter((provider) => isConfigured(settings, provider))
  const ids = new Set(['docent/rules', context.modelId, ...Object.keys(settings.prices), ...knownModels()])
  return [...ids].flatMap((id) => {
    const provider = id === 'docent/rules' ? 'docent' : usable.find((one) => one === parseModelId(id)?.provider)
    if (provider === undefined) return []
    const facts = knownFacts(id, settings.prices)
    const contextTokens = provider === 'docent' ? undefined : (settings.contextTokens ?? facts?.contextTokens)
    return [
      {
        id,
        provider,
        isDefault: id === context.modelId,
        contextTokens: contextTokens ?? null,
        prices: toPrices(facts, context.clock.now()),
      },
    ]
  })
}

function toPrices(facts: ModelFacts | undefined, now: Date): readonly ModelPrice[] {
  if (!isPriced(facts, now)) return []
  return facts.tiers.map(({ upTo, input, cached, cacheWrite, output }) => ({
    upToInputTokens: Number.isFinite(upTo) ? upTo : null,
    input,
    cachedInput: cached ?? null,
    cacheWrite: cacheWrite ?? null,
    output,
  }))
}
