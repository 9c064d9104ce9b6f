// The prices of models in US dollars per million tokens, and their context sizes in tokens. Only this file changes when
// a provider changes its prices. A model or request size that is not listed has no known price; nothing is estimated.
//
// Sources, as published (or copied) on these dates; compare with your invoice before you rely on them:
// - Anthropic: platform.claude.com/docs/en/about-claude/pricing and the pages of the models, 2026-10-24
//   (cache writes are those that live for 5 minutes, the kind that the service requests).
// - OpenAI: developers.openai.com/api/docs/pricing and the pages of the models, 2026-10-01; GPT-5.5 and 5.4 2026-05-04.
// - Google: ai.google.dev/gemini-api/docs/pricing, 2026-10-07. Storage of caches is not used and not counted.

export type Rates = {
  readonly input: number
  /** Input that the provider had in its cache; undefined if the price is not known. */
  readonly cached: number | undefined
  /** Input that the provider wrote to its cache; undefined if the price is not known or there is no separate one. */
  readonly cacheWrite: number | undefined
  readonly output: number
}

type Tier = Rates & {
  /** The largest request, in input tokens, that these rates apply to. They apply to the whole request. */
  readonly upTo: number
}

export type ModelFacts = {
  /** In ascending order of size. A request larger than the last one has no known price. */
  readonly tiers: readonly Tier[]
  readonly contextTokens: number | undefined
  /** The first day on which the rates no longer apply, as `YYYY-MM-DD` in UTC. */
  readonly until?: string
}

export type Usage = {
  /** All input, from a cache or not. */
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly cacheWriteTokens: number
  /** Reasoning included. */
  readonly outputTokens: number
}

const million = 1_000_000
const unknown = undefined

const table: Readonly<Record<string, ModelFacts>> = {
  'docent/rules': { tiers: [tier(Infinity, 0, 0, 0, 0)], contextTokens: Infinity },
  'anthropic/claude-fable-5-1': { tiers: [tier(million, 10, 0.25, 12.5, 50)], contextTokens: million },
  'anthropic/claude-opus-5-5': { tiers: [tier(million, 4, 0.2, 5, 20)], contextTokens: million },
  'anthropic/claude-opus-5': { tiers: [tier(million, 5, 0.5, 6.25, 25)], contextTokens: million },
  'anthropic/claude-opus-4-8': { tiers: [tier(million, 5, 0.5, 6.25, 25)], contextTokens: unknown },
  'anthropic/claude-opus-4-7': { tiers: [tier(million, 5, 0.5, 6.25, 25)], contextTokens: unknown },
  'anthropic/claude-opus-4-6': { tiers: [tier(million, 5, 0.5, 6.25, 25)], contextTokens: unknown },
  'anthropic/claude-opus-4-5': { tiers: [tier(200_000, 5, 0.5, 6.25, 25)], contextTokens: 200_000 },
  'anthropic/claude-sonnet-5-5': { tiers: [tier(million, 2, 0.1, 2.5, 10)], contextTokens: million },
  'anthropic/claude-sonnet-5': { tiers: [tier(million, 2, 0.2, 2.5, 10)], contextTokens: million },
  'anthropic/claude-sonnet-4-5': { tiers: [tier(200_000, 3, 0.3, 3.75, 15)], contextTokens: 200_000 },
  'anthropic/claude-haiku-5-5': {
    tiers: [tier(100_000, 0.1, 0.01, 0.125, 0.5), tier(million, 0.5, 0.05, 0.625, 2.5)],
    contextTokens: million,
  },
  'anthropic/claude-haiku-4-5': { tiers: [tier(200_000, 1, 0.1, 1.25, 5)], contextTokens: 200_000 },
  'openai/gpt-6.1-sol': {
    tiers: [tier(272_000, 2, 0.1, 2.5, 10), tier(1_050_000, 4, 0.2, unknown, 15)],
    contextTokens: unknown,
  },
  'openai/gpt-6-sol': { tiers: [tier(272_000, 2, 0.2, 2.5, 10)], contextTokens: 1_050_000 },
  'openai/gpt-6-luna': { tiers: [tier(272_000, 0.1, 0.01, 0.125, 0.5)], contextTokens: unknown },
  'openai/gpt-6-astra': { tiers: [tier(272_000, 10, 1, unknown, 50)], contextTokens: 1_050_000 },
  'openai/gpt-5.6-terra': { tiers: [tier(272_000, 2, 0.2, unknown, 12)], contextTokens: 1_050_000 },
  'openai/gpt-5.6-luna': { tiers: [tier(272_000, 0.2, 0.02, unknown, 1.2)], contextTokens: unknown },
  'openai/gpt-5.5': { tiers: [tier(272_000, 5, 0.5, unknown, 30)], contextTokens: unknown },
  'openai/gpt-5.4': { tiers: [tier(272_000, 2.5, 0.25, unknown, 15)], contextTokens: unknown },
  'openai/gpt-5.4-mini': { tiers: [tier(272_000, 0.75, 0.075, unknown, 4.5)], contextTokens: unknown },
  'openai/gpt-5.4-nano': { tiers: [tier(272_000, 0.2, 0.02, unknown, 1.25)], contextTokens: unknown },
  'google/gemini-3.8-flash': {
    tiers: [tier(1_048_576, 0.75, 0.075, unknown, 3.75)],
    contextTokens: 1_048_576,
    until: '2027-01-01',
  },
  'google/gemini-3.5-flash': { tiers: [tier(1_048_576, 1.5, 0.15, unknown, 9)], contextTokens: 1_048_576 },
  'google/gemini-3.5-flash-lite': { tiers: [tier(1_048_576, 0.3, 0.03, unknown, 2.5)], contextTokens: 1_048_576 },
  'google/gemini-3.1-pro-preview': {
    tiers: [tier(200_000, 2, 0.2, unknown, 12), tier(1_048_576, 4, unknown, unknown, 18)],
    contextTokens: 1_048_576,
  },
}

