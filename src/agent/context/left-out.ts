// The notice that stands for the oldest turns of a run when even their shortened form takes too much room: a list of the
// calls that were made in them, each once. Pure.

import type { ModelMessage } from '../model/types.ts'
import { notice, showMessage } from '../notices/notices.ts'
import { shorten } from '../../lib/plain-text.ts'

/** How often each call was made, by the line that describes it. */
export type LeftOut = { readonly turns: number; readonly calls: ReadonlyMap<string, number> }

export const nothingLeftOut: LeftOut = { turns: 0, calls: new Map() }

const longestLine = 80
/** The oldest of more lines are not listed. */
const mostLines = 150

/** Adds the calls of a turn: an answer and the results of its calls. */
export function leaveOut({ turns, calls }: LeftOut, messages: readonly ModelMessage[]): LeftOut {
  const refused = new Set(messages.flatMap(findRefused))
  const lines = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? content.flatMap((part) => toLine(part, refused)) : [],
  )
  const counted = new Map(calls)
  for (const line of lines) counted.set(line, (counted.get(line) ?? 0) + 1)
  return { turns: turns + 1, calls: new Map([...counted].slice(-mostLines)) }
}

/** Returns the notice as the model reads it. */
export function sayLeftOut({ turns, calls }: LeftOut, nonce: string): ModelMessage {
  const lines = [...calls].map(([line, times]) => (times === 1 ? line : `${line} (${times} times)`))
  const head = `${turns} earlier turns were left out to make room. Their edits are in the files, except those of refused calls. Calls that they made:`
  return showMessage(notice('left_out', [head, ...lines].join('\n')), nonce)
}

type AnswerPart = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number]

/** The ids of the calls that changed nothing. */
function findRefused({ role, content }: ModelMessage): readonly string[] {
  if (role !== 'tool') return []
  return content.flatMap((part) =>
    part.type === 'tool-result' && part.output.type === 'error-text' ? [part.toolCallId] : [],
  )
}

function toLine(part: AnswerPart, refused: ReadonlySet<string>): readonly string[] {
  if (part.type !== 'tool-call') return []
  const { input } = part
  const first = typeof input === 'object' && input !== null ? Object.values(input).find(isText) : undefined
  const line = `${part.toolName}${first === undefined ? '' : ` ${JSON.stringify(first)}`}`
  return [`${shorten(line, longestLine)}${refused.has(part.toolCallId) ? ' (refused)' : ''}`]
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}
