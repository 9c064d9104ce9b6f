// The conversation with a model as it is stored: turn by turn, and as the messages that the next request holds.
// Pure. The transcript is the state of a run; nothing about a run is remembered elsewhere.

import { portable } from './model/portable-response.ts'
import type { FailedAttempt, ModelResponse, ModelMessage, ToolCall } from './model/types.ts'
import { escapeTags } from './notices/notice-tags.ts'
import { showMessage } from './notices/notices.ts'
import type { ResultFacts } from './tool.ts'

/** The result of one tool call. `facts` are for programs. */
export type StoredResult = {
  readonly callId: string
  readonly tool: string
  readonly text: string
  readonly isError: boolean
  readonly facts?: ResultFacts
}

/** One turn: its input, the model's response, and the results of its calls, stored in this order. */
export type Turn = {
  readonly number: number
  readonly input: readonly ModelMessage[]
  /** The attempts at the response that failed after it began. They count. */
  readonly failed?: readonly FailedAttempt[]
  readonly response: ModelResponse | undefined
  readonly results: readonly StoredResult[] | undefined
}

export function userMessage(text: string): ModelMessage {
  return { role: 'user', content: text }
}

/** Turns become messages one by one, in order. */
export interface Messages {
  /** Returns what the model reads before it responds. */
  input(turn: Turn): readonly ModelMessage[]
  /** Returns its response and the results of its calls. */
  response(turn: Turn): readonly ModelMessage[]
}

/**
 * Shows turns as this model reads them: its own responses unchanged, those of other models as text and calls. A call
 * without a result (the run ended there) is answered as not run. Notices of earlier runs carry the nonce of this one as
 * well; everything that others wrote is escaped.
 */
export function createMessages(model: string, nonce: string): Messages {
  const renamed = { calls: 0 }
  const nextId = () => `call_${(renamed.calls += 1)}`
  return {
    input: ({ input }) => input.map((message) => showMessage(message, nonce)),
    response: ({ response, results }) => {
      if (!response) return []
      const { messages, calls } = response.model === model ? response : portable(response, nextId)
      const stored = response.calls.map((call) => results?.find((result) => result.callId === call.id))
      return [...messages, ...resultMessages(calls, stored)]
    },
  }
}

/** `results`: in the order of the calls. */
function resultMessages(
  calls: readonly ToolCall[],
  results: readonly (StoredResult | undefined)[],
): readonly ModelMessage[] {
  if (calls.length === 0) return []
  return [
    {
      role: 'tool',
      content: calls.map((call, index) => {
        const result = results[index]
        const text = escapeTags(result?.text ?? 'Not run: the run ended before this call.')
        const type = result && !result.isError ? ('text' as const) : ('error-text' as const)
        const output = { type, value: text }
        return { type: 'tool-result' as const, toolCallId: call.id, toolName: call.name, output, ...own(result?.facts) }
      }),
    },
  ]
}

/** Facts travel under our own name: no provider sees them, `docent/rules` does. */
function own(facts: ResultFacts | undefined) {
  return facts === undefined ? {} : { providerOptions: { docent: { ...facts } } }
}
