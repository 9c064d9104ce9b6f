import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ModelMessage } from '../model/types.ts'
import { userMessage } from '../transcript.ts'
import { createFitter } from './fit-context.ts'
import { holdsMark } from './shorten.ts'

const call = (id: number, toolName: string, input: unknown): ModelMessage => ({
  role: 'assistant',
  content: [
    { type: 'reasoning', text: 'signed', providerOptions: { anthropic: { signature: 's' } } },
    { type: 'text', text: 'I go on.' },
    { type: 'tool-call', toolCallId: `c${id}`, toolName, input },
  ],
})
const result = (id: number, size: number, toolName = 'read_file'): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: `c${id}`, toolName, output: { type: 'text', value: 'x'.repeat(size) } }],
})
const reading = (turns: number, size: number): readonly ModelMessage[] =>
  Array.from({ length: turns }, (_, i) => [call(i, 'read_file', { path: `${i}.md` }), result(i, size)]).flat()
const writing = (turns: number, size: number): readonly ModelMessage[] =>
  Array.from({ length: turns }, (_, i) => {
    return [
      call(i, 'write_file', { path: `${i}.md`, content: `${i} ${'y'.repeat(size)}` }),
      result(i, 20, 'write_file'),
    ]
  }).flat()

function fit(messages: readonly ModelMessage[], contextTokens: number, fixedCharacters = 0) {
  const fitter = createFitter({ contextTokens, fixedCharacters, nonce: 'n0nce' })
  for (const message of messages) fitter.add(message)
  return fitter
}
const texts = (messages: readonly ModelMessage[]) => messages.map((message) => JSON.stringify(message.content))
const ofRole = (messages: readonly ModelMessage[], role: ModelMessage['role']) =>
  messages.filter((message) => message.role === role)

test('a conversation that fits is left as it is', () => {
  const messages = [userMessage('do it'), ...reading(3, 1_000)]
  assert.deepEqual(fit(messages, 10_000).messages(), messages)
  assert.deepEqual(fit(messages, Infinity).messages(), messages)
})

test('the oldest results are shortened first, messages of the user never', () => {
  const messages = [userMessage('u'.repeat(2_000)), ...reading(10, 3_000)]
  const fitted = fit(messages, 8_000)
  const marks = texts(ofRole(fitted.messages(), 'tool')).map((text) => text.includes('[elided'))
  assert.deepEqual([marks[0], marks.at(-1)], [true, false])
  assert.deepEqual(fitted.messages()[0], messages[0])
  assert.ok(fitted.size() < 8_000 * 3)
})

test('old texts and calls of the model are shortened, and every call stays a call', () => {
  const messages = [userMessage('write'), ...writing(10, 3_000)]
  const fitted = ofRole(fit(messages, 8_000).messages(), 'assistant')
  assert.deepEqual(fitted[0], {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I go on.' },
      {
        type: 'tool-call',
        toolCallId: 'c0',
        toolName: 'write_file',
        input: {
          path: '0.md',
          content: `0 ${'y'.repeat(78)}… [shortened to make room: 3002 characters; the file has the text]`,
        },
      },
    ],
  })
  assert.ok(holdsMark(texts(fitted)[0] ?? ''))
  assert.deepEqual(fitted.at(-1), messages.at(-2))
})

test('a call with hundreds of small edits keeps three of them', () => {
  const edits = Array.from({ length: 300 }, (_, i) => ({ oldText: `the old text ${i}`, newText: 'new' }))
  const messages = [call(0, 'edit_file', { path: 'a.md', edits }), result(0, 20), ...reading(1, 10)]
  const [answer] = fit(messages, 5_000).messages()
  assert.ok(answer?.role === 'assistant' && typeof answer.content !== 'string')
  const [made] = answer.content.flatMap((part) => (part.type === 'tool-call' ? [part.input] : []))
  assert.deepEqual(made, { path: 'a.md', edits: edits.slice(0, 3) })
})

test('a longer conversation starts with the messages of the shorter, fitted one', () => {
  for (const make of [reading, writing]) {
    let before: readonly string[] = []
    let changes = 0
    const fitter = createFitter({ contextTokens: 8_000, fixedCharacters: 0, nonce: 'n0nce' })
    for (const message of make(100, 1_000)) {
      fitter.add(message)
      const now = texts(fitter.messages())
      if (before.some((text, index) => text !== now[index])) changes += 1
      before = now
    }
    assert.ok(changes > 5 && changes <= 30, `the prefix changed ${changes} times in 100 turns`)
    assert.equal(fitter.steps(), changes)
  }
})

