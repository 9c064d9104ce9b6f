// Runs the tool calls of one turn, one after another. The third door of failures: what a tool throws becomes an
// answer to the model, unless the same call could work later (a repository out of reach, a fault of ours).

import { Failure } from '../lib/failure.ts'
import type { ToolCall } from './model/types.ts'
import { type Finish, maxResultCharacters, type Tool, type ToolContext, type ToolResult } from './tool.ts'
import type { StoredResult } from './transcript.ts'

/** More calls in one turn are answered, not run. */
const maxCallsPerTurn = 64

export type ToolsRan = { readonly results: readonly StoredResult[]; readonly finish: Finish | undefined }

/** `mayFinish` says why a finish is refused, if it is. */
export async function runTools(
  calls: readonly ToolCall[],
  tools: readonly Tool[],
  context: ToolContext & { readonly mayFinish: (finish: Finish) => string | undefined },
): Promise<ToolsRan> {
  const results: StoredResult[] = []
  let finish: Finish | undefined
  for (const [index, call] of calls.entries()) {
    context.signal.throwIfAborted()
    const ran = index < maxCallsPerTurn ? await runTool(call, tools, context) : tooMany
    const refusal =
      ran.finish && (index < calls.length - 1 ? 'call finish last and alone' : context.mayFinish(ran.finish))
    if (!refusal) finish = ran.finish ?? finish
    const answer = refusal ? { text: `Not finished: ${refusal}.`, isError: true } : ran
    results.push({ callId: call.id, tool: call.name, text: capped(answer.text), isError: answer.isError ?? false })
  }
  return { results, finish }
}

const tooMany: ToolResult = { text: `Not run: at most ${maxCallsPerTurn} calls a turn.`, isError: true }

async function runTool(call: ToolCall, tools: readonly Tool[], context: ToolContext): Promise<ToolResult> {
  const tool = tools.find((candidate) => candidate.name === call.name)
  if (!tool) return { text: `There is no tool ${call.name.slice(0, 100)}.`, isError: true }
  const input = tool.input.safeParse(call.input)
  if (!input.success) {
    const issues = input.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`)
    return { text: `Wrong input. ${issues.slice(0, 5).join('; ')}`, isError: true }
  }
  try {
    return await tool.run(input.data, context)
  } catch (error) {
    if (!(error instanceof Failure) || error.meaning.retry) throw error
    return { text: error.message, isError: true }
  }
}

function capped(text: string): string {
  if (text.length <= maxResultCharacters) return text
  const head = `[cut: the first ${maxResultCharacters} of ${text.length} characters]\n`
  return head + text.slice(0, maxResultCharacters)
}
