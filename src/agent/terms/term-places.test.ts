import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { applySplices } from '../../docs-syntax/text.ts'
import { parsePage } from '../../docs-syntax/markdown.ts'
import { toLineEdits } from '../rules/line-edits.ts'
import { findTermPlaces } from './term-places.ts'

const fragment = fc.constantFrom(
  'Acme CLI',
  'Acme',
  ' ',
  '\n',
  '\n\n',
  '# ',
  '- ',
  '> ',
  '`',
  '```\n',
  '| a | Acme CLI |\n|--|--|\n',
  '[Acme CLI](/x)',
  '[Acme CLI]',
  '[Acme CLI]: /y\n',
  '<A title="Acme CLI">',
  '</A>',
  '{',
  '}',
  '**',
  'word',
  '.',
  '---\ntitle: Acme CLI\n---\n',
  '<!--',
  '-->',
  '\u200b',
)
const text = fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join(''))
const replacement = { from: 'Acme CLI', to: 'Zulu Two', inCode: false }

test('replacing a term changes the term and nothing else, on any page', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('a.md', 'a.mdx'), fc.boolean(), (before, path, inCode) => {
      const places = findTermPlaces({ path, text: before }, { ...replacement, inCode })
      const after = applySplices(before, places.splices)
      assert.equal(after.replace(/Zulu(\s|\n[ >]*)Two/g, 'Acme$1CLI').replace(/Zulu([\s>]+)Two/g, 'Acme$1CLI'), before)
      if (!inCode) {
        const code = (source: string): string[] =>
          parsePage(path, source).code.map(({ start, end }) => source.slice(start, end))
        assert.deepEqual(code(after), code(before))
      }
    }),
    { numRuns: 300 },
  )
})

test('the edits of a page give the page with all splices, each found once', () => {
  fc.assert(
    fc.property(text, (before) => {
      const { splices } = findTermPlaces({ path: 'a.md', text: before }, replacement)
      let after = before
      for (const { oldText, newText } of toLineEdits(before, splices)) {
        const plain = (shown: string): string => shown.replaceAll('\\u{200B}', '\u200b')
        assert.equal(before.split(plain(oldText)).length, 2)
        assert.equal(after.split(plain(oldText)).length, 2)
        after = after.replace(plain(oldText), () => plain(newText))
      }
      assert.equal(after, applySplices(before, splices))
    }),
    { numRuns: 300 },
  )
})

test('a page full of mentions between other ranges is changed quickly', () => {
  const page = (size: number) => '# b\n`c` a\n'.repeat(size)
  const replacement = { from: 'a', to: 'd', inCode: false }
  const large = 'y'.repeat(20_001)
  assertLinear(page, (text) => findTermPlaces({ path: 'a.md', text: `${text}${large}` }, replacement), {
    size: 8_000,
    name: 'mentions',
  })
})
