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

const shapes: readonly (readonly [name: string, path: string, before: string, after: string])[] = [
  ['lines of a title', 'a.rst', '=====\nAcme!\n=====\n\nNo\n--\n', '=======\nZenith!\n=======\n\nNo\n--\n'],
  ['a title on two lines', 'a.adoc', 'Use Acme\n--------\n', 'Use Zenith\n----------\n'],
  ['the title of a block', 'a.adoc', '.Acme b\n----\nAcme\n----\n', '.Zenith b\n----\nAcme\n----\n'],
  [
    'no code, options, targets and roles',
    'a.rst',
    '.. image:: Acme.png\n   :alt: Acme\n   :class: Acme\n\n:doc:`Acme` :doc:`Acme <Acme>` :func:`Acme` ``Acme`` |Acme|\n',
    '.. image:: Acme.png\n   :alt: Zenith\n   :class: Acme\n\n:doc:`Acme` :doc:`Zenith <Acme>` :func:`Acme` ``Acme`` |Acme|\n',
  ],
  [
    'no attributes, targets and macros',
    'a.adoc',
    ':u: http://Acme\n\nxref:Acme.adoc[Acme] kbd:[Acme] image:Acme.png[Acme,role=Acme] {Acme} `Acme` Acme\n',
    ':u: http://Acme\n\nxref:Acme.adoc[Zenith] kbd:[Acme] image:Acme.png[Zenith,role=Acme] {Acme} `Acme` Zenith\n',
  ],
  ['references to a heading', 'a.rst', 'Acme\n====\n\n`acme`_ Acme_ `b <acme_>`_\n', 'Zenith\n======\n\n`Zenith`_ `Zenith`_ `b <acme_>`_\n'],
  ['references to a title', 'a.adoc', '== Use Acme\n\n<<Use Acme>> <<Acme>>\n', '== Use Zenith\n\n<<Use Zenith>> <<Acme>>\n'],
  [
    'columns of a simple table, without room in the last row',
    'a.rst',
    '======  =====\nAcme    Acme\n======  =====\nb Acme  Acme\n======  =====\n',
    '======  =====\nZenith  Zenith\n======  =====\nb Acme  Zenith\n======  =====\n',
  ],
  [
    'columns of a grid',
    'a.rst',
    '+--------+------+\n| Acme   | Acme |\n+--------+------+\n',
    '+--------+------+\n| Zenith | Acme |\n+--------+------+\n',
  ],
  ['names of targets', 'a.rst', '`Acme b`_\n\n.. _Acme b: c\n', '`Zenith b`_\n\n.. _Zenith b: c\n'],
  ['values with commas', 'a.rst', '.. csv-table::\n\n   "Acme", b\n', '.. csv-table::\n\n   "Zenith", b\n'],
] // prettier-ignore

for (const [name, path, before, after] of shapes)
  test(`a term changes, and the shape of the page stays: ${name}`, () => {
    const { splices } = findTermPlaces({ path, text: before }, { from: 'Acme', to: 'Zenith', inCode: false })
    assert.equal(applySplices(before, splices), after)
  })

test('a shorter word leaves the columns of a table where they are', () => {
  const text = '+--------+---+\n| Zenith | b |\n+--------+---+\n'
  const { splices } = findTermPlaces({ path: 'a.rst', text }, { from: 'Zenith', to: 'A', inCode: false })
  assert.equal(applySplices(text, splices), text.replace('Zenith', 'A     '))
})

test('marks of reStructuredText and AsciiDoc in the new words are escaped', () => {
  for (const [path, to, written] of [
    ['a.rst', 'b_ *c*', 'b\\_ \\*c\\*'],
    ['a.adoc', '{b} <c>', '\\{b} <c>'],
  ] as const) {
    const { splices } = findTermPlaces({ path, text: 'Acme' }, { from: 'Acme', to, inCode: false })
    assert.equal(applySplices('Acme', splices), written)
  }
})

test('a large table of reStructuredText is changed quickly', () => {
  const table = (size: number) => `== ==\n${'a  a\n'.repeat(size)}== ==\n`
  const replacement = { from: 'a', to: 'd', inCode: false }
  assertLinear(table, (text) => findTermPlaces({ path: 'a.rst', text }, { ...replacement, to: 'de' }), {
    size: 4_000,
    name: 'rows',
  })
})

for (const [path, piece] of [
  ['a.rst', 'Acme\n====\n\n`Acme`_\n\n'],
  ['a.adoc', '== Acme\n\n<<Acme>>\n\n'],
] as const)
  test(`many headings of ${path} are changed in linear time`, () => {
    const page = (count: number) => piece.repeat(count)
    const replacement = { from: 'Acme', to: 'Zenith', inCode: false }
    assertLinear(page, (text) => findTermPlaces({ path, text }, replacement), { size: 8_000, name: path, maxRatio: 2 })
  })
