import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseStream } from '../../../test/support/event-stream.ts'
import { createParser } from './event-stream.ts'

const line = fc.constantFrom(
  'data: {"a":1}',
  'data:x',
  'data',
  'event: turn',
  'event',
  'id: 7',
  ': ',
  ':',
  '',
  'é: ü',
  'data: 🙂',
)
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 30 })
  .map((lines) => lines.flat().join(''))

test('events are those of the standard, however the bytes arrive', () => {
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 9 })), (stream, sizes) => {
      const bytes = new TextEncoder().encode(`${stream}\n\ndata: end\n\n`)
      const parse = createParser()
      const events = []
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? bytes.length
        events.push(...parse(bytes.subarray(at, at + size)))
        at += size
      }
      const expected = parseStream(`${stream}\n\ndata: end\n\n`).map(({ type, data }) => ({
        event: type === 'message' ? '' : type,
        data,
      }))
      assert.deepEqual(events, expected)
    }),
  )
})

test('a line without an end is refused', () => {
  const parse = createParser()
  const half = new TextEncoder().encode('x'.repeat(1_000_000))
  assert.deepEqual(parse(half), [])
  assert.deepEqual(parse(half), [])
  assert.throws(() => parse(half), RangeError)
})
