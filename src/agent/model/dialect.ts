// How requests differ between providers: options, and where the cached prefix ends. Pure. Each request of a job starts
// with the same text as the one before it (instructions, tools, then a conversation that only grows), so the provider
// can serve it from its cache.

import type { ModelMessage, ModelRequest } from './types.ts'
import { startOf } from '../../lib/plain-text.ts'

type Options = NonNullable<ModelMessage['providerOptions']>

export type Dialect = {
  readonly options: (request: ModelRequest) => Options
  /** Marks where a cached prefix ends; undefined if the provider finds the end itself or has no cache. */
  readonly cacheMark: Options | undefined
  /** When absent, the provider's own default applies. */
  readonly maxOutputTokens?: number
  /** The smallest output limit that the provider accepts. */
  readonly leastOutputTokens?: number
}

export const plainDialect: Dialect = { options: () => ({}), cacheMark: undefined }

/**
 * The API allows four marks; three are used. A cache entry expires five minutes after its last use. The API requires an
 * output limit. The library lowers `maxOutputTokens` to the limit of the model if it knows the model. Without it, the
 * library would send 4,096 for a model that it does not know.
 */
export const anthropicDialect: Dialect = {
  options: () => ({}),
  maxOutputTokens: 64_000,
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
}

/**
 * The provider stores nothing (`store: false`): it returns its reasoning encrypted, and the service stores that with the
 * turn. `promptCacheKey` routes all requests of a job to the same cache.
 */
export const openaiDialect: Dialect = {
  options: ({ cacheKey }) => ({
    openai: { store: false, ...(cacheKey === undefined ? {} : { promptCacheKey: startOf(cacheKey, 64) }) },
  }),
  cacheMark: undefined,
  leastOutputTokens: 16,
}

/**
 * Marks two messages: the newest one, up to which the next turn will read from the cache, and the last one of the
 * previous request, up to which this turn reads. One mark is not enough, because a provider looks back only about twenty
 * parts from a mark.
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
