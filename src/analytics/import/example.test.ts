import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { toExample } from './example.ts'

const table: readonly (readonly [string, string])[] = [
  ['"GET /a?token=secret&x=1 HTTP/1.1" 200', '"GET /a?… HTTP/1.1" 200'],
  ['{"uri":"/a\\u003ftoken=secret","x":1}', '{"uri":"/a?…","x":1}'],
  ['https://ann:secret@example.com/', 'https://…@example.com/'],
  ['{"Authorization":["Basic c2VjcmV0"],"a":1}', '{"Authorization":"…","a":1}'],
  ['{"Cookie": "sid=\\"secret\\"; b", "a":1}', '{"Cookie": "…", "a":1}'],
  ['{"X-Api-Key":["secret', '{"X-Api-Key":"…"'],
  ['{"access_token":"secret"}', '{"access_token":"…"}'],
  ['Authorization: Bearer abc.secret-1', 'Authorization: Bearer …'],
  ['docent_secret1 is a key', 'docent_… is a key'],
  ['a\u0000\u001b[2J\tb\u009b', 'a\ufffd\ufffd[2J b\ufffd'],
]

for (const [line, shown] of table) {
  test(`${JSON.stringify(line)} is shown as ${JSON.stringify(shown)}`, () => assert.equal(toExample(line), shown))
}

test('the example of any line is short and printable, and takes linear time', () => {
  const property = fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (line) => {
    const shown = toExample(line)
    assert.ok(Array.from(shown).length <= 200)
    assert.doesNotMatch(shown, /[\u0000-\u001f\u007f-\u009f]/)
  })
  fc.assert(property)
  for (const piece of ['"cookie":"', '?', '//', '"a', 'bearer ', '\\', '"authorization":[']) {
    const makeLine = (length: number) => piece.repeat(length / piece.length)
    const shorten = (line: string) => {
      for (let n = 0; n < 50; n += 1) toExample(line)
    }
    assertLinear(makeLine, shorten, { size: 2_000, name: piece })
    assertLinear(makeLine, toExample, { size: 1_000_000, name: piece })
  }
})
