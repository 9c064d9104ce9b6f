// Turns a prompt into the events that the rules need: messages of the user, notices of the service, and turns with calls
// and their results. Facts and kinds come from `docent` in the provider options.

import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { restoreTags } from '../notices/notice-tags.ts'
import { type NoticeKind, noticeStart, type PresentText } from '../notices/notices.ts'
import type { ResultFacts } from '../tool.ts'
import type { CallResult } from './script.ts'

export type MadeCall = { readonly id: string; readonly tool: string; readonly input: unknown }
export type Event =
  | { readonly kind: 'user'; readonly text: string }
  /** `notice` is undefined in conversations of older releases. */
  | { readonly kind: 'notice'; readonly notice: NoticeKind | undefined; readonly present?: PresentText | undefined }
  | { readonly kind: 'turn'; readonly calls: readonly MadeCall[]; readonly results: ReadonlyMap<string, CallResult> }

export function toEvents(prompt: LanguageModelV4Prompt): Event[] {
  const results = new Map(prompt.flatMap((message) => resultsIn(message)))
  return prompt.flatMap((message): Event[] => {
    if (message.role === 'user') return [toUserEvent(message)]
    if (message.role !== 'assistant') return []
    const calls = message.content.flatMap((part) =>
      part.type === 'tool-call' ? [{ id: part.toolCallId, tool: part.toolName, input: part.input }] : [],
    )
    return calls.length === 0 ? [] : [{ kind: 'turn', calls, results }]
  })
}

function toUserEvent({ content, providerOptions }: Extract<LanguageModelV4Message, { role: 'user' }>): Event {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const notice = providerOptions?.['docent']?.['notice'] as NoticeKind | undefined
  const isNotice = notice !== undefined || text.startsWith(noticeStart)
  const present = providerOptions?.['docent']?.['present'] as PresentText | undefined
  return isNotice ? { kind: 'notice', notice, present } : { kind: 'user', text: restoreTags(text) }
}

function resultsIn(message: LanguageModelV4Message): (readonly [string, CallResult])[] {
  if (message.role !== 'tool') return []
  return message.content.flatMap((part) =>
    part.type === 'tool-result' ? [[part.toolCallId, toCallResult(part)] as const] : [],
  )
}

function toCallResult({ output, providerOptions }: LanguageModelV4ToolResultPart): CallResult {
  const facts = providerOptions?.['docent'] as ResultFacts | undefined
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { text: restoreTags(output.value), isError: output.type === 'error-text', ...(facts ? { facts } : {}) }
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
