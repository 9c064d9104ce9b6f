// Requests one response and reads its stream to the end. The file that calls the AI SDK: it hands the text on while it
// arrives, gives up on a response that grows without end, and returns what is stored of a complete one.

import { jsonSchema, type LanguageModel, type ModelMessage, streamText, type ToolSet } from 'ai'
import { mapStrings } from '../../lib/outbound/map-strings.ts'
import type { Tool } from '../tool.ts'
import { inputSchemaOf } from '../tools/input-schema.ts'
import { type Dialect, markForCache } from './dialect.ts'
import { tooLarge } from './guarded-fetch.ts'
import { dropCutCall, uniqueIds, withOwnWords, withoutBlankText } from './repair-response.ts'
import type { ModelResponse, ModelRequest } from './types.ts'
import { type Metered, toMetered } from './usage.ts'

export type Provider = Exclude<LanguageModel, string>
export type Streamed = Omit<ModelResponse, 'model' | 'usage'> & Metered

/**
 * Limit on text, reasoning and tool inputs together. No model writes this much in one response, and all of it is in
 * memory.
 */
const maxCharacters = 16_000_000

/** How far a response came; filled while it is read. */
export type Progress = {
  hasBegun: boolean
  /** Characters of text, reasoning and tool inputs. */
  characters: number
  /** The usage that the provider has reported. */
  metered: Metered | undefined
}

/** Throws what the SDK throws, the reason of `signal`, or `model_refused` for a response that is too large. */
export async function streamResponse(
  model: Provider,
  dialect: Dialect,
  request: ModelRequest & { readonly progress: Progress },
  signal: AbortSignal,
): Promise<Streamed> {
  const { progress } = request
  const stop = new AbortController()
  const result = start(model, dialect, request, AbortSignal.any([signal, stop.signal]))
  try {
    for await (const part of result.stream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'abort') throw signal.reason
      progress.hasBegun ||= outputParts.has(part.type)
      progress.characters += sizeOf(part)
      if (part.type === 'finish-step') progress.metered = toMetered(part.usage)
      if (progress.characters > maxCharacters) throw tooLarge(maxCharacters)
      if (part.type === 'text-delta' && part.text !== '') request.listener?.text(part.text)
    }
    return await collect(result, request)
  } finally {
    // Ends the connection of an abandoned response, which would otherwise continue to receive.
    stop.abort()
  }
}

type Started = ReturnType<typeof start>
type Part = Started['stream'] extends AsyncIterable<infer One> ? One : never

function start(model: Provider, dialect: Dialect, request: ModelRequest, abortSignal: AbortSignal) {
  const { tools } = request
  const { cacheMark } = dialect
  const instructions = request.instructions.toWellFormed()
  const messages = request.messages.map(wellFormed)
  return streamText({
    model,
    // Anthropic caches the tools before the instructions: one mark ends the prefix of both.
    instructions: cacheMark ? { role: 'system', content: instructions, providerOptions: cacheMark } : instructions,
    messages: [...(cacheMark ? markForCache(messages, cacheMark) : messages)],
    tools: toToolSet(tools),
    providerOptions: dialect.options(request),
    ...outputLimit(dialect, request),
    maxRetries: 0,
    abortSignal,
    onError: () => undefined,
  })
}

/** Providers refuse a body with half of a surrogate pair as no JSON; text of a repository may have one. */
function wellFormed(message: ModelMessage): ModelMessage {
  return mapStrings(message, (text) => text.toWellFormed())
}

const outputParts: ReadonlySet<Part['type']> = new Set([
  'text-start',
  'text-delta',
  'reasoning-start',
  'reasoning-delta',
  'tool-input-start',
  'tool-input-delta',
  'tool-call',
])

function outputLimit({ maxOutputTokens, leastOutputTokens = 1 }: Dialect, request: ModelRequest) {
  const wanted = request.maxOutputTokens
  const limit = wanted === undefined ? maxOutputTokens : Math.max(wanted, leastOutputTokens)
  return limit === undefined ? {} : { maxOutputTokens: limit }
}

function sizeOf(part: Part): number {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text.length
  return part.type === 'tool-input-delta' ? part.delta.length : 0
}

async function collect(result: Started, request: ModelRequest): Promise<Streamed> {
  const finishReason = await result.finishReason
  if (finishReason === 'interrupted' || finishReason === 'error') throw new Error('the stream ended before the answer')
  const [messages, calls, text, usage] = await Promise.all([
    result.responseMessages,
    result.toolCalls,
    result.text,
    result.usage,
  ])
  const made = calls.map((call) => ({
    id: call.toolCallId,
    name: call.toolName,
    input: call.input as unknown,
    isInvalid: 'invalid' in call && call.invalid === true,
  }))
  const known = request.tools.map(({ name }) => name)
  const unique = uniqueIds(withOwnWords(withoutBlankText(messages), known), made)
  const repaired = finishReason === 'length' ? dropCutCall(unique) : unique
  return { ...repaired, text, finishReason, ...toMetered(usage) }
}

function toToolSet(tools: readonly Tool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [name, { description, inputSchema: jsonSchema(inputSchemaOf(input)) }]),
  )
}