test('hundreds of turns fit: the oldest become a list of their calls', () => {
  const fitter = fit([userMessage('do it'), ...reading(600, 2_000)], 8_000)
  const [first, note, ...rest] = fitter.messages()
  assert.deepEqual(first, userMessage('do it'))
  assert.match(
    JSON.stringify(note?.content),
    /^"<notice id=.*\d{3} earlier turns were left out .*\\nread_file .{1,3}\d+\.md.*<\/notice>"$/,
  )
  assert.deepEqual([rest[0]?.role, rest.at(-1)?.role], ['assistant', 'tool'])
  assert.ok(fitter.size() < 8_000 * 3)
  assert.deepEqual(rest.at(-1), result(599, 2_000))
})

test('the list of calls that were left out names the refused ones', () => {
  const refused = (id: number): ModelMessage => ({
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: `c${id}`,
        toolName: 'write_file',
        output: { type: 'error-text', value: 'Not run: the input is not valid JSON. '.repeat(9) },
      },
    ],
  })
  const turns = [call(900, 'write_file', { path: 'lost.md', content: 'y'.repeat(2_000) }), refused(900)]
  const [, note] = fit([userMessage('do it'), ...turns, ...writing(600, 900)], 8_000).messages()
  const text = JSON.stringify(note?.content)
  assert.match(text, /Their edits are in the files, except those of refused calls\./)
  const early = fit([userMessage('do it'), ...turns, ...writing(90, 900)], 6_000).messages()[1]
  assert.match(JSON.stringify(early?.content), /write_file .{1,3}lost\.md.{1,3} \(refused\)/)
  assert.doesNotMatch(JSON.stringify(early?.content), /write_file .{1,3}5\.md.{1,3} \(refused\)/)
})

test('a result that alone is too long is cut rather than that the run ends', () => {
  const [, cut] = fit([call(0, 'read_file', {}), result(0, 40_000)], 8_000).messages()
  assert.match(
    JSON.stringify(cut),
    /\[cut to make room: the first \d+ of 40000 characters; ask for smaller parts\]\\nxxx/,
  )
  const [own] = fit([call(0, 'write_file', { content: 'y'.repeat(40_000) })], 8_000).messages()
  assert.ok(holdsMark(JSON.stringify(own)))
})

test('a conversation whose user messages do not fit is context_exceeded', () => {
  assert.throws(() => fit([userMessage('x'.repeat(40_000))], 8_000).messages(), { code: 'context_exceeded' })
  assert.throws(() => fit([userMessage('x')], 8_000, 30_000).messages(), { code: 'context_exceeded' })
})

test('every call keeps its result, in every conversation', () => {
  const step = fc.oneof(
    fc.record({ user: fc.nat(300) }),
    fc.record({ read: fc.nat(9_000) }),
    fc.record({ write: fc.nat(9_000) }),
  )
  const toMessages = (one: { user?: number; read?: number; write?: number }, at: number): readonly ModelMessage[] => {
    if (one.user !== undefined) return [userMessage('u'.repeat(one.user))]
    if (one.read !== undefined) return [call(at, 'read_file', { path: `${at}.md` }), result(at, one.read)]
    return [call(at, 'write_file', { content: 'y'.repeat(one.write ?? 0) }), result(at, 20)]
  }
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const fitter = fit(steps.flatMap(toMessages), 8_000)
      const fitted = fitter.messages()
      assert.ok(fitter.size() <= 24_000)
      assert.equal(
        fitter.size(),
        texts(fitted).reduce((sum, text) => sum + text.length, 0),
      )
      const idsOf = (type: string) =>
        fitted.flatMap(({ content }) =>
          typeof content === 'string'
            ? []
            : content.flatMap((part) => (part.type === type && 'toolCallId' in part ? [part.toolCallId] : [])),
        )
      assert.deepEqual(idsOf('tool-result'), idsOf('tool-call'))
    }),
    { numRuns: 200 },
  )
})
