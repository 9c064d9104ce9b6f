// Faults of providers as they arrive: the same sentence must be true of each of them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { modelSettings } from '../../../test/support/model-settings.ts'
import { startWireServer, type WireAnswer, type WireServer } from '../../../test/support/wire.ts'
import { errorBody, type Said, say, streamError, type WireProvider } from '../../../test/support/wire-answers.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ModelResponse, ModelRequest } from './types.ts'
import { openModel } from './providers.ts'
import type { Tool } from '../tool.ts'
import { type Turn, userMessage } from '../transcript.ts'
import { toMessages } from '../../../test/support/to-messages.ts'

const echo: Tool<{ text: string }> = {
  name: 'echo',
  description: 'Says it again.',
  input: z.object({ text: z.string() }),
  run: ({ text }) => Promise.resolve({ text }),
}
const list: Tool<object> = {
  name: 'list',
  description: 'Lists.',
  input: z.object({}),
  run: () => Promise.resolve({ text: 'none' }),
}

const providers = ['anthropic', 'openai', 'google', 'compatible'] as const
const names = { anthropic: 'claude-opus-5', openai: 'gpt-5.4', google: 'gemini-3.5-flash', compatible: 'm' } as const
const waits: number[] = []
const clock: Clock = {
  now: () => new Date('2026-11-20T12:00:00Z'),
  sleep: (ms) => Promise.resolve(void waits.push(ms)),
}
const id = (provider: WireProvider) => `${provider}/${names[provider]}`
let server: WireServer

before(async () => {
  server = await startWireServer()
})
after(() => server.close())

function open(provider: WireProvider, timeoutMs = 5_000) {
  const set = { [provider]: { apiKey: 'key', baseUrl: server.url } }
  return openModel(id(provider), modelSettings(set, { timeoutMs }), clock)
}

function ask(provider: WireProvider, responses: readonly WireAnswer[], request: Partial<ModelRequest> = {}) {
  server.play(...responses)
  waits.length = 0
  const whole = { instructions: 'be brief', messages: [userMessage('hi')], tools: [echo, list], ...request }
  return open(provider).respond(whole, new AbortController().signal)
}

const stream = (provider: WireProvider, said: Said): WireAnswer => ({ events: say(provider, said) })
const error = (provider: WireProvider, status: number, code?: string, headers = {}): WireAnswer => {
  return { status, headers, body: errorBody(provider, status, 'said the provider', code) }
}
const call = (name: string, input: object | string, callId = 'call_a') => ({ id: callId, name, input })
const fine = (provider: WireProvider) => stream(provider, { text: 'fine' })
const asked = () => server.requests.length

