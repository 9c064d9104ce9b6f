// A conversation that was stored as JSON continues: with the model that it began with, and with any other.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { modelSettings } from '../../test/support/model-settings.ts'
import { startWireServer, type WireServer } from '../../test/support/wire.ts'
import { say, type WireProvider } from '../../test/support/wire-answers.ts'
import { systemClock } from '../lib/clock.ts'
import type { ModelResponse, ModelMessage } from './model/types.ts'
import { openModel } from './model/providers.ts'
import type { Tool } from './tool.ts'
import { type Turn, userMessage } from './transcript.ts'
import { toMessages } from '../../test/support/to-messages.ts'

const echo: Tool<{ text: string }> = {
  name: 'echo',
  description: 'Says it again.',
  input: z.object({ text: z.string() }),
  run: ({ text }) => Promise.resolve({ text }),
}
const providers = ['anthropic', 'openai', 'google', 'compatible'] as const
const names = { anthropic: 'claude-opus-5', openai: 'gpt-5.4', google: 'gemini-3.5-flash', compatible: 'm' } as const
const id = (provider: WireProvider) => `${provider}/${names[provider]}`
const signature = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA=='
let server: WireServer

before(async () => {
  server = await startWireServer()
})
after(() => server.close())

async function ask(provider: WireProvider, messages: readonly ModelMessage[]): Promise<ModelResponse> {
  const settings = modelSettings({ [provider]: { apiKey: 'key', baseUrl: server.url } })
  const request = { instructions: 'be brief', messages, tools: [echo], cacheKey: 'job_1' }
  return openModel(id(provider), settings, systemClock).respond(request, new AbortController().signal)
}

/** Two turns as they come back from the database: one with reasoning and two calls, the second of them invalid. */
async function storedTurns(provider: WireProvider): Promise<readonly Turn[]> {
  const calls = [
    { id: 'functions.echo:0', name: 'echo', input: { text: 'alpha' } },
    { id: 'functions.echo:1', name: 'functions.echo', input: { text: 7 } },
  ]
  server.play({ events: say(provider, { text: 'first', calls, signature }) })
  const response = await ask(provider, [userMessage('hi')])
  const results = response.calls.map((one) => ({ callId: one.id, tool: one.name, text: 'the result', isError: false }))
  const turns: readonly Turn[] = [{ number: 1, input: [userMessage('hi')], response, results }]
  return JSON.parse(JSON.stringify(turns)) as readonly Turn[]
}

async function goOn(provider: WireProvider, turns: readonly Turn[]): Promise<string> {
  server.play({ events: say(provider, { text: 'and on' }) })
  const messages = [...toMessages(turns, id(provider), 'nonce'), userMessage('go on')]
  assert.equal((await ask(provider, messages)).text, 'and on')
  return JSON.stringify(server.requests.at(-1)?.body)
}

test('anthropic: thinking goes back with its signature, redacted thinking as it came', async () => {
  const sent = await goOn('anthropic', await storedTurns('anthropic'))
  assert.ok(sent.includes(`{"type":"thinking","thinking":"let me see","signature":"${signature}"}`), sent)
  assert.ok(sent.includes(`{"type":"redacted_thinking","data":"redacted ${signature}"}`), sent)
})

test('openai: nothing is stored there; encrypted reasoning goes back with its id', async () => {
  const sent = await goOn('openai', await storedTurns('openai'))
  assert.ok(sent.includes('"store":false'))
  assert.ok(sent.includes('"include":["reasoning.encrypted_content"]'))
  assert.ok(sent.includes(`{"type":"reasoning","id":"rs_1","encrypted_content":"${signature}","summary":[]}`), sent)
  assert.ok(!sent.includes('item_reference'), 'nothing is named that only the provider could know')
})

test('google: the signature goes back with the call that it came with', async () => {
  const sent = await goOn('google', await storedTurns('google'))
  const body = JSON.parse(sent) as { readonly contents: readonly { readonly parts: readonly object[] }[] }
  const parts = body.contents.flatMap((content) => content.parts)
  assert.ok(
    parts.some((part) => 'functionCall' in part && 'thoughtSignature' in part && part.thoughtSignature === signature),
  )
})

