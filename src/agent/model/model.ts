// One turn of a language model: the boundary, and the one file that meets the AI SDK.
// A model sees instructions, a conversation and tools, and answers with text and tool calls. It runs nothing.

import { APICallError, type LanguageModel, StreamProviderError, streamText, type ToolSet } from 'ai'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { dropCutCall, uniqueIds, withoutBlankText } from './repair-answer.ts'
import { type Dialect, markForCache } from './dialect.ts'
import { classify, type Classified } from './model-failure.ts'
import { costUsd, isPriced, type ModelFacts, type Usage } from './prices.ts'
import type { Tool } from '../tool.ts'
import type { Model, ModelAnswer, ModelRequest } from './types.ts'

export type ModelOptions = {
  readonly id: string
  readonly contextTokens: number
  readonly facts: ModelFacts | undefined
  readonly dialect: Dialect
  readonly clock: Clock
  /** No answer takes longer, also one that trickles. */
  readonly timeoutMs: number
  /** The key of the provider: no failure says it. */
  readonly secret?: string | undefined
}

type Provider = Exclude<LanguageModel, string>
type Answered = Omit<ModelAnswer, 'model' | 'usage'> & {
  readonly usage: Usage
  /** False: the provider did not say what the answer took, and zeros stand for it. */
  readonly isMetered: boolean
}

const attempts = 3

export function createModel(provider: Provider, options: ModelOptions): Model {
  const { id, clock, facts } = options
  // The library would write to the console what a provider does not support.
  globalThis.AI_SDK_LOG_WARNINGS = false
  return {
    id,
    contextTokens: options.contextTokens,
    isPriced: () => isPriced(facts, clock.now()),
    answer: async (request, signal) => {
      const { usage, isMetered, ...answered } = await askPatiently(provider, options, request, signal)
      const cost = isMetered ? costUsd(facts, usage, clock.now()) : null
      return { model: id, ...answered, usage: { ...usage, costUsd: cost } }
    },
  }
}

async function askPatiently(
  provider: Provider,
  options: ModelOptions,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Answered> {
  for (let attempt = 1; ; attempt += 1) {
    const heard = { any: false }
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)])
      return await ask(provider, options.dialect, listenOnce(request, heard), limited)
    } catch (error) {
      if (heard.any) request.listener?.discarded()
      if (signal.aborted) throw signal.reason
      const { failure, wait } = explain(error, options)
      if (wait === undefined || attempt === attempts) throw failure
      await options.clock.sleep(wait === 'soon' ? backoffMs(attempt) : wait, signal)
    }
  }
}

function listenOnce(request: ModelRequest, heard: { any: boolean }): ModelRequest {
  const { listener } = request
  if (!listener) return request
  const text = (delta: string) => {
    heard.any = true
    listener.text(delta)
  }
  return { ...request, listener: { text, discarded: () => listener.discarded() } }
}

async function ask(model: Provider, dialect: Dialect, request: ModelRequest, signal: AbortSignal): Promise<Answered> {
  const { instructions, messages, tools, listener } = request
  const { cacheMark } = dialect
  const result = streamText({
    model,
    // The tools stand before the instructions in what Anthropic caches: one mark ends the prefix of both.
    instructions: cacheMark ? { role: 'system', content: instructions, providerOptions: cacheMark } : instructions,
    messages: [...(cacheMark ? markForCache(messages, cacheMark) : messages)],
    tools: toToolSet(tools),
    providerOptions: dialect.options(request),
    ...(dialect.maxOutputTokens === undefined ? {} : { maxOutputTokens: dialect.maxOutputTokens }),
    maxRetries: 0,
    abortSignal: signal,
    onError: () => undefined,
  })
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw signal.reason
    if (part.type === 'text-delta' && part.text !== '') listener?.text(part.text)
  }
  const finishReason = await result.finishReason
  if (finishReason === 'interrupted' || finishReason === 'error') throw new Error('the stream ended before the answer')
  const [responseMessages, calls, text, usage] = await Promise.all([
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
  const unique = uniqueIds(withoutBlankText(responseMessages), made)
  const whole = finishReason === 'length' ? dropCutCall(unique) : unique
  const isMetered = usage.inputTokens !== undefined && usage.outputTokens !== undefined
  return { ...whole, text, finishReason, usage: toUsage(usage), isMetered }
}

type SdkUsage = Awaited<ReturnType<typeof streamText>['usage']>

function toUsage(usage: SdkUsage): Usage {
  return {
    inputTokens: usage.inputTokens ?? 0,
    cachedInputTokens: usage.inputTokenDetails.cacheReadTokens ?? 0,
    cacheWriteTokens: usage.inputTokenDetails.cacheWriteTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
  }
}

function toToolSet(tools: readonly Tool[]): ToolSet {
  return Object.fromEntries(
    tools.map((tool) => [tool.name, { description: tool.description, inputSchema: tool.input }]),
  )
}

/** Every error as a failure with a code. The error itself is its cause, for the log. */
function explain(error: unknown, { clock, secret }: ModelOptions): Classified {
  const own = findFailure(error)
  if (own) return { failure: own, wait: undefined }
  const { failure, wait } = classifyAny(error, clock.now(), (words) => withoutSecret(words, secret))
  const { code, message, retryAfter } = failure
  const again = retryAfter === undefined ? {} : { retryAfter }
  return { failure: new Failure(code, message, { cause: error, ...again }), wait }
}

function classifyAny(error: unknown, now: Date, told: (words: string) => string): Classified {
  if (APICallError.isInstance(error)) {
    const { message: words, statusCode = 0, responseHeaders: headers } = error
    // A stream that is cut has the status of its beginning: 200.
    const status = statusCode >= 400 ? statusCode : undefined
    return classify({ status, words: told(words), details: `${words} ${error.responseBody ?? ''}`, headers }, now)
  }
  if (StreamProviderError.isInstance(error)) {
    const { statusCode = 500, message, type, code } = error
    const details = `${type} ${code} ${message}`
    return classify({ status: statusCode, words: told(message), details, headers: undefined }, now)
  }
  return { failure: new Failure('model_unavailable', 'The model gave no whole answer.'), wait: 'soon' }
}

const shortestSecret = 8

/** Some servers quote the key that they refuse. A shorter one than eight characters may be a word by chance. */
function withoutSecret(words: string, secret = ''): string {
  return secret.length < shortestSecret ? words : words.replaceAll(secret, '[key]')
}

/** A model of our own throws Failures; the SDK may have wrapped them. */
function findFailure(error: unknown): Failure | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof Failure) return at
  }
  return undefined
}

function backoffMs(attempt: number): number {
  return 500 * 2 ** (attempt - 1) * (0.5 + Math.random())
}
