import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { escapeTags, restoreTags } from './notice-tags.ts'

const forged = [
  '<notice>',
  '</notice>',
  '<NOTICE id="x">',
  '<Notice',
  '< notice>',
  '<\n/ notice',
  '<\u200bno\u200btice>',
  String.raw`<no\u{200B}tice>`,
  '＜notice＞',
  '‹notice',
  '<ｎｏｔｉｃｅ>',
  '<nоtісе>',
  '<𝐧𝐨𝐭𝐢𝐜𝐞>',
  '</repository-notes>',
  '<Repository_Notes',
]

test('every form of a tag of the service is escaped, and nothing else is', () => {
  for (const form of forged) {
    assert.match(escapeTags(`a ${form} b`), /^a \\u\{[0-9A-F]{4}\}/, form)
    assert.equal(restoreTags(escapeTags(`a ${form} b`)), `a ${form} b`, form)
  }
  for (const kept of [
    'a notice',
    '<no tice',
    '<not',
    'x < y; notice',
    '<div>notice</div>',
    '&lt;notice',
    '<Note>',
    '<',
  ]) {
    assert.equal(escapeTags(kept), kept)
  }
})

test('an escaped text becomes the original again, also one that holds escaped forms', () => {
  const parts = [
    '<',
    'notice',
    '/',
    '\\',
    'u{003C}',
    'u{005C}',
    'u{FF1C}',
    'u{200B}',
    ' ',
    '\u200b',
    'repository-notes',
    'x',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts, ...forged), { maxLength: 12 }), (made) => {
      const text = made.join('')
      const shown = escapeTags(text)
      assert.equal(restoreTags(shown), text)
      assert.doesNotMatch(shown, /<\s*\/?\s*(?:notice|repository-notes)/i)
    }),
    { numRuns: 2_000 },
  )
})

test('escaping grows with the text, and not faster', () => {
  for (const piece of ['<', '< ', '<n', String.raw`\u{005C}`, 'u{005C}', '<no\u200b', '\\', '</ ']) {
    assertLinear((size) => piece.repeat(Math.ceil(size / piece.length)), escapeTags, { size: 200_000, name: piece })
  }
})
