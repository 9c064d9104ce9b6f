// Runs the tool calls of one turn, one after another. An error of a tool becomes a result for the model, unless the
// same call could work later (an unreachable repository, a fault of the service).

import { Failure } from '../lib/failure.ts'
import type { Problem } from './checks.ts'
import type { ToolCall } from './model/types.ts'
import { holdsMark } from './context/shorten.ts'
import { EditRefused } from './refused-edit.ts'
import { mapStrings } from '../lib/outbound/map-strings.ts'
import type { Redactor } from '../lib/outbound/redactor.ts'
import { readInput } from './tools/read-input.ts'
import { restoreTags } from './notices/notice-tags.ts'
import {
  type Finish,
  type FinishRefusal,
  maxResultCharacters,
  type Tool,
  type ToolContext,
  type ToolResult,
} from './tool.ts'
import type { StoredResult } from './transcript.ts'
import { startOf } from '../lib/plain-text.ts'

/** Further calls of the same turn get an error as their result. */
export const maxCallsPerTurn = 64

export type ToolsRan = { readonly results: readonly StoredResult[]; readonly finish: Finish | undefined }

/** `because` ends the sentence "Not finished: ….". `lines` come after it. */
export type Refusal = {
  readonly code: FinishRefusal
  readonly because: string
  readonly lines?: readonly string[]
  readonly problems?: readonly Problem[]
}

type RunContext = ToolContext & {
  /** Returns why a finish is refused, or undefined if it is accepted. */
  readonly refuseFinish: (finish: Finish) => Promise<Refusal | undefined>
  /** No result holds a known secret, and no finish anything that looks like one. */
  readonly redactor: Pick<Redactor, 'hide' | 'redact'>
}

export async function runTools(
  calls: readonly ToolCall[],
  tools: readonly Tool[],
  context: RunContext,
): Promise<ToolsRan> {
  const results: StoredResult[] = []
  let finish: Finish | undefined
  for (const [index, call] of calls.entries()) {
    context.signal.throwIfAborted()
    const ran = index < maxCallsPerTurn ? await runTool(call, tools, context) : tooMany
    const refusal = ran.finish && (index < calls.length - 1 ? notAlone : await context.refuseFinish(ran.finish))
    if (!refusal && ran.finish) finish = mapStrings(ran.finish, context.redactor.redact)
    results.push(mapStrings(toStored(call, refusal ? refused(refusal) : ran), context.redactor.hide))
  }
  return { results, finish }
}

const notAlone: Refusal = { code: 'not_alone', because: 'call finish last and alone' }

function refused({ code, because, lines = [], problems }: Refusal): ToolResult {
  const text = [`Not finished: ${because}.`, ...lines].join('\n')
  return { text, isError: true, facts: { refusal: code, ...(problems ? { found: problems } : {}) } }
}

function toStored(call: ToolCall, { text, isError = false, facts }: ToolResult): StoredResult {
  return { callId: call.id, tool: call.name, text: capped(text), isError, ...(facts === undefined ? {} : { facts }) }
}

const tooMany: ToolResult = { text: `Not run: at most ${maxCallsPerTurn} calls a turn.`, isError: true }

const copiedMark =
  'Not run: the input holds the note that a text was shortened in this conversation. Read the file, and write the text itself.'

async function runTool(call: ToolCall, tools: readonly Tool[], context: ToolContext): Promise<ToolResult> {
  const tool = tools.find((candidate) => candidate.name === call.name)
  if (!tool) return { text: `There is no tool ${startOf(call.name, 100)}.`, isError: true }
  // The model may have copied what it was shown.
  if (holdsMark(JSON.stringify(call.input))) return { text: copiedMark, isError: true }
  const read = readInput(tool.input, mapStrings(call.input, restoreTags))
  if ('problem' in read) return { text: read.problem, isError: true }
  try {
    return await tool.run(read.input, context)
  } catch (error) {
    if (!(error instanceof Failure) || error.meaning.retry) throw error
    return toErrorResult(error)
  }
}

/** The result of a call that threw this failure. */
export function toErrorResult(error: Failure): ToolResult {
  const result = { text: error.message, isError: true }
  if (error.code !== 'policy_refused') return result
  return { ...result, facts: { refusal: 'policy', ...(error instanceof EditRefused ? { refused: error.edit } : {}) } }
}

function capped(text: string): string {
  if (text.length <= maxResultCharacters) return text
  const head = `[cut: the first ${maxResultCharacters} of ${text.length} characters]\n`
  return head + startOf(text, maxResultCharacters)
}
