import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitContext } from './fit-context.ts'
import type { ModelMessage } from './model/types.ts'
import { userMessage } from './transcript.ts'

const result = (id: number, size: number): ModelMessage => ({
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolCallId: `c${id}`,
      toolName: 'read_file',
      output: { type: 'text', value: 'x'.repeat(size) },
    },
  ],
})
const conversation = (turns: number, size: number): readonly ModelMessage[] =>
  Array.from({ length: turns }, (_, i) => [userMessage(`turn ${i}`), result(i, size)]).flat()
const elided = (messages: readonly ModelMessage[]) =>
  messages.map((message) => JSON.stringify(message).includes('[elided'))

test('a conversation that fits is left as it is', () => {
  const messages = conversation(3, 1_000)
  assert.deepEqual(fitContext(messages, 10_000, 0), messages)
})

test('the oldest results are elided first, messages of the user never', () => {
  const fitted = fitContext(conversation(10, 3_000), 8_000, 0)
  const marks = elided(fitted)
  assert.equal(marks[1], true)
  assert.equal(marks.at(-1), false)
  assert.deepEqual(
    fitted.filter((message) => message.role === 'user'),
    conversation(10, 1).filter((m) => m.role === 'user'),
  )
  assert.ok(JSON.stringify(fitted).length < 8_000 * 3)
})

test('a longer conversation starts with the messages of the shorter, fitted one', () => {
  let before: readonly ModelMessage[] = []
  let steps = 0
  for (let turns = 1; turns <= 40; turns += 1) {
    const now = fitContext(conversation(turns, 3_000), 8_000, 0)
    const same = JSON.stringify(now.slice(0, before.length)) === JSON.stringify(before)
    if (!same) steps += 1
    before = now
  }
  assert.ok(steps > 0 && steps < 20, `the prefix changed ${steps} times in 40 turns`)
})

test('a conversation that still does not fit is context_exceeded', () => {
  assert.throws(() => fitContext([userMessage('x'.repeat(40_000))], 8_000, 0), { code: 'context_exceeded' })
  assert.throws(() => fitContext([userMessage('x'), result(1, 40_000)], 8_000, 0), { code: 'context_exceeded' })
  assert.throws(() => fitContext([userMessage('x')], 8_000, 30_000), { code: 'context_exceeded' })
})