for (const provider of providers) {
  test(`${provider}: an answer carries text, calls, usage and cost`, async () => {
    const response = await ask(provider, [stream(provider, { text: 'so', calls: [call('echo', { text: 'a' })] })])
    assert.equal(response.text, 'so')
    assert.deepEqual(
      response.calls.map(({ name, input }) => [name, input]),
      [['echo', { text: 'a' }]],
    )
    assert.equal(response.finishReason, 'tool-calls')
    assert.equal(response.model, id(provider))
    const { costUsd, ...usage } = response.usage
    const written = provider === 'anthropic' ? 100 : 0
    assert.deepEqual(usage, { inputTokens: 1_000, cachedInputTokens: 600, cacheWriteTokens: written, outputTokens: 50 })
    // By hand: 300 × 5 + 600 × 0.5 + 100 × 6.25 + 50 × 25, 400 × 2.5 + 600 × 0.25 + 50 × 15, …
    const expected = { anthropic: 0.003675, openai: 0.0019, google: 0.00114, compatible: null }
    assert.equal(costUsd === null ? null : Number(costUsd.toFixed(9)), expected[provider])
  })

  test(`${provider}: 429 waits for Retry-After in seconds, milliseconds or as a date`, async () => {
    const cases = [
      [{ 'retry-after': '4' }, 4_000],
      [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1_500],
      [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:03 GMT' }, 3_000],
      [{ 'retry-after': 'Fri, 20 Nov 2026 11:00:00 GMT' }, 0],
    ] as const
    for (const [headers, ms] of cases) {
      const response = await ask(provider, [error(provider, 429, undefined, headers), fine(provider)])
      assert.equal(response.text, 'fine')
      assert.deepEqual(waits, [ms], JSON.stringify(headers))
    }
  })

  test(`${provider}: a longer Retry-After is no wait but goes back with the failure`, async () => {
    const before = asked()
    const failure = ask(provider, [error(provider, 429, undefined, { 'retry-after': '600' })])
    await assert.rejects(failure, { code: 'model_unavailable', retryAfter: 600 })
    assert.equal(asked() - before, 1)
  })

  test(`${provider}: 5xx and overloaded are tried three times, then model_unavailable`, async () => {
    for (const status of [500, 503, 529]) {
      const before = asked()
      await assert.rejects(ask(provider, [error(provider, status)]), { code: 'model_unavailable' })
      assert.equal(asked() - before, 3, String(status))
    }
  })

  test(`${provider}: another 4xx has its code and is not retried`, async () => {
    const cases = [
      [400, undefined, 'model_refused'],
      [401, undefined, 'model_not_configured'],
      [403, undefined, 'model_not_configured'],
      [404, undefined, 'model_not_configured'],
      [409, undefined, 'model_refused'],
      [422, undefined, 'model_refused'],
      [402, undefined, 'model_not_configured'],
    ] as const
    for (const [status, code, expected] of cases) {
      const before = asked()
      await assert.rejects(ask(provider, [error(provider, status, code)]), { code: expected }, String(status))
      assert.equal(asked() - before, 1, String(status))
    }
  })

  test(`${provider}: a key that the server quotes is in no failure`, async () => {
    const apiKey = `sk-${'q7'.repeat(150)}`
    const model = openModel(id(provider), modelSettings({ [provider]: { apiKey, baseUrl: server.url } }), clock)
    const request = { instructions: 'be brief', messages: [userMessage('hi')], tools: [] }
    for (const status of [400, 401, 403, 404, 429, 500]) {
      const body = errorBody(provider, status, `The key ${apiKey} may not do this`)
      server.play({ status, body }, { status, body }, { status, body })
      await assert.rejects(model.respond(request, new AbortController().signal), (failure: Error) => {
        assert.ok(!failure.message.includes('q7q7'), `${status}: ${failure.message}`)
        return true
      })
    }
  })

  test(`${provider}: a key without credit is model_not_configured, without a retry`, async () => {
    const bodies = {
      anthropic: errorBody(
        'anthropic',
        400,
        'Your credit balance is too low to access the API.',
        'invalid_request_error',
      ),
      openai: errorBody('openai', 429, 'You exceeded your current quota.', 'insufficient_quota'),
      google: errorBody('google', 429, 'Your prepayment credits are depleted.', 'RESOURCE_EXHAUSTED'),
      compatible: errorBody('compatible', 402, 'Insufficient Balance', 'invalid_request_error'),
    }
    const status = { anthropic: 400, openai: 429, google: 429, compatible: 402 }[provider]
    const before = asked()
    const failure = ask(provider, [{ status, body: bodies[provider] }])
    await assert.rejects(failure, { code: 'model_not_configured', message: /no credit/ })
    const begun = [...say(provider, { text: 'a', unfinished: true }), streamError(provider, 'no credit')]
    await assert.rejects(ask(provider, [{ events: begun }]), { code: 'model_not_configured', message: /no credit/ })
    assert.equal(asked() - before, 2)
  })

  test(`${provider}: a request that is too long is context_exceeded`, async () => {
    const words = {
      anthropic: ['prompt is too long: 210000 tokens > 200000 maximum', 'invalid_request_error'],
      openai: ['Your input exceeds the context window of this model.', 'context_length_exceeded'],
      google: ['The input token count (1200000) exceeds the maximum number of tokens allowed.', 'INVALID_ARGUMENT'],
      compatible: ["This model's maximum context length is 8192 tokens.", 'invalid_request_error'],
    } as const
    const [message, code] = words[provider]
    const body = errorBody(provider, 400, message, code)
    await assert.rejects(ask(provider, [{ status: 400, body }]), { code: 'context_exceeded' })
  })

  test(`${provider}: overload inside a stream is retried and voids the text so far`, async () => {
    const received: string[] = []
    const listener = {
      text: (delta: string) => void received.push(delta),
      discarded: () => void received.push('again'),
    }
    // The last word waits for its end, which may be that of the key.
    const begun = [...say(provider, { text: 'half an ans', unfinished: true }), streamError(provider, 'overloaded')]
    const response = await ask(provider, [{ events: begun }, fine(provider)], { listener })
    assert.equal(response.text, 'fine')
    assert.deepEqual(received, ['half an ', 'again', 'fine'])
    received.length = 0
    await assert.rejects(ask(provider, [{ events: begun }], { listener }), { code: 'model_unavailable' })
    assert.deepEqual(received, ['half an ', 'again', 'half an ', 'again', 'half an ', 'again'])
  })

  test(`${provider}: an incomplete stream is never taken for a response`, async () => {
    const half = { text: 'half', calls: [call('list', '{}')], unfinished: true } as const
    for (const ending of ['cut', 'end'] as const) {
      const response = await ask(provider, [{ ...stream(provider, half), ending }, fine(provider)])
      assert.equal(response.text, 'fine', ending)
      const before = asked()
      await assert.rejects(ask(provider, [{ ...stream(provider, half), ending }]), { code: 'model_unavailable' })
      assert.equal(asked() - before, 3, ending)
    }
  })

  test(`${provider}: a stream that falls silent ends at the time limit`, async () => {
    server.play({ ...stream(provider, { text: 'a', unfinished: true }), ending: 'hang' })
    const request = { instructions: 'x', messages: [userMessage('hi')], tools: [] }
    const failure = open(provider, 60).respond(request, new AbortController().signal)
    await assert.rejects(failure, { code: 'model_unavailable' })
  })

  test(`${provider}: a call that was cut at the length limit is answered and not run`, async () => {
    const end = { anthropic: 'max_tokens', openai: 'max_output_tokens', google: 'MAX_TOKENS', compatible: 'length' }
    for (const input of ['{"te', '{}']) {
      if (provider === 'google' && input !== '{}') continue
      const said = { calls: [call('echo', { text: 'a' }), call('list', input, 'call_b')], end: end[provider] }
      const response = await ask(provider, [stream(provider, said)])
      assert.equal(response.finishReason, 'length')
      assert.deepEqual(
        response.calls.map((one) => one.name),
        ['echo'],
      )
      await goesOn(provider, response)
    }
  })

  test(`${provider}: an unknown tool is answered, and the rest is run`, async () => {
    const calls = [call('echo', { text: 7 }), call('fly', {}, 'call_b'), call('echo', { text: 'b' }, 'call_c')]
    const response = await ask(provider, [stream(provider, { calls })])
    assert.deepEqual(
      response.calls.map((one) => one.input),
      [{ text: 7 }, { text: 'b' }],
    )
    await goesOn(provider, response)
  })

  test(`${provider}: parallel calls keep their order, also under one id`, async () => {
    const texts = ['a', 'b', 'c']
    for (const same of [false, true]) {
      const calls = texts.map((text) => call('echo', { text }, same ? 'call_x' : `call_${text}`))
      const response = await ask(provider, [stream(provider, { calls })])
      assert.deepEqual(
        response.calls.map((one) => one.input),
        texts.map((text) => ({ text })),
      )
      assert.equal(new Set(response.calls.map((one) => one.id)).size, 3)
      await goesOn(provider, response)
    }
  })

  test(`${provider}: the listener hears text as it comes, and never the input of a tool`, async () => {
    const received: string[] = []
    const listener = { text: (delta: string) => void received.push(delta), discarded: () => assert.fail() }
    const said = { text: 'so', calls: [call('echo', { text: 'secret' })], signature: 'c2ln' }
    await ask(provider, [stream(provider, said)], { listener })
    assert.deepEqual(received, ['so'])
  })

  test(`${provider}: text of white space only is not kept`, async () => {
    const response = await ask(provider, [stream(provider, { text: '\n\n', calls: [call('list', {})] })])
    // OpenAI gives its text an id, and takes it back with it.
    const kept = JSON.stringify(response.messages).includes('"type":"text"')
    assert.equal(kept, provider === 'openai', JSON.stringify(response.messages))
    await goesOn(provider, response)
  })

  test(`${provider}: an empty response is a response, and the conversation continues`, async () => {
    const response = await ask(provider, [stream(provider, {})])
    assert.deepEqual([response.text, response.calls], ['', []])
    await goesOn(provider, response)
  })

  test(`${provider}: a refusal is recognised`, async () => {
    const end = { anthropic: 'refusal', openai: 'content_filter', google: 'SAFETY', compatible: 'content_filter' }
    const response = await ask(provider, [stream(provider, { text: 'I will not.', end: end[provider] })])
    assert.equal(response.finishReason, 'content-filter')
  })
}

test('google: a malformed call is requested again', async () => {
  const malformed = stream('google', { text: 'so', end: 'MALFORMED_FUNCTION_CALL' })
  assert.equal((await ask('google', [malformed, fine('google')])).text, 'fine')
})

test('compatible: without usage from the server the cost is unknown', async () => {
  const settings = modelSettings(
    { compatible: { baseUrl: server.url } },
    { prices: { 'compatible/m': { input: 1, output: 2 } } },
  )
  const model = openModel('compatible/m', settings, clock)
  const request = { instructions: 'x', messages: [userMessage('hi')], tools: [] }
  for (const [said, cost] of [
    [{ text: 'a' }, 0.0011],
    [{ text: 'a', unmetered: true }, null],
  ] as const) {
    server.play(stream('compatible', said))
    assert.equal((await model.respond(request, new AbortController().signal)).usage.costUsd, cost)
  }
})

/** The next request holds the response and a result for each of its calls, once. */
async function goesOn(provider: WireProvider, response: ModelResponse): Promise<void> {
  const stored = JSON.parse(JSON.stringify(response)) as ModelResponse
  const results = stored.calls.map((one) => ({ callId: one.id, tool: one.name, text: 'r', isError: false }))
  const turn: Turn = { number: 1, input: [userMessage('hi')], response: stored, results }
  const messages = [...toMessages([turn], id(provider), 'nonce'), userMessage('go on')]
  assert.equal((await ask(provider, [fine(provider)], { messages })).text, 'fine')
}

test('half a character never reaches a provider', async () => {
  for (const provider of providers) {
    const turn = [userMessage('cut \ud83d here'), userMessage('\ude80')]
    await ask(provider, [fine(provider)], { instructions: 'be \ud83d', messages: turn })
    const body = JSON.stringify(server.requests.at(-1)?.body)
    assert.doesNotMatch(body, /\\+ud(?:83d|e80)/i, provider)
    assert.match(body, /cut \ufffd here/, provider)
  }
})
