// The agent's loop with a scripted model, tools that only count calls, and an in-memory store, for tests of the loop
// itself.

import assert from 'node:assert/strict'
import { z } from 'zod'
import { refuseForMessage } from '../../src/agent/ends/refuse-finish.ts'
import type { LoopContext } from '../../src/agent/loop.ts'
import type { ModelResponse, ModelRequest } from '../../src/agent/model/types.ts'
import type { Finish, Tool } from '../../src/agent/tool.ts'
import { type Turn, userMessage } from '../../src/agent/transcript.ts'
import type { Workspace } from '../../src/agent/workspace.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { EditRefused } from '../../src/agent/refused-edit.ts'
import { Failure } from '../../src/lib/failure.ts'
import { createProcessRedactor, type Redactor } from '../../src/lib/outbound/redactor.ts'

export type Call = { readonly name: string; readonly input: unknown }

/** The facts of it, for people, and words for the model. */
const refusedEdit = new EditRefused(
  { path: 'unsafe', line: 3, message: 'adds a script', remedy: 'ask a person' },
  'Nothing was changed. Do not look for another way.',
)

export function arrange(script: readonly (readonly Call[])[], waiting: string[] = ['do it']) {
  const requests: ModelRequest[] = []
  const turns: Turn[] = []
  const edits: string[] = []
  const saved: number[] = []
  const write: Tool<{ path: string }> = {
    name: 'write',
    description: '',
    input: z.object({ path: z.string() }),
    run: ({ path }) => {
      if (path === 'refused') throw new Failure('path_refused', 'not there')
      if (path === 'unsafe') throw refusedEdit
      if (path === 'broken') throw new TypeError('a bug')
      edits.push(path)
      return Promise.resolve({ text: `wrote ${path}` })
    },
  }
  const finish: Tool<Finish> = {
    name: 'finish',
    description: '',
    input: z.custom<Finish>(),
    run: (wanted) => Promise.resolve({ text: 'finished', finish: wanted }),
  }
  const context: LoopContext & { readonly redactor: Redactor } = {
    model: {
      id: 'test/model',
      contextTokens: Infinity,
      isPriced: () => true,
      respond: (request) => {
        requests.push(request)
        return Promise.resolve(toResponse(script[requests.length - 1] ?? [], requests.length))
      },
    },
    tools: [write, finish],
    workspace: {} as Workspace,
    store: {
      open: (number, notices) => {
        const input = [...notices, ...waiting.splice(0).map(userMessage)]
        turns.push({ number, input, response: undefined, results: undefined })
        return Promise.resolve(input)
      },
      saveAttempt: (number, attempt) => {
        const one = turn(turns, number)
        turns[number - 1] = { ...one, failed: [...(one.failed ?? []), attempt] }
        return Promise.resolve()
      },
      saveResponse: (number, response) => {
        saved.push(number)
        turns[number - 1] = { ...turn(turns, number), response }
        return Promise.resolve()
      },
      saveResults: (number, ran) => {
        const saved = waiting.length > 0 ? refuseForMessage(ran) : ran
        turns[number - 1] = { ...turn(turns, number), results: saved.results }
        return Promise.resolve(saved)
      },
      saveFinish: () => Promise.resolve(),
    },
    clock: systemClock,
    budget: { turns: 50, tokens: 1_000_000, costUsd: Infinity, seconds: 60, changedFiles: 3, changedBytes: 100 },
    endAtBudget: (failure) => Promise.reject(failure),
    startedAt: new Date(),
    instructions: 'rules',
    nonce: 'nonce',
    redactor: createProcessRedactor(),
    earlier: [],
    firstNotices: [],
    changed: () => ({ files: edits.length, bytes: 0 }),
    signal: new AbortController().signal,
  }
  return { context, requests, turns, edits, saved, waiting }
}

function turn(turns: readonly Turn[], number: number): Turn {
  const found = turns[number - 1]
  assert.ok(found)
  return found
}

export function toResponse(calls: readonly Call[], n: number): ModelResponse {
  const withIds = calls.map((call, i) => ({ id: `c${n}_${i}`, ...call }))
  const parts = withIds.map(({ id, name, input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
  }))
  const content = parts.length > 0 ? parts : [{ type: 'text' as const, text: 'I think' }]
  return {
    model: 'test/model',
    messages: [{ role: 'assistant', content }],
    calls: withIds,
    text: parts.length > 0 ? '' : 'I think',
    finishReason: parts.length > 0 ? 'tool-calls' : 'stop',
    usage: { inputTokens: 10, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1, costUsd: 0.5 },
  }
}

export const done: Call = { name: 'finish', input: { kind: 'change', title: 't', summary: 's' } }
export const nothing: Call = { name: 'finish', input: { kind: 'no_change', reason: 'r' } }
export const write = (path: string): Call => ({ name: 'write', input: { path } })
export const lastText = (request: ModelRequest | undefined) => JSON.stringify(request?.messages.at(-1))
