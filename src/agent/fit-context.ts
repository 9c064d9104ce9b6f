// Fits a conversation into a model's context by eliding the oldest tool results, always in the same way, so that a
// provider's prompt cache keeps its prefix. Pure.

import { Failure } from '../lib/failure.ts'
import type { ModelMessage } from './model/types.ts'

/** Characters per token, a low estimate for English prose and code (published measurements: 3.2 to 4.5). */
const charactersPerToken = 3
/**
 * When the context passes the first share, results are elided until it is below the second, so that steps are rare and
 * large.
 */
const highShare = 0.85
const lowShare = 0.6

/**
 * Returns the messages with as many of the oldest tool results elided as necessary, but never in the newest message.
 * Throws `context_exceeded` when that is not enough. `fixedCharacters`: instructions and tools.
 */
export function fitContext(
  messages: readonly ModelMessage[],
  contextTokens: number,
  fixedCharacters: number,
): readonly ModelMessage[] {
  if (contextTokens === Infinity) return messages
  const limit = contextTokens * charactersPerToken
  const fitted: ModelMessage[] = []
  const sizes: number[] = []
  let total = fixedCharacters
  let next = 0
  for (const message of messages) {
    fitted.push(message)
    sizes.push(sizeOf(message))
    total += sizes.at(-1) ?? 0
    if (total <= limit * highShare) continue
    while (total > limit * lowShare && next < fitted.length - 1) {
      const elided = elide(fitted[next] ?? message)
      total -= (sizes[next] ?? 0) - sizeOf(elided)
      fitted[next] = elided
      sizes[next] = sizeOf(elided)
      next += 1
    }
  }
  if (total <= limit) return fitted
  throw new Failure('context_exceeded', 'The conversation does not fit into the context of the model any more.')
}

function elide(message: ModelMessage): ModelMessage {
  if (message.role !== 'tool') return message
  return {
    ...message,
    content: message.content.map((part) => {
      if (part.type !== 'tool-result') return part
      const size = JSON.stringify(part.output).length
      const value = `[elided to make room: a result of ${size} characters; call ${part.toolName} again if you need it]`
      return size <= value.length ? part : { ...part, output: { type: 'text' as const, value } }
    }),
  }
}

function sizeOf(message: ModelMessage): number {
  return JSON.stringify(message.content).length
}
