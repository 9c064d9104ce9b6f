// The built-in model `docent/rules`: rules instead of a language model, for the demo, for tests and for simple chores. It
// plans tool calls from the conversation alone, as any model does, and caches only expensive results. The same
// conversation always gets the same response, with the same ids.

import { createHash } from 'node:crypto'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider'
import { LRUCache } from 'lru-cache'
import { mapStrings } from '../../lib/outbound/map-strings.ts'
import { escapeTags } from '../notices/notice-tags.ts'
import { planStep } from './session.ts'
import type { Memo } from './script.ts'
import { toEvents } from './transcript.ts'

/** More pages than any run has. Entries are small, because the keys are hashes of the pages. */
const maxCached = 20_000

const finishReason = { unified: 'tool-calls', raw: 'tool-calls' } as const
/** The usage of every response: no tokens, no cost. */
const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

/** Both methods reject with `Failure('model_not_configured')` when the last message is not understood. */
export function createRulesModel(): LanguageModelV4 {
  const memo = createMemo()
  return {
    specificationVersion: 'v4',
    provider: 'docent',
    modelId: 'rules',
    supportedUrls: {},
    doGenerate: async (options) => {
      const { note, calls } = await plan(options, memo)
      return { content: [{ type: 'text', text: note }, ...calls], finishReason, usage, warnings: [] }
    },
    doStream: async (options) => {
      const { note, calls } = await plan(options, memo)
      return { stream: streamOf(note, calls) }
    },
  }
}

type Plan = { readonly note: string; readonly calls: readonly LanguageModelV4ToolCall[] }

function plan({ prompt, abortSignal }: LanguageModelV4CallOptions, memo: Memo): Promise<Plan> {
  return new Promise((resolve) => {
    abortSignal?.throwIfAborted()
    const turn = prompt.filter((message) => message.role === 'assistant').length + 1
    const { note, calls } = planStep(toEvents(prompt), memo)
    const made = calls.map(({ tool, input }, index) => ({
      type: 'tool-call' as const,
      toolCallId: `rules_${turn}_${index + 1}`,
      toolName: tool,
      input: JSON.stringify(mapStrings(input, escapeTags)),
    }))
    resolve({ note, calls: made })
  })
}

function streamOf(note: string, calls: readonly LanguageModelV4ToolCall[]): ReadableStream<LanguageModelV4StreamPart> {
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 'note' },
    { type: 'text-delta', id: 'note', delta: note },
    { type: 'text-end', id: 'note' },
    ...calls,
    { type: 'finish', finishReason, usage },
  ]
  return ReadableStream.from(parts)
}

function createMemo(): Memo {
  const kept = new LRUCache<string, { readonly value: unknown }>({ max: maxCached })
  return <Value>(key: readonly string[], make: () => Value): Value => {
    const hash = createHash('sha256')
    for (const part of key) hash.update(part).update('\0')
    const name = hash.digest('base64')
    const entry = kept.get(name) ?? { value: make() }
    kept.set(name, entry)
    return entry.value as Value
  }
}
