import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapePattern, nameTricky, plainText, shorten, startOf, terminalText } from './plain-text.ts'

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

test('the start of a text ends before a pair that the limit would cut', () => {
  assert.equal(startOf('ab🚀', 4), 'ab🚀')
  assert.equal(startOf('ab🚀c', 3), 'ab')
  assert.equal(startOf('🚀', 0), '')
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

test('characters that hide or reorder a line are named, and those of correct text stay', () => {
  const hidden = [0x202e, 0x3164, 0x115f, 0x17b4, 0x180b, 0x200b, 0x200d, 0xfff9, 0xfe0f, 0xe0041, 0xe0100, 0xd, 0x2028]
  for (const code of hidden) {
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    const shown = nameTricky(`ok ${String.fromCodePoint(code)}.`)
    assert.ok(shown === `ok ${name}.` || (code === 0xd && shown === 'ok ␍.'), shown)
  }
  const correct = [
    '👩\u200d💻',
    '❤\ufe0f',
    '1\ufe0f\u20e3',
    'می\u200cخواهم',
    '葛\u{e0100}',
    '🏴\u{e0067}\u{e0062}\u{e007f}',
    'a\tb\nc',
  ]
  for (const text of correct) assert.equal(nameTricky(text), text)
  assert.equal(nameTricky('👍\ufe0f\ufe01'), '👍\ufe0fU+FE01')
  assert.equal(terminalText('a\u202eb\u001b'), 'aU+202Eb\ufffd')
})

test('an escaped text matches itself alone, with and without Unicode', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[\\^$.*+?()[\]{}|/-]{0,20}$/))
  const isSame = (one: string, other: string, flags: string): boolean =>
    new RegExp(`^(?:${escapePattern(one)})$`, flags).test(other) === (one === other)
  const holds = (one: string, other: string) =>
    ['', 'u'].every((flags) => isSame(one, one, flags) && isSame(one, other, flags))
  fc.assert(fc.property(text, text, holds))
})