/** `cached`: input that the provider read from its cache; `cacheWrite`: input that it wrote there. Default: as `input`. */
type OwnPrice = {
  readonly input: number
  readonly output: number
  readonly cached?: number | undefined
  readonly cacheWrite?: number | undefined
}
export type OwnPrices = Readonly<Record<string, OwnPrice>>

const dollars = String.raw`\d+(?:\.\d+)?`
const ownPrice = new RegExp(
  String.raw`^\s*([^=\s]+\/[^=\s]+)=(${dollars})\/(${dollars})(?:\/(${dollars})(?:\/(${dollars}))?)?\s*$`,
)

/**
 * Parses a comma-separated list of `provider/model=input/output`, in US dollars per million tokens. The price of input
 * that comes from a cache may follow, then the price of input that is written to it. Throws an Error.
 */
export function parseOwnPrices(text: string): OwnPrices {
  const entries = text.split(',').filter((one) => one.trim() !== '')
  return Object.fromEntries(
    entries.map((entry) => {
      const [, id = '', input, output, cached, cacheWrite] = ownPrice.exec(entry) ?? []
      if (id === '') {
        throw new Error(
          'must be a list of provider/model=input/output or provider/model=input/output/cached/cacheWrite, in US dollars for a million tokens',
        )
      }
      return [
        id,
        { input: Number(input), output: Number(output), cached: given(cached), cacheWrite: given(cacheWrite) },
      ]
    }),
  )
}

function given(price: string | undefined): number | undefined {
  return price === undefined ? undefined : Number(price)
}

/** Facts about a model. A price set by the operator applies to all sizes. */
export function knownFacts(id: string, own: OwnPrices): ModelFacts | undefined {
  const price = Object.hasOwn(own, id) ? own[id] : undefined
  const facts = modelFacts(id)
  if (!price) return facts
  const { input, output, cached = input, cacheWrite = input } = price
  return { tiers: [tier(Infinity, input, cached, cacheWrite, output)], contextTokens: facts?.contextTokens }
}

/** The ids of all models in the table. */
export function knownModels(): readonly string[] {
  return Object.keys(table)
}

/** Returns the provider's model with the lowest output price; undefined if no model of the provider is known. */
export function cheapestModel(provider: string, own: OwnPrices): string | undefined {
  const priceOf = (id: string) => knownFacts(id, own)?.tiers[0]?.output ?? Infinity
  return [...new Set([...knownModels(), ...Object.keys(own)])]
    .filter((id) => id.startsWith(`${provider}/`))
    .toSorted((a, b) => priceOf(a) - priceOf(b))[0]
}

/** A dated name (`claude-haiku-4-5-20251001`, `gpt-5.4-2026-03-05`) has the facts of the model without the date. */
function modelFacts(id: string): ModelFacts | undefined {
  const undated = id.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
  return table[id] ?? table[undated]
}

/** Whether any price is known on this day. A request of an unknown size may still have no price. */
export function isPriced(facts: ModelFacts | undefined, now: Date): facts is ModelFacts {
  if (!facts || facts.tiers.length === 0) return false
  return facts.until === undefined || now.getTime() < Date.parse(facts.until)
}

/** Returns US dollars; null when the price of this model, this size or this kind of token is not known. */
export function costUsd(facts: ModelFacts | undefined, usage: Usage, now: Date): number | null {
  const rates = isPriced(facts, now) ? facts.tiers.find((one) => usage.inputTokens <= one.upTo) : undefined
  if (!rates) return null
  const fresh = Math.max(0, usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens)
  const parts = [
    [fresh, rates.input],
    [usage.cachedInputTokens, rates.cached],
    [usage.cacheWriteTokens, rates.cacheWrite],
    [usage.outputTokens, rates.output],
  ] as const
  let sum = 0
  for (const [tokens, rate] of parts) {
    if (tokens === 0) continue
    if (rate === undefined) return null
    sum += (tokens * rate) / million
  }
  return sum
}

/** Rates in the order input, cached input, cache write, output. */
function tier(upTo: number, ...rates: readonly [number, number | undefined, number | undefined, number]): Tier {
  const [input, cached, cacheWrite, output] = rates
  return { upTo, input, cached, cacheWrite, output }
}
