// The differences between providers' requests: their options, and the end of the cached prefix. Pure. The beginning of
// a request is the same from turn to turn (instructions, tools, then the conversation, which only grows), so that a
// provider's cache stays useful.

import type { ModelMessage, ModelRequest } from './types.ts'

type Options = NonNullable<ModelMessage['providerOptions']>

export type Dialect = {
  readonly options: (request: ModelRequest) => Options
  /** Marks where a cached prefix ends; undefined: the provider finds the end itself, or has no cache. */
  readonly cacheMark: Options | undefined
  /** When absent, the provider's own default applies. */
  readonly maxOutputTokens?: number
  /** The provider refuses requests for fewer. */
  readonly leastOutputTokens?: number
}

export const plainDialect: Dialect = { options: () => ({}), cacheMark: undefined }

/**
 * The API allows four marks; three are used. Entries live for five minutes from their last use. The API requires an
 * output limit: the library lowers this one to the limit of a model that it knows; without it, the library would send
 * 4,096 for other models.
 */
export const anthropicDialect: Dialect = {
  options: () => ({}),
  maxOutputTokens: 64_000,
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
}

/**
 * Nothing is kept at the provider (`store: false`): reasoning comes back encrypted with the answer and is stored with
 * the turn. `promptCacheKey` sends the requests of one job to the same cache.
 */
export const openaiDialect: Dialect = {
  options: ({ cacheKey }) => ({
    openai: { store: false, ...(cacheKey === undefined ? {} : { promptCacheKey: cacheKey.slice(0, 64) }) },
  }),
  cacheMark: undefined,
  leastOutputTokens: 16,
}

/**
 * Marks the newest message, which the next turn will read from the cache, and the last message of the previous request,
 * which this turn reads: a provider searches only some twenty parts back from a mark.
 */
export function markForCache(messages: readonly ModelMessage[], mark: Options): readonly ModelMessage[] {
  const newest = messages.length - 1
  const answered = messages.findLastIndex((message) => message.role === 'assistant') - 1
  return messages.map((message, index) =>
    index === newest || index === answered
      ? { ...message, providerOptions: { ...message.providerOptions, ...mark } }
      : message,
  )
}
