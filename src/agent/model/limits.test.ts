// A hostile or broken provider cannot redirect the conversation, fill the memory, block a run forever, corrupt the usage
// figures, or reveal the key.

import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { modelSettings } from '../../../test/support/model-settings.ts'
import { startWireServer, type WireAnswer, type WireServer } from '../../../test/support/wire.ts'
import { errorBody, say, type WireProvider } from '../../../test/support/wire-answers.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { Tool } from '../tool.ts'
import { userMessage } from '../transcript.ts'
import { createGuardedFetch, sizeLimits } from './guarded-fetch.ts'
import { openModel } from './providers.ts'
import type { FailedAttempt, ModelRequest } from './types.ts'

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

type Limits = { readonly timeoutMs?: number; readonly idleMs?: number }

function ask(provider: WireProvider, response: WireAnswer, limits: Limits = {}, more: Partial<ModelRequest> = {}) {
  server.play(response)
  const settings = modelSettings(
    { [provider]: { apiKey, baseUrl: server.url } },
    { timeoutMs: 60_000, idleMs: 60_000, ...limits },
  )
  const request = { instructions: 'be brief', messages: [userMessage('hi')], tools: [echo], ...more }
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

  test(`${provider}: an answer that a limit cuts is requested twice, and both count`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    // The limit is reached when the first words have arrived.
    const listener = { text: () => t.mock.timers.tick(50_000), discarded: () => undefined }
    const hanging = { events: say(provider, { text: 'so it is', unfinished: true }), ending: 'hang' } as const
    const table = [
      [{ timeoutMs: 50_000 }, /: its answer was not complete within 50 seconds\. Its limit is DOCENT_MODEL_TIMEOUT\./],
      [{ idleMs: 50_000 }, /: its server sent nothing for 50 seconds\. Its limit is DOCENT_MODEL_IDLE_TIMEOUT\./],
    ] as const
    for (const [limits, message] of table) {
      const before = server.requests.length
      const attempts: FailedAttempt[] = []
      const saveAttempt = (attempt: FailedAttempt) => Promise.resolve(void attempts.push(attempt))
      const failure = ask(provider, hanging, limits, { saveAttempt, listener })
      await assert.rejects(failure, { code: 'model_unavailable', message, mayRetry: false })
      assert.equal(server.requests.length - before, 2)
      assert.deepEqual(
        attempts.map(({ cause, isEstimate, usage }) => [cause, isEstimate, usage.outputTokens]),
        attempts.map(() => ['limit', true, 2]),
      )
      assert.equal(new Set(attempts.map(({ id }) => id)).size, 2)
      // Handed back to the queue in between: the attempts of the turn count together.
      const again = ask(provider, hanging, limits, { failed: attempts.slice(1), saveAttempt, listener })
      await assert.rejects(again, { message, mayRetry: false })
      assert.equal(server.requests.length - before, 3)
    }
  })

  test(`${provider}: a silent server is asked once and costs nothing`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const before = server.requests.length
    const saveAttempt = () => assert.fail('counted')
    const failure = ask(provider, { silent: true }, { idleMs: 50_000 }, { saveAttempt })
    const message = /sent nothing for 50 seconds\. Its limit is DOCENT_MODEL_IDLE_TIMEOUT\.$/
    const rejected = assert.rejects(failure, { code: 'model_unavailable', message, mayRetry: true })
    while (server.requests.length === before) await setImmediate()
    t.mock.timers.tick(50_000)
    await rejected
    assert.equal(server.requests.length - before, 1)
  })
}

test('a broken answer is requested six times in all, and not for ever', async () => {
  const half: WireAnswer = { events: say('compatible', { text: 'half', unfinished: true }), ending: 'cut' }
  const failed: FailedAttempt[] = []
  const saveAttempt = (attempt: FailedAttempt) => Promise.resolve(void failed.push(attempt))
  await assert.rejects(ask('compatible', half, {}, { saveAttempt }), { mayRetry: true })
  await assert.rejects(ask('compatible', half, {}, { saveAttempt, failed: [...failed] }), { mayRetry: false })
  assert.deepEqual(
    failed.map(({ cause }) => cause),
    Array(6).fill('broken'),
  )
})

