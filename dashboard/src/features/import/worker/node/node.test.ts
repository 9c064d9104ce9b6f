import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { isIP } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { hash as ownHash } from './crypto.ts'
import { isIP as ownIsIP } from './net.ts'

test('SHA-256 of any bytes is that of Node, also at the edges of a block', () => {
  for (const form of ['hex', 'base64url'] as const) {
    for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1_000]) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 37) % 256)
      assert.equal(ownHash('sha256', bytes, form), hash('sha256', bytes, form), `${length} ${form}`)
    }
    const same = fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(ownHash('sha256', bytes, form), hash('sha256', bytes, form))
    })
    fc.assert(same)
    assert.equal(ownHash('sha256', 'é\u{1F600}', form), hash('sha256', 'é\u{1F600}', form))
  }
})

test('an address is one for Node, too', () => {
  const words = [
    '',
    '0',
    '1',
    '01',
    '255',
    '256',
    'ffff',
    'FFFFF',
    ':',
    '::',
    '.',
    '1.2.3.4',
    'g',
    '2001:db8',
    '1:2:3:4:5:6:7',
  ]
  const mixed = fc
    .array(fc.constantFrom(...words), { maxLength: 9 })
    .chain((parts) => fc.constantFrom('', ':', '.').map((between) => parts.join(between)))
  const any = fc.oneof(fc.ipV4(), fc.ipV6(), mixed, fc.string())
  const same = fc.property(any, (text) => assert.equal(ownIsIP(text), isIP(text), text))
  fc.assert(same, { numRuns: 3_000 })
  for (const text of [
    '::',
    '::1',
    '1::',
    '::ffff:192.0.2.1',
    '1.2.3.4::',
    '::1.2.3.4:1',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7::',
    '1:2:3:4::5:6:7:8',
  ])
    assert.equal(ownIsIP(text), isIP(text), text)
})
