// Repairs a response before it is stored: blank text, which Anthropic refuses to take back, several calls with the same
// id, replies in the library's words, and a call that was cut off. Pure.

import type { ModelMessage, ToolCall } from './types.ts'
import { startOf } from '../../lib/plain-text.ts'

export type Parts = { readonly messages: readonly ModelMessage[]; readonly calls: readonly ToolCall[] }

export function withoutBlankText(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.flatMap((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return [message]
    const content = message.content.filter((part) => {
      return part.type !== 'text' || part.providerOptions !== undefined || part.text.trim() !== ''
    })
    return content.length === 0 ? [] : [{ ...message, content }]
  })
}

/** Replaces the library's reply to a call of an unknown tool, or with an input that is not JSON. */
export function withOwnWords(messages: readonly ModelMessage[], tools: readonly string[]): readonly ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== 'tool') return message
    const content = message.content.map((part) => {
      if (part.type !== 'tool-result') return part
      const value = tools.includes(part.toolName)
        ? 'Not run: the input is not valid JSON. Send one JSON object with the fields of the tool.'
        : `There is no tool ${startOf(part.toolName, 100)}. The tools are ${tools.join(', ')}.`
      return { ...part, output: { type: 'error-text' as const, value } }
    })
    return { ...message, content }
  })
}

export type MadeCall = ToolCall & {
  /** True when its input or its tool is wrong; the messages already contain the reply. */
  readonly isInvalid: boolean
}

/** Gives later calls with the same id, and their results, an id of their own. Some servers use one id for all calls. */
export function uniqueIds(messages: readonly ModelMessage[], made: readonly MadeCall[]): Parts {
  const ids = made.map((call, index) => {
    const before = made.slice(0, index).filter((earlier) => earlier.id === call.id).length
    return before === 0 ? call.id : `${call.id}_${before + 1}`
  })
  const calls = made.flatMap(({ isInvalid, ...call }, index) =>
    isInvalid ? [] : [{ ...call, id: ids[index] ?? call.id }],
  )
  if (ids.every((id, index) => id === made[index]?.id)) return { messages, calls }
  // Calls, and the results of invalid ones, are in the order in which they were made.
  const called = [...ids]
  const answered = ids.filter((_, index) => made[index]?.isInvalid)
  return { messages: messages.map((message) => renamed(message, called, answered)), calls }
}

function renamed(message: ModelMessage, called: string[], answered: string[]): ModelMessage {
  if (message.role === 'assistant' && typeof message.content !== 'string') {
    const content = message.content.map((part) =>
      part.type === 'tool-call' ? { ...part, toolCallId: called.shift() ?? part.toolCallId } : part,
    )
    return { ...message, content }
  }
  if (message.role !== 'tool') return message
  const content = message.content.map((part) =>
    part.type === 'tool-result' ? { ...part, toolCallId: answered.shift() ?? part.toolCallId } : part,
  )
  return { ...message, content }
}

/**
 * Drops the last call of a response that ended at its length limit, since it may be incomplete: it gets a reply and is
 * never run.
 */
export function dropCutCall({ messages, calls }: Parts): Parts {
  const last = messages.findLast((message) => message.role === 'assistant')?.content.at(-1)
  if (last === undefined || typeof last === 'string' || last.type !== 'tool-call') return { messages, calls }
  const cut = calls.find((call) => call.id === last.toolCallId)
  if (!cut) return { messages, calls }
  const value = 'Not run: your answer was cut off at its length limit in this call.'
  const output = { type: 'error-text' as const, value }
  const result = { type: 'tool-result' as const, toolCallId: cut.id, toolName: cut.name, output }
  return { messages: [...messages, { role: 'tool', content: [result] }], calls: calls.filter((call) => call !== cut) }
}