test('an answer that breaks off counts with what was sent and received, at its price', async () => {
  const failed: FailedAttempt[] = []
  const saveAttempt = (attempt: FailedAttempt) => Promise.resolve(void failed.push(attempt))
  const begun = { events: say('anthropic', { text: 'x'.repeat(400), unfinished: true }), ending: 'cut' } as const
  await assert.rejects(ask('anthropic', begun, {}, { saveAttempt }))
  const [first] = failed
  // 8 + 32 + 517 characters were sent: instructions, messages as JSON, and the tool.
  const usage = { inputTokens: 140, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 100 }
  assert.deepEqual(
    { ...first, id: '' },
    {
      id: '',
      model: 'anthropic/claude-opus-5',
      cause: 'broken',
      usage: { ...usage, costUsd: (140 * 5 + 100 * 25) / 1e6 },
      isEstimate: true,
    },
  )
})

test('an answer that is aborted after its first words counts, too', async () => {
  const stop = new AbortController()
  const failed: FailedAttempt[] = []
  const request = {
    instructions: 'be brief',
    messages: [userMessage('hi')],
    tools: [],
    listener: { text: () => stop.abort(new Error('enough')), discarded: () => undefined },
    saveAttempt: (attempt: FailedAttempt) => Promise.resolve(void failed.push(attempt)),
  }
  server.play({ events: say('compatible', { text: 'so it is', unfinished: true }), ending: 'hang' })
  const model = openModel('compatible/m', modelSettings({ compatible: { baseUrl: server.url } }), clock)
  await assert.rejects(model.respond(request, stop.signal), /enough/)
  assert.deepEqual(
    failed.map(({ cause }) => cause),
    ['stopped'],
  )
})

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
  const guarded = createGuardedFetch({ ...sizeLimits, idleMs: 5_000, errorBytes: 1_000 })
  server.play({ status: 400, body: { error: megabyte } })
  const response = await guarded(server.url, { method: 'POST', body: '{}' })
  assert.equal((await response.arrayBuffer()).byteLength, 1_000)
})

test('only a pause counts: an answer may take longer than the idle limit', async (t) => {
  const opened = Promise.withResolvers<ServerResponse>()
  const slow = createServer((_request, response) => {
    response.writeHead(200)
    response.flushHeaders()
    opened.resolve(response)
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise((resolve) => slow.close(resolve)))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const guarded = createGuardedFetch({ ...sizeLimits, idleMs: 1_000 })
  const response = await guarded(`http://127.0.0.1:${(slow.address() as AddressInfo).port}`)
  const reader = response.body?.getReader() ?? assert.fail('no body')
  const sending = await opened.promise
  for (let sent = 0; sent < 5; sent += 1) {
    t.mock.timers.tick(999)
    sending.write('a\n')
    assert.equal((await reader.read()).value?.length, 2)
  }
  const next = reader.read()
  t.mock.timers.tick(1_000)
  await assert.rejects(next, { code: 'model_unavailable', message: /sent nothing for 1 seconds/ })
  sending.destroy()
})

test("limits above those of Node's own fetch are kept", async (t) => {
  const key = Symbol.for('undici.globalDispatcher.1')
  const place = globalThis as unknown as Record<symbol, { dispatch(options: object, handler: object): boolean }>
  const own = place[key] ?? assert.fail('no dispatcher')
  t.after(() => void (place[key] = own))
  const seen: object[] = []
  place[key] = {
    dispatch: (options, handler) => {
      seen.push(options)
      return own.dispatch(options, handler)
    },
  }
  server.play({ events: [{ a: 1 }] })
  const guarded = createGuardedFetch({ ...sizeLimits, idleMs: 3_600_000 })
  assert.match(await (await guarded(server.url, { method: 'POST', body: '{}' })).text(), /"a":1/)
  const limits = seen.map((options): Record<string, unknown> => ({ ...options }))
  assert.deepEqual(
    limits.map(({ headersTimeout, bodyTimeout }) => [headersTimeout, bodyTimeout]),
    [[0, 0]],
  )
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
