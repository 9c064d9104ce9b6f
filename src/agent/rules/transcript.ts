// The prompt of a model call as the events that matter to the rules: what the user said, what the service said, and
// the turns in which calls were made, with the answers that came.

import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import type { Answer } from './script.ts'

export type MadeCall = { readonly id: string; readonly tool: string; readonly input: unknown }
export type Event =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'turn'; readonly calls: readonly MadeCall[]; readonly answers: ReadonlyMap<string, Answer> }

export function toEvents(prompt: LanguageModelV4Prompt): Event[] {
  const answers = new Map(prompt.flatMap((message) => answersIn(message)))
  return prompt.flatMap((message): Event[] => {
    if (message.role === 'user') return [toUserEvent(message.content)]
    if (message.role !== 'assistant') return []
    const calls = message.content.flatMap((part) =>
      part.type === 'tool-call' ? [{ id: part.toolCallId, tool: part.toolName, input: part.input }] : [],
    )
    return calls.length === 0 ? [] : [{ kind: 'turn', calls, answers }]
  })
}

function toUserEvent(content: Extract<LanguageModelV4Message, { role: 'user' }>['content']): Event {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return { kind: /^\s*<notice>/.test(text) ? 'notice' : 'user', text }
}

function answersIn(message: LanguageModelV4Message): (readonly [string, Answer])[] {
  if (message.role !== 'tool') return []
  return message.content.flatMap((part) =>
    part.type === 'tool-result' ? [[part.toolCallId, toAnswer(part)] as const] : [],
  )
}

function toAnswer({ output }: LanguageModelV4ToolResultPart): Answer {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { text: output.value, isError: output.type === 'error-text' }
    case 'json':
    case 'error-json':
      return { text: JSON.stringify(output.value), isError: output.type === 'error-json' }
    case 'execution-denied':
      return { text: output.reason ?? 'Denied.', isError: true }
    case 'content':
    default:
      return {
        text: output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
        isError: false,
      }
  }
}
