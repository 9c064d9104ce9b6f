import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { type ModelServer, type Script, startModelServer } from '../../../test/support/model-server.ts'
import { modelSettings } from '../../../test/support/model-settings.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ModelResponse } from './types.ts'
import { openModel } from './providers.ts'
import type { Tool } from '../tool.ts'
import { notice } from '../notices/notices.ts'
import { runTools } from '../run-tools.ts'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import { userMessage } from '../transcript.ts'
import { toMessages } from '../../../test/support/to-messages.ts'

const echo: Tool<{ text: string }> = {
  name: 'echo',
  description: 'Says it again.',
  input: z.object({ text: z.string() }),
  run: ({ text }) => Promise.resolve({ text }),
}

let server: ModelServer
const waits: number[] = []
const clock: Clock = {
  now: () => new Date(0),
  sleep: (ms) => {
    waits.push(ms)
    return Promise.resolve()
  },
}

before(async () => {
  server = await startModelServer(() => ({ text: 'hello' }))
})
after(() => server.close())

function open() {
  return openModel('compatible/m', modelSettings({ compatible: { baseUrl: server.baseUrl, apiKey: 'k' } }), clock)
}

function ask(script: Script, signal: AbortSignal = new AbortController().signal): Promise<ModelResponse> {
  server.script = script
  waits.length = 0
  return open().respond({ instructions: 'be brief', messages: [userMessage('hi')], tools: [echo] }, signal)
}

test('an answer carries its text, its calls and its usage', async () => {
  const response = await ask(() => ({ text: 'so', calls: [{ name: 'echo', input: { text: 'a' } }] }))
  assert.equal(response.text, 'so')
  assert.deepEqual(response.calls, [{ id: 'call_0_0', name: 'echo', input: { text: 'a' } }])
  const usage = { inputTokens: 100, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 10, costUsd: null }
  assert.deepEqual(response.usage, usage)
  assert.equal(response.finishReason, 'tool-calls')
})

test('a response survives JSON, and the conversation continues from it', async () => {
  const stored = JSON.parse(
    JSON.stringify(await ask(() => ({ calls: [{ name: 'echo', input: { text: 'a' } }] }))),
  ) as ModelResponse
  const results = [{ callId: 'call_0_0', tool: 'echo', text: 'a', isError: false }]
  const messages = toMessages(
    [{ number: 1, input: [userMessage('hi')], response: stored, results }],
    'compatible/m',
    'nonce',
  )
  server.script = () => ({ text: 'done' })
  await open().respond({ instructions: 'x', messages, tools: [echo] }, new AbortController().signal)
  assert.deepEqual(
    server.requests.at(-1)?.map((message) => message.role),
    ['system', 'user', 'assistant', 'tool'],
  )
})

test('a call without JSON or of an unknown tool is answered in our own words', async () => {
  const wrong = [
    [
      { name: 'echo', input: '{"text": 1' },
      'Not run: the input is not valid JSON. Send one JSON object with the fields',
    ],
    [{ name: 'nothing', input: {} }, 'There is no tool nothing. The tools are echo.'],
  ] as const
  for (const [call, words] of wrong) {
    const response = await ask(() => ({ calls: [call] }))
    assert.deepEqual(response.calls, [], JSON.stringify(call))
    const messages = toMessages(
      [{ number: 1, input: [notice('idle', 'x')], response, results: [] }],
      'compatible/m',
      'n',
    )
    const sent = JSON.stringify(messages)
    assert.ok(sent.includes(words), sent)
    assert.doesNotMatch(sent, /AI_|Error|zod|Model tried/)
  }
})

test('a call with a wrong input reaches the tool runner, which says what is wrong', async () => {
  const response = await ask(() => ({ calls: [{ name: 'echo', input: { text: 7, words: 'x', n: null } }] }))
  const hide = (text: string) => text
  const context = { workspace: createMemoryWorkspace({}), signal: new AbortController().signal }
  const { results } = await runTools(response.calls, [echo], {
    ...context,
    refuseFinish: () => Promise.resolve(undefined),
    redactor: { hide, redact: hide },
  })
  assert.deepEqual(
    results.map(({ text, isError }) => [text, isError]),
    [['Wrong input. There is no field `words`; the fields are text. `text` must be a text.', true]],
  )
})

test('temporary failures are retried after the time that the server names', async () => {
  const response = await ask((_messages, asked) =>
    server.requests.length === asked && waits.length < 2
      ? { status: 429, headers: { 'retry-after': '4' } }
      : { text: 'at last' },
  )
  assert.equal(response.text, 'at last')
  assert.deepEqual(waits, [4_000, 4_000])
})

test('a server that stays away is model_unavailable after three tries', async () => {
  const before = server.requests.length
  await assert.rejects(
    ask(() => ({ status: 503 })),
    { code: 'model_unavailable' },
  )
  assert.equal(server.requests.length - before, 3)
})

test('a stream that is cut is requested again, and half a response is never used', async () => {
  const response = await ask(() => (waits.length === 0 ? { text: 'half', cut: true } : { text: 'whole' }))
  assert.equal(response.text, 'whole')
})

test('permanent failures are not retried and have their own codes', async () => {
  const table = [
    [401, 'model_not_configured'],
    [404, 'model_not_configured'],
    [402, 'model_not_configured'],
    [400, 'model_refused'],
  ] as const
  for (const [status, code] of table) {
    const before = server.requests.length
    await assert.rejects(
      ask(() => ({ status })),
      { code },
    )
    assert.equal(server.requests.length - before, 1, String(status))
  }
})

test('an aborted signal ends the wait for an answer with its reason', async () => {
  const stop = new AbortController()
  const waiting = Promise.withResolvers<void>()
  const asked = ask(() => {
    stop.abort(new Error('enough'))
    return { text: 'late', wait: waiting.promise }
  }, stop.signal)
  await assert.rejects(asked, /enough/)
  waiting.resolve()
})
