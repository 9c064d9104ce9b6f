import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countFields, readField } from './line-fields.ts'

const line = String.raw`10.0.0.5 - - [21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "a \"b\" c" "2001:db8::1, 10.0.0.1" 0.1`

const cases: readonly (readonly [line: string, position: number, field: string | undefined])[] = [
  [line, 1, '10.0.0.5'],
  [line, 4, '[21/Nov/2026:10:00:00 +0000]'],
  [line, 5, 'GET /a HTTP/1.1'],
  [line, 9, 'a "b" c'],
  [line, 10, '2001:db8::1, 10.0.0.1'],
  [line, 11, '0.1'],
  [line, 12, undefined],
  ['203.0.113.9, 10.0.0.1 - x', 1, '203.0.113.9, 10.0.0.1'],
  ['203.0.113.9, 10.0.0.1 - x', 2, '-'],
  ['203.0.113.9,10.0.0.1 x', 2, 'x'],
  ['[2001:db8::9]:4711 x', 1, '[2001:db8::9]:4711'],
  ['[open x', 1, '[open'],
  ['  a\t\tb  ', 2, 'b'],
  ['  a\t\tb  ', 3, undefined],
  ['a "open', 2, undefined],
  ['a "" b', 2, ''],
  ['"', 1, undefined],
  ['a,', 1, 'a,'],
  ['', 1, undefined],
]

for (const [text, position, field] of cases) {
  test(`field ${position} of ${text.slice(0, 30)} is ${field}`, () => assert.equal(readField(text, position), field))
}

test('a line has as many fields as can be read', () => {
  assert.equal(countFields(line), 11)
  const property = fc.property(
    fc.string({ unit: fc.constantFrom('a', ' ', '"', '[', ']', ',', '\\', '\t') }),
    (text) => {
      const count = countFields(text)
      assert.equal(readField(text, count + 1), undefined)
      if (count > 0) assert.notEqual(readField(text, count), undefined)
    },
  )
  fc.assert(property, { numRuns: 2_000 })
})
