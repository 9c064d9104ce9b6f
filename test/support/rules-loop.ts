// A minimal loop that runs the built-in model with tools, for tests of its plans. Messages are serialised to JSON, as they
// are when they are stored.

import assert from 'node:assert/strict'
import type {
  LanguageModelV4,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider'
import type { Checks } from '../../src/agent/checks.ts'
import { toErrorResult } from '../../src/agent/run-tools.ts'
import { restoreTags } from '../../src/agent/notices/notice-tags.ts'
import type { Sources } from '../../src/agent/sources.ts'
import type { ModelMessage } from '../../src/agent/model/types.ts'
import { newRunNotice } from '../../src/agent/notices/notices.ts'
import type { Finish, ToolResult } from '../../src/agent/tool.ts'
import { createTools } from '../../src/agent/tools/all.ts'
import { Failure } from '../../src/lib/failure.ts'
import { mapStrings } from '../../src/lib/outbound/map-strings.ts'
import type { MemoryWorkspace } from './memory-workspace.ts'

export type RulesRun = {
  readonly finish: Finish
  readonly prompt: LanguageModelV4Prompt
  /** The calls of every turn. */
  readonly turns: readonly (readonly LanguageModelV4ToolCall[])[]
}

type RunOptions = {
  readonly model: LanguageModelV4
  readonly workspace: MemoryWorkspace
  readonly checks?: Checks
  readonly sources?: Sources
  /** The conversation so far. */
  readonly prompt: LanguageModelV4Prompt
  /** Messages that arrive before a turn, by its number from 1. */
  readonly arriving?: ReadonlyMap<number, string>
  readonly maxTurns?: number
  /** Changes the text of every result before the model sees it. */
  readonly reword?: (text: string) => string
}

const tools = createTools()

export function user(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

/** Returns the notice of a new run, as the service writes it. */
export function newRun(): LanguageModelV4Message {
  return shownNotice(newRunNotice(0))
}

export function shownNotice({ content, providerOptions }: ModelMessage): LanguageModelV4Message {
  assert.ok(typeof content === 'string' && providerOptions)
  return { role: 'user', content: [{ type: 'text', text: content }], providerOptions }
}

export async function runRules(options: RunOptions): Promise<RulesRun> {
  const { model, prompt, arriving, maxTurns = 200 } = options
  const messages = [...prompt]
  const turns: LanguageModelV4ToolCall[][] = []
  for (let number = 1; number <= maxTurns; number++) {
    const message = arriving?.get(number)
    if (message !== undefined) messages.push(user(message))
    const { content } = await model.doGenerate({ prompt: structuredClone(messages) })
    const calls = content.filter((part) => part.type === 'tool-call')
    turns.push(calls)
    const text = content.filter((part) => part.type === 'text')
    const made = calls.map(({ type, toolCallId, toolName, input }) => ({
      type,
      toolCallId,
      toolName,
      input: JSON.parse(input) as unknown,
    }))
    messages.push({ role: 'assistant', content: [...text, ...made] })
    const { results, finish } = await runCalls(calls, options)
    messages.push({ role: 'tool', content: results })
    if (finish) return { finish, prompt: messages, turns }
  }
  throw new Error('The model did not finish.')
}

type Results = Extract<LanguageModelV4Message, { role: 'tool' }>['content']

async function runCalls(
  calls: readonly LanguageModelV4ToolCall[],
  { workspace, checks, sources, reword = (text) => text }: RunOptions,
) {
  const results: Results = []
  let finish: Finish | undefined
  assert.ok(calls.length > 0 && calls.length <= 64, `${calls.length} calls`)
  for (const call of calls) {
    const tool = tools.find((one) => one.name === call.toolName)
    assert.ok(tool, call.toolName)
    const input = tool.input.safeParse(mapStrings(JSON.parse(call.input), restoreTags))
    assert.ok(input.success, `${call.toolName}: ${input.error?.message} ${call.input.slice(0, 300)}`)
    const more = { ...(checks ? { checks } : {}), ...(sources ? { sources } : {}) }
    const context = { workspace, ...more, signal: new AbortController().signal }
    const result = await tool.run(input.data, context).catch((error: unknown): ToolResult => {
      assert.ok(error instanceof Failure)
      return toErrorResult(error)
    })
    finish = result.finish ?? finish
    const output = { type: result.isError ? ('error-text' as const) : ('text' as const), value: reword(result.text) }
    const own = result.facts ? { providerOptions: { docent: { ...result.facts } } } : {}
    results.push({ type: 'tool-result', toolCallId: call.toolCallId, toolName: call.toolName, output, ...own })
  }
  return { results, finish }
}
