// Makes the response of one model readable for another. Reasoning, its signatures and ids of items mean nothing to other
// models, and some refuse a request with them: only text and calls stay, and the calls get ids that every provider
// accepts. Pure: the same turns always give the same messages.

import type { ModelResponse, ModelMessage, ToolCall } from './types.ts'
import { startOf } from '../../lib/plain-text.ts'

export type Portable = { readonly messages: readonly ModelMessage[]; readonly calls: readonly ToolCall[] }

/** `nextId` is called once for each id of a call, in the order of the response. */
export function portable(response: ModelResponse, nextId: () => string): Portable {
  const ids = new Map<string, string>()
  const rename = (id: string): string => {
    const known = ids.get(id) ?? nextId()
    ids.set(id, known)
    return known
  }
  const messages = response.messages.flatMap((message) => portableMessage(message, rename))
  return { messages, calls: response.calls.map((call) => ({ ...call, id: rename(call.id) })) }
}

function portableMessage(message: ModelMessage, rename: (id: string) => string): readonly ModelMessage[] {
  if (message.role === 'assistant') {
    if (typeof message.content === 'string') return [{ role: 'assistant', content: message.content }]
    const content = message.content.flatMap((part) => portablePart(part, rename))
    return content.length === 0 ? [] : [{ role: 'assistant', content }]
  }
  if (message.role !== 'tool') return [message]
  const content = message.content.flatMap((part) => {
    if (part.type !== 'tool-result') return []
    const { type, output } = part
    return [{ type, toolCallId: rename(part.toolCallId), toolName: portableName(part.toolName), output }]
  })
  return content.length === 0 ? [] : [{ role: 'tool', content }]
}

type AssistantPart = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number]

function portablePart(part: AssistantPart, rename: (id: string) => string): AssistantPart[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: part.type, text: part.text }]
  if (part.type !== 'tool-call') return []
  const { type, input } = part
  const toolName = portableName(part.toolName)
  return [{ type, toolCallId: rename(part.toolCallId), toolName, input: isRecord(input) ? input : {} }]
}

/** A model may call a tool that does not exist by a name that another provider refuses. */
function portableName(name: string): string {
  return startOf(name.replace(/[^\w-]/g, '_'), 64) || 'unknown'
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