test('compatible: reasoning goes back as it came', async () => {
  const sent = await goOn('compatible', await storedTurns('compatible'))
  assert.ok(sent.includes(`"reasoning_content":"thought ${signature}"`), sent)
})

for (const from of providers) {
  for (const to of providers.filter((one) => one !== from)) {
    test(`a conversation of ${from} continues with ${to}, with portable parts only`, async () => {
      const sent = await goOn(to, await storedTurns(from))
      assert.ok(!sent.includes(signature), sent)
      assert.ok(!/let me see|rs_1|msg_1|reasoning_content|redacted_thinking/.test(sent), sent)
      for (const part of ['first', 'alpha', 'the result', 'go on']) assert.ok(sent.includes(part), `${part} in ${sent}`)
      assert.ok(!sent.includes('"functions.echo'), 'ids and names that not every provider accepts')
    })
  }
}

test('all results of one response are in one message, even of invalid calls', async () => {
  const sent = JSON.parse(await goOn('google', await storedTurns('google'))) as {
    readonly contents: readonly { readonly role: string; readonly parts: readonly object[] }[]
  }
  const shape = sent.contents.map(({ role, parts }) => [role, ...parts.map((part) => Object.keys(part)[0])])
  assert.deepEqual(shape[2], ['user', 'functionResponse', 'functionResponse'], JSON.stringify(shape))
})

test('another model of the same provider reads no reasoning of this one', async () => {
  const turns = (await storedTurns('anthropic')).map((turn) => {
    return { ...turn, response: turn.response && { ...turn.response, model: 'anthropic/claude-older' } }
  })
  assert.ok(!(await goOn('anthropic', turns)).includes(signature))
})

test('the ids of calls of other models are the same in every request that holds them', async () => {
  const [turn] = await storedTurns('compatible')
  assert.ok(turn)
  const short = toMessages([turn], 'openai/m', 'nonce')
  assert.deepEqual(toMessages([turn, turn], 'openai/m', 'nonce').slice(0, short.length), short)
  const ids = toMessages([turn, turn], 'openai/m', 'nonce').flatMap((message) =>
    message.role === 'assistant' && typeof message.content !== 'string'
      ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
      : [],
  )
  assert.equal(new Set(ids).size, 4)
})

test('anthropic: cache marks follow the instructions and the last two messages', async () => {
  const turns = await storedTurns('anthropic')
  const first = server.requests.at(-1)?.body
  const mark = '"cache_control":{"type":"ephemeral"}'
  const second = await goOn('anthropic', turns)
  assert.equal(second.split(mark).length - 1, 3)
  assert.ok(JSON.stringify(first?.system).includes(mark))
  const messages = (JSON.parse(second) as { readonly messages: readonly object[] }).messages
  const marked = messages.map((message) => JSON.stringify(message).includes(mark))
  assert.equal(marked[0], true, 'the end of the request before')
  assert.equal(marked.at(-1), true)
  // Without the marks the longer request begins with the shorter one.
  const plain = (text: string) => text.replaceAll(`,${mark}`, '').replaceAll(mark, '')
  const before = plain(JSON.stringify(first?.messages)).slice(0, -1)
  assert.ok(plain(JSON.stringify(messages)).startsWith(before))
})

test('openai: requests of one job name the same cache', async () => {
  assert.ok((await goOn('openai', await storedTurns('openai'))).includes('"prompt_cache_key":"job_1"'))
})

test('keys go where they belong, and no other key is ever looked for', async () => {
  for (const provider of providers) {
    await goOn(provider, [])
    const headers = server.requests.at(-1)?.headers ?? {}
    const key = { anthropic: headers['x-api-key'], google: headers['x-goog-api-key'] }[provider as string]
    assert.equal(key ?? headers.authorization?.replace('Bearer ', ''), 'key', provider)
  }
  assert.throws(() => openModel('openai/m', modelSettings({}), systemClock), {
    code: 'model_not_configured',
    message: /DOCENT_OPENAI_API_KEY/,
  })
})
