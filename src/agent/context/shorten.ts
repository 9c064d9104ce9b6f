// Shortens messages that are no longer new: results of tools, and what the model itself wrote (texts and the inputs of
// its calls). A shortened call stays a valid call: the same id, tool and fields, and a text stays a text. Pure.

import { mapStrings } from '../../lib/outbound/map-strings.ts'
import type { ModelMessage } from '../model/types.ts'
import { startOf } from '../../lib/plain-text.ts'

type Content<Role> = Exclude<Extract<ModelMessage, { role: Role }>['content'], string>
type AnswerPart = Content<'assistant'>[number]
type ResultPart = Content<'tool'>[number]

/** Longer strings are shortened to their beginning. */
const longestKept = 200
const beginning = 80
/** Longer inputs, of many short strings, also lose the elements of their lists after the first three. */
const longestInput = 2_000
const elementsKept = 3

const mark = /… \[shortened to make room: \d+ characters; the file has the text\]/

/** Whether a text holds the mark of a shortened input: the model copied it instead of the text that was there. */
export function holdsMark(text: string): boolean {
  return mark.test(text)
}

/** Returns the message itself when it would not get shorter. */
export function shorten(message: ModelMessage): ModelMessage {
  if (message.role === 'tool') return { ...message, content: message.content.map(shortenResult) }
  if (message.role !== 'assistant') return message
  const content = typeof message.content === 'string' ? cut(message.content) : message.content.flatMap(shortenPart)
  if (content.length === 0 || sizeOf(content) >= sizeOf(message.content)) return message
  return { role: 'assistant', content }
}

/** Returns the results of a message cut to `characters` in all, or less. */
export function cutResults(message: ModelMessage, characters: number): ModelMessage {
  if (message.role !== 'tool') return message
  const share = Math.floor(characters / message.content.length) - longestKept
  return { ...message, content: message.content.map((part) => cutResult(part, Math.max(0, share))) }
}

/** The size of a message's content in a request, in characters. */
export function sizeOf(content: ModelMessage['content']): number {
  return JSON.stringify(content).length
}

function shortenResult(part: ResultPart): ResultPart {
  if (part.type !== 'tool-result') return part
  const size = JSON.stringify(part.output).length
  const value = `[elided to make room: a result of ${size} characters; call ${part.toolName} again if you need it]`
  const type = part.output.type === 'error-text' ? 'error-text' : 'text'
  return size <= value.length ? part : { ...part, output: { type, value } }
}

function cutResult(part: ResultPart, characters: number): ResultPart {
  if (part.type !== 'tool-result') return part
  const { output } = part
  if (output.type !== 'text' && output.type !== 'error-text') return part
  // A character may take more than one in JSON.
  const escaped = JSON.stringify(output.value).length / Math.max(1, output.value.length)
  const end = Math.floor(characters / escaped)
  if (output.value.length <= end) return part
  const words = `[cut to make room: the first ${end} of ${output.value.length} characters; ask for smaller parts]`
  return { ...part, output: { ...output, value: `${words}\n${startOf(output.value, end)}` } }
}

/**
 * Leaves out what a provider signed (reasoning, ids of items), because it belongs to the answer as it was. The rest is
 * what another model would read, which every provider accepts.
 */
function shortenPart(part: AnswerPart): readonly AnswerPart[] {
  const { type } = part
  if (type === 'text') return [{ type, text: cut(part.text) }]
  if (type === 'reasoning') return part.providerOptions === undefined ? [{ type, text: cut(part.text) }] : []
  if (type !== 'tool-call') return [part]
  const { toolCallId, toolName } = part
  return [{ type, toolCallId, toolName, input: cutInput(part.input) }]
}

function cutInput(input: unknown): unknown {
  const short = mapStrings(input, cut)
  return (JSON.stringify(short) ?? '').length > longestInput ? cutLists(short) : short
}

function cutLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, elementsKept).map(cutLists)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cutLists(one)]))
}

function cut(text: string): string {
  if (text.length <= longestKept) return text
  const words = `[shortened to make room: ${text.length} characters; the file has the text]`
  return `${startOf(text, beginning)}… ${words}`
}
