import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRedactor } from '../../lib/outbound/redact.ts'
import { hideInText, hideSecrets } from './hide-secrets.ts'

const key = 'sk-live/4f+Zq8Wm2Rt6Yb1mNc8Vd3Ls6Jh5Gf0'
const base64 = btoa(`Bearer ${key}`)
const hide = createRedactor(key)

test('a key in the text, the calls and the messages of an answer is cut out', () => {
  const input = { path: key, [key]: [base64, 7] }
  const calls = [{ id: 'call_1', name: 'write_file', input }]
  const messages = [
    { role: 'assistant' as const, content: [{ type: 'reasoning' as const, text: `I was sent ${base64}` }] },
  ]
  const hidden = hideSecrets({ text: `It is ${key}.`, calls, messages, finishReason: 'stop' }, hide)
  assert.ok(!/Zq8Wm2|WnE4V20y/.test(JSON.stringify(hidden)))
  assert.equal(hidden.text, 'It is [redacted].')
  assert.equal(hidden.finishReason, 'stop')
  assert.deepEqual(Object.keys(hidden.calls[0]?.input as object), ['path', '[redacted]'])
})

test('a response without a secret is the same object', () => {
  const response = { text: `sk-live/4f`, calls: [], messages: [] }
  assert.equal(hideSecrets(response, hide), response)
})

/** Returns the pieces that a listener gets of a text that arrives in pieces. */
function listen(pieces: readonly string[]): readonly string[] {
  const received: string[] = []
  const listener = hideInText(
    { text: (delta) => received.push(delta), discarded: () => received.push('(discarded)') },
    hide,
  )
  for (const piece of pieces) listener.text(piece)
  listener.end()
  return received
}

test('a key that arrives in pieces of any length is cut out of the live text', () => {
  for (let length = 1; length <= key.length; length += 1) {
    const pieces = `It is ${key}, or ${base64}`.match(new RegExp(`.{1,${length}}`, 'g')) ?? []
    assert.match(listen(pieces).join(''), /^It is \[redacted\], or \S{0,12}\[redacted\]\S{0,4}$/, `${length}`)
  }
})

test('live text is passed on word by word, and a text without words is not kept', () => {
  assert.deepEqual(listen(['One', ' two ', 'th', 'ree']), ['One two ', 'three'])
  const [first = ''] = listen(['x'.repeat(3_000), 'x'.repeat(3_000), 'x'])
  assert.equal(first.length, 6_000)
  assert.deepEqual(listen(['日本語の', '文章です']), ['日本語の', '文章です'])
})

test('discarded text is not passed on later', () => {
  const received: string[] = []
  const listener = hideInText(
    { text: (delta) => received.push(delta), discarded: () => received.push('(discarded)') },
    hide,
  )
  listener.text('half a wo')
  listener.discarded()
  listener.text('again')
  listener.end()
  assert.deepEqual(received, ['half a ', '(discarded)', 'again'])
})
