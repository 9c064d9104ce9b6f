// A hostile or broken provider cannot redirect the conversation, fill the memory, block a run forever, corrupt the usage
// figures, or reveal the key.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { modelSettings } from '../../../test/support/model-settings.ts'
import { startWireServer, type WireAnswer, type WireServer } from '../../../test/support/wire.ts'
import { errorBody, say, type WireProvider } from '../../../test/support/wire-answers.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { Tool } from '../tool.ts'
import { userMessage } from '../transcript.ts'
import { createGuardedFetch, fetchLimits } from './guarded-fetch.ts'
import { openModel } from './providers.ts'

const providers = ['anthropic', 'openai', 'google', 'compatible'] as const
const names = { anthropic: 'claude-opus-5', openai: 'gpt-5.4', google: 'gemini-3.5-flash', compatible: 'm' } as const
const apiKey = 'sk-test-0123456789abcdef'
const clock: Clock = { now: () => new Date('2026-11-20T12:00:00Z'), sleep: () => Promise.resolve() }
const echo: Tool<{ text: string }> = {
  name: 'echo',
  description: 'Repeats the text.',
  input: z.object({ text: z.string() }),
  run: ({ text }) => Promise.resolve({ text }),
}
let server: WireServer
let elsewhere: WireServer

before(async () => {
  server = await startWireServer()
  elsewhere = await startWireServer()
})
after(async () => {
  await server.close()
  await elsewhere.close()
})

function ask(provider: WireProvider, response: WireAnswer, timeoutMs = 60_000) {
  server.play(response)
  const settings = modelSettings({ [provider]: { apiKey, baseUrl: server.url } }, { timeoutMs })
  const request = { instructions: 'be brief', messages: [userMessage('hi')], tools: [echo] }
  return openModel(`${provider}/${names[provider]}`, settings, clock).respond(request, new AbortController().signal)
}

for (const provider of providers) {
  test(`${provider}: a redirect is an error and is never followed`, async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const redirect = { status, headers: { location: `${elsewhere.url}/steal` }, body: {} }
      await assert.rejects(ask(provider, redirect), { code: 'model_not_configured', message: /redirects/ })
    }
    assert.equal(elsewhere.requests.length, 0)
  })

  test(`${provider}: an error that quotes the key does not show it`, async () => {
    for (const quoted of [apiKey, btoa(`Bearer ${apiKey}`), apiKey.slice(0, 13)]) {
      const body = errorBody(provider, 400, `no such key: ${quoted}`)
      const error: unknown = await ask(provider, { status: 400, body }).catch((thrown: unknown) => thrown)
      assert.ok(error instanceof Failure)
      assert.match(error.message, /no such key: \S*\[redacted\]/)
      assert.ok(!error.message.includes(apiKey.slice(0, 8)))
    }
  })

  test(`${provider}: a response that takes too long fails with "timed out"`, async () => {
    const events = say(provider, { text: 'so', unfinished: true })
    const failure = ask(provider, { events, ending: 'hang' }, 50)
    await assert.rejects(failure, { code: 'model_unavailable', message: /timed out: no complete answer within 0.05/ })
  })
}

const megabyte = 'x'.repeat(1_000_000)
const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const call = (text: string) => ({
  tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'echo', arguments: text } }],
})

test('a response of 16 MB is read, and one character more is refused', async () => {
  const text = Array.from({ length: 16 }, () => chunk({ role: 'assistant', content: megabyte }))
  const response = await ask('compatible', { events: [...text, chunk({}, 'stop')] })
  assert.equal(response.text.length, 16_000_000)
  const tooLarge = { code: 'model_refused', message: "The model's answer is larger than 16 MB." }
  const before = server.requests.length
  await assert.rejects(ask('compatible', { events: [...text, chunk({ content: 'x' }), chunk({}, 'stop')] }), tooLarge)
  const input = Array.from({ length: 17 }, () => chunk(call(megabyte)))
  await assert.rejects(ask('compatible', { events: [...input, chunk({}, 'tool_calls')] }), tooLarge)
  assert.equal(server.requests.length - before, 2, 'each refused response was requested once')
})

test('a single event that never ends is refused before it fills the memory', async () => {
  const events = [chunk({ content: megabyte.repeat(17) })]
  await assert.rejects(ask('compatible', { events, ending: 'hang' }), { code: 'model_refused', message: /16 MB/ })
})

test('only the beginning of a huge error page is read', async () => {
  const guarded = createGuardedFetch({ ...fetchLimits, errorBytes: 1_000 })
  server.play({ status: 400, body: { error: megabyte } })
  const response = await guarded(server.url, { method: 'POST', body: '{}' })
  assert.equal((await response.arrayBuffer()).byteLength, 1_000)
})

test('a response that stops sending data fails with "timed out"', async () => {
  const guarded = createGuardedFetch({ ...fetchLimits, silenceMs: 20 })
  server.play({ events: [{ a: 1 }], ending: 'hang' })
  const response = await guarded(server.url, { method: 'POST', body: '{}' })
  await assert.rejects(response.text(), { code: 'model_unavailable', message: /timed out: .* silent for 0.02 seconds/ })
  assert.equal(fetchLimits.silenceMs, 60_000)
})

test('impossible usage reported by a provider is clamped', async () => {
  const report = async (promptTokens: unknown) => {
    const usage = { prompt_tokens: promptTokens, completion_tokens: 2.5, total_tokens: 3 }
    const events = [chunk({ role: 'assistant', content: 'so' }), { ...chunk({}, 'stop'), usage }]
    return (await ask('compatible', { events })).usage
  }
  for (const [promptTokens, expected] of [
    [-1_000_000, 0],
    [1.5, 2],
    [1e300, Number.MAX_SAFE_INTEGER],
  ] as const) {
    const { inputTokens, outputTokens } = await report(promptTokens)
    assert.deepEqual([inputTokens, outputTokens], [expected, 3])
  }
})
