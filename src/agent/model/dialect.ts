// How requests differ between providers: their options, and where a prompt cache may end. Pure.
// The beginning of a request is the same from turn to turn (instructions, tools, then the conversation, which only
// grows), so that a provider's cache stays useful.

import type { ModelMessage, ModelRequest } from './types.ts'

type Options = NonNullable<ModelMessage['providerOptions']>

export type Dialect = {
  readonly options: (request: ModelRequest) => Options
  /** Marks where a cached prefix ends; undefined: the provider finds the end itself, or has no cache. */
  readonly cacheMark: Options | undefined
  /** Without it: the provider's own default. */
  readonly maxOutputTokens?: number
}

export const plainDialect: Dialect = { options: () => ({}), cacheMark: undefined }

/**
 * At most four marks are allowed; three are used. Entries live for five minutes from their last use. The API wants a
 * limit of the output: the library lowers this one to what a model takes that it knows, and would give 4,096 to others.
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
}

/**
 * The messages with a mark on the newest one, which the next turn will read from the cache, and on the last one of
 * the request before, which this turn reads: a provider looks back only some twenty parts from a mark.
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
