import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plainText, shorten } from './plain-text.ts'

test('control characters and lone surrogates become U+FFFD; tab and line feed stay', () => {
  assert.equal(plainText('a\0b\u001b[31m\tc\r\nd\u0085\ud83d'), 'a\ufffdb\ufffd[31m\tc\ufffd\nd\ufffd\ufffd')
  assert.equal(plainText('wörd 🚀'), 'wörd 🚀')
})

test('a text is cut at the limit and not before', () => {
  assert.equal(shorten('abc', 3), 'abc')
  assert.equal(shorten('abcd', 3), 'abc…')
  assert.equal(shorten('', 0), '')
  assert.equal(shorten('a', 0), '…')
})

test('a surrogate pair at the limit is kept whole or left out', () => {
  assert.equal(shorten('ab🚀', 4), 'ab🚀')
  assert.equal(shorten('ab🚀c', 4), 'ab🚀…')
  assert.equal(shorten('ab🚀c', 3), 'ab…')
})

test('every shortened text is well formed and begins as the text does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, characters) => {
      const shown = shorten(text, characters)
      assert.ok(shown.isWellFormed())
      assert.ok(shown.length <= Math.max(characters + 1, 0))
      assert.ok(shown === text || (shown.endsWith('…') && text.startsWith(shown.slice(0, -1))))
    }),
  )
})
