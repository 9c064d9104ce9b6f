import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portable } from './portable-response.ts'
import type { ModelResponse } from './types.ts'

const response: ModelResponse = {
  model: 'compatible/m',
  messages: [
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: { x: { signature: 's' } } },
        { type: 'text', text: ' ' },
        { type: 'text', text: 'so', providerOptions: { x: { itemId: 'i' } } },
        { type: 'tool-call', toolCallId: 'a:1', toolName: 'echo', input: { text: 'a' }, providerOptions: { x: {} } },
        { type: 'tool-call', toolCallId: 'a:2', toolName: 'a tool!', input: null },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'a:2', toolName: 'a tool!', output: { type: 'error-text', value: 'no' } },
      ],
    },
  ],
  calls: [{ id: 'a:1', name: 'echo', input: { text: 'a' } }],
  text: 'so',
  finishReason: 'tool-calls',
  usage: { inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1, costUsd: null },
}

const numbered = () => {
  const given = { ids: 0 }
  return () => `call_${(given.ids += 1)}`
}

test('text and calls stay, with ids, names and inputs that every provider accepts', () => {
  const { messages, calls } = portable(response, numbered())
  assert.deepEqual(messages, [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'so' },
        { type: 'tool-call', toolCallId: 'call_1', toolName: 'echo', input: { text: 'a' } },
        { type: 'tool-call', toolCallId: 'call_2', toolName: 'a_tool_', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'call_2', toolName: 'a_tool_', output: { type: 'error-text', value: 'no' } },
      ],
    },
  ])
  assert.deepEqual(calls, [{ id: 'call_1', name: 'echo', input: { text: 'a' } }])
})

test('an answer of reasoning alone leaves nothing', () => {
  const reasoning = { role: 'assistant' as const, content: [{ type: 'reasoning' as const, text: 'hm' }] }
  assert.deepEqual(portable({ ...response, messages: [reasoning], calls: [] }, numbered()), { messages: [], calls: [] })
})
