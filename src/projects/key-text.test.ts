import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createKeyText, digestKey, isKeyText, keyHint } from './key-text.ts'

test('a new key is of the published form and carries its checksum', () => {
  const key = createKeyText()
  assert.match(key, /^docent_[0-9A-Za-z]{46}$/)
  assert.ok(isKeyText(key))
  assert.notEqual(createKeyText(), key)
})

test('the published test vector holds', () => {
  const body = 'docent_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd'
  assert.ok(isKeyText(`${body}3Mh7Oa`), 'the checksum of the vector in docs/concepts.md')
})

test('any other character anywhere makes it no key', () => {
  const key = createKeyText()
  const change = fc.record({ at: fc.nat(key.length - 1), to: fc.constantFrom('a', 'Z', '0', '9', '_', ' ', 'é') })
  fc.assert(
    fc.property(change, ({ at, to }) => {
      fc.pre(key[at] !== to)
      assert.equal(isKeyText(key.slice(0, at) + to + key.slice(at + 1)), false)
    }),
  )
})

test('what is stored and shown does not give the key away', () => {
  const key = createKeyText()
  assert.match(digestKey(key), /^[0-9a-f]{64}$/)
  assert.equal(keyHint(key).length, 16)
  assert.ok(!keyHint(key).includes(key.slice(12, 40)))
})
