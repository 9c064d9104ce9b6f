// Turns a prompt into the events that the rules need: messages of the user, notices of the service, and turns with calls
// and their results. Facts and kinds come from `docent` in the provider options.

import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { type NoticeKind, noticeTag } from '../notices.ts'
import type { ResultFacts } from '../tool.ts'
import type { Answer } from './script.ts'

export type MadeCall = { readonly id: string; readonly tool: string; readonly input: unknown }
export type Event =
  | { readonly kind: 'user'; readonly text: string }
  /** `notice` is undefined in conversations of older releases. */
  | { readonly kind: 'notice'; readonly notice: NoticeKind | undefined }
  | { readonly kind: 'turn'; readonly calls: readonly MadeCall[]; readonly answers: ReadonlyMap<string, Answer> }

export function toEvents(prompt: LanguageModelV4Prompt): Event[] {
  const answers = new Map(prompt.flatMap((message) => answersIn(message)))
  return prompt.flatMap((message): Event[] => {
    if (message.role === 'user') return [toUserEvent(message)]
    if (message.role !== 'assistant') return []
    const calls = message.content.flatMap((part) =>
      part.type === 'tool-call' ? [{ id: part.toolCallId, tool: part.toolName, input: part.input }] : [],
    )
    return calls.length === 0 ? [] : [{ kind: 'turn', calls, answers }]
  })
}

function toUserEvent({ content, providerOptions }: Extract<LanguageModelV4Message, { role: 'user' }>): Event {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  if (!text.startsWith(noticeTag)) return { kind: 'user', text }
  return { kind: 'notice', notice: providerOptions?.['docent']?.['notice'] as NoticeKind | undefined }
}

function answersIn(message: LanguageModelV4Message): (readonly [string, Answer])[] {
  if (message.role !== 'tool') return []
  return message.content.flatMap((part) =>
    part.type === 'tool-result' ? [[part.toolCallId, toAnswer(part)] as const] : [],
  )
}

function toAnswer({ output, providerOptions }: LanguageModelV4ToolResultPart): Answer {
  const facts = providerOptions?.['docent'] as ResultFacts | undefined
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { text: output.value, isError: output.type === 'error-text', ...(facts ? { facts } : {}) }
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
