// One turn of a language model: the boundary, and the one file that meets the AI SDK.
// A model sees instructions, a conversation and tools, and answers with text and tool calls. It runs nothing.

import { APICallError, type FinishReason, type LanguageModel, type ModelMessage, streamText, type ToolSet } from 'ai'
import type { Clock } from '../lib/clock.ts'
import { Failure } from '../lib/failure.ts'
import type { Tool } from './tool.ts'

export type { ModelMessage } from 'ai'

/** A call that has a known tool and a valid input; what is not that, the answer's messages answer already. */
export type ToolCall = { readonly id: string; readonly name: string; readonly input: unknown }

/** Survives JSON: it is stored unchanged, with what a provider needs to go on (ids, reasoning, signatures). */
export type ModelAnswer = {
  readonly messages: readonly ModelMessage[]
  readonly calls: readonly ToolCall[]
  readonly text: string
  readonly finishReason: FinishReason
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number }
}

export type ModelRequest = {
  readonly instructions: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly Tool[]
}

export interface Model {
  /** `provider/model`. */
  readonly id: string
  /** How many tokens a request may hold; Infinity when there is no limit. */
  readonly contextTokens: number
  /**
   * Asks once, with retries of what may pass. Throws `model_unavailable`, `model_refused`, `model_not_configured`,
   * `context_exceeded`; when `signal` is aborted, its reason.
   */
  answer(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>
}

export type ModelOptions = {
  readonly id: string
  readonly contextTokens: number
  readonly clock: Clock
  /** No answer takes longer. */
  readonly timeoutMs: number
}

const attempts = 3
const longestWaitMs = 60_000

export function createModel(provider: Exclude<LanguageModel, string>, options: ModelOptions): Model {
  return {
    id: options.id,
    contextTokens: options.contextTokens,
    answer: async (request, signal) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await ask(provider, request, AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]))
        } catch (error) {
          if (signal.aborted) throw signal.reason
          const { failure, waitMs } = classify(error, attempt)
          if (waitMs === undefined || attempt === attempts) throw failure
          await options.clock.sleep(waitMs, signal)
        }
      }
    },
  }
}

async function ask(
  model: Exclude<LanguageModel, string>,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const result = streamText({
    model,
    instructions: request.instructions,
    messages: [...request.messages],
    tools: toToolSet(request.tools),
    maxRetries: 0,
    abortSignal: signal,
    onError: () => undefined,
  })
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw signal.reason
  }
  const [messages, calls, text, finishReason, usage] = await Promise.all([
    result.responseMessages,
    result.toolCalls,
    result.text,
    result.finishReason,
    result.usage,
  ])
  return {
    messages,
    calls: calls
      .filter((call) => !isInvalid(call))
      .map((call) => ({ id: call.toolCallId, name: call.toolName, input: call.input })),
    text,
    finishReason,
    usage: { inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 },
  }
}

function toToolSet(tools: readonly Tool[]): ToolSet {
  return Object.fromEntries(
    tools.map((tool) => [tool.name, { description: tool.description, inputSchema: tool.input }]),
  )
}

function isInvalid(call: object): boolean {
  return 'invalid' in call && call.invalid === true
}

type Classified = { readonly failure: Failure; readonly waitMs: number | undefined }

/** What an error of a provider means, and how long to wait before the next try (undefined: none). */
function classify(error: unknown, attempt: number): Classified {
  const found = findFailure(error)
  if (found) return { failure: found, waitMs: undefined }
  if (!APICallError.isInstance(error)) return unavailable(error, 'The model gave no whole answer', backoffMs(attempt))
  const status = error.statusCode
  const words = error.message.slice(0, 300)
  if (error.isRetryable) {
    const wait = retryAfterMs(error.responseHeaders) ?? backoffMs(attempt)
    return unavailable(error, `The model is not available (${status ?? 'connection lost'}): ${words}`, wait)
  }
  if (status === 401 || status === 403 || status === 404) {
    return refused(error, 'model_not_configured', `The model's server refuses the key or the model's name: ${words}`)
  }
  if (status === 402) return unavailable(error, `The model's account has no credit: ${words}`, undefined)
  if (/context|too long|maximum.*tokens/i.test(words)) return refused(error, 'context_exceeded', words)
  return refused(error, 'model_refused', `The model's server refuses the request (${status}): ${words}`)
}

function refused(
  cause: unknown,
  code: 'model_not_configured' | 'context_exceeded' | 'model_refused',
  message: string,
): Classified {
  return { failure: new Failure(code, message, { cause }), waitMs: undefined }
}

function unavailable(cause: unknown, message: string, waitMs: number | undefined): Classified {
  return { failure: new Failure('model_unavailable', message, { cause }), waitMs }
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

function retryAfterMs(headers: Readonly<Record<string, string>> | undefined): number | undefined {
  const seconds = Number(headers?.['retry-after'])
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, longestWaitMs) : undefined
}
