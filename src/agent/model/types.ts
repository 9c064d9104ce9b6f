// The boundary between the agent and a language model: a model sees instructions, a conversation and tools, and
// responses with text and tool calls. It runs nothing. The message type is the AI SDK's; nothing else of it is here.

import type { FinishReason, ModelMessage } from 'ai'
import type { Tool } from '../tool.ts'
import type { Usage } from './prices.ts'

export type { ModelMessage } from 'ai'

/** A call of a known tool; its input is JSON. The response's own messages already reply to any other call. */
export type ToolCall = { readonly id: string; readonly name: string; readonly input: unknown }

/** Survives JSON: it is stored unchanged, with what the provider needs later (ids, reasoning, signatures). */
export type ModelResponse = {
  /** The id of the model that gave the response. Another model understands only its text and its calls. */
  readonly model: string
  readonly messages: readonly ModelMessage[]
  readonly calls: readonly ToolCall[]
  readonly text: string
  readonly finishReason: FinishReason
  /** `costUsd`: null when no price is known. */
  readonly usage: Usage & { readonly costUsd: number | null }
}

/** Receives the text of a response while it arrives; never the input of a tool. Must not throw. */
export interface TextListener {
  text(delta: string): void
  /** Discard the text received so far: the response was cut off and may be requested again. */
  discarded(): void
}

/**
 * An attempt whose response began, but did not end: the provider may charge for it, so it counts.
 * `cause`: a time limit cut it, the connection or the provider broke it, or the run was cancelled or handed back.
 */
export type FailedAttempt = {
  readonly id: string
  readonly model: string
  readonly cause: 'limit' | 'broken' | 'stopped'
  readonly usage: ModelResponse['usage']
  /** Whether `usage` is estimated, because the provider did not report it. */
  readonly isEstimate: boolean
}

export type ModelRequest = {
  readonly instructions: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly Tool[]
  /** The same for all requests of one conversation, so that a provider can find its prompt cache. */
  readonly cacheKey?: string | undefined
  readonly listener?: TextListener | undefined
  /** The output limit in tokens. Default: the provider's. Raised to the smallest limit that the provider accepts. */
  readonly maxOutputTokens?: number
  /** The attempts at this response that failed before. They limit how often it is requested again. */
  readonly failed?: readonly FailedAttempt[]
  /** Called for every attempt whose response began but did not end, before the next one. Also when the signal is aborted. */
  readonly saveAttempt?: (attempt: FailedAttempt) => Promise<void>
}

export interface Model {
  /** `provider/model`. */
  readonly id: string
  /** How many tokens a request may hold; Infinity when there is no limit. */
  readonly contextTokens: number
  /** Whether a price is known. Without a price, a budget in money cannot be enforced. */
  isPriced(): boolean
  /**
   * Requests one response, and retries after failures that may pass. Throws `model_unavailable`, `model_refused`,
   * `model_not_configured` or `context_exceeded`; when `signal` is aborted, its reason.
   */
  respond(request: ModelRequest, signal: AbortSignal): Promise<ModelResponse>
}
