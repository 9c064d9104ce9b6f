// Pages of reStructuredText. The expected values are those of docutils 0.19 and Sphinx 5.3.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applySplices } from '../text.ts'
import { parsePage } from '../markdown.ts'
import { readRst, readToctrees } from './rst.ts'

type Row = readonly [name: string, text: string, expected: unknown]

function headingsOf(text: string): string[] {
  return readRst(text).headings.map(({ depth, text: words, slug }) => `${depth} ${words} #${slug}`)
}

const headings: readonly Row[] = [
  ['marks in the order of their styles', 'A\n=\n\nB\n~\n\nC\n=\n', ['1 A #a', '2 B #b', '1 C #c']],
  ['a line above and below', '===\n A\n===\n\nB\n===\n', ['1 A #a', '2 B #b']],
  [
    'no markup',
    'The ``x`` of *y* and :func:`z`\n------------------------------\n',
    ['1 The x of y and z() #the-x-of-y-and-z'],
  ],
  ['the text of a link', '`A b <https://x.y>`_ c_\n=======================\n', ['1 A b c #a-b-c']],
  ['the same text twice, and no letters', 'A\n=\n\nA\n=\n\n你好\n====\n', ['1 A #a', '1 A #id1', '1 你好 #id2']],
  ['digits first', '3.2 Élan & Øl\n=============\n', ['1 3.2 Élan & Øl #elan-ol']],
  ['a label of the same name', '.. _a:\n\nA\n=\n', ['1 A #a']],
  ['a footnote takes a number', 'A [1]_\n\nB\n=\n\nB\n=\n\n.. [1] x\n', ['1 B #b', '1 B #id2']],
  ['a short line is text', 'Abcd\n==\n', []],
  ['a list item with a line is a title', '1. A\n====\n', ['1 1. A #a']],
  ['none in a directive, except `only`', '.. note::\n\n   A\n   =\n\n.. only:: html\n\n   B\n   =\n', ['1 B #b']],
  ['a transition', 'a\n\n----\n\nb\n', []],
  ['a level that is skipped', 'A\n=\n\nB\n-\n\nC\n~\n\nD\n=\n\nE\n~\n', ['1 A #a', '2 B #b', '3 C #c', '1 D #d']],
]

for (const [name, text, expected] of headings)
  test(`a title: ${name}`, () => assert.deepEqual(headingsOf(text), expected))

function linksOf(text: string): string[] {
  const { links } = readRst(text)
  for (const { kind, start, end, url } of links)
    if (kind !== 'autolink') assert.equal(text.slice(start, end).replace(/\s+/g, ''), url.replace(/\s+/g, ''))
  return links.map(({ kind, url, label }) => `${kind} ${url}${label ? ` [${text.slice(label.start, label.end)}]` : ''}`)
}

const links: readonly Row[] = [
  ['roles', ':doc:`a/b`, :doc:`x y </c>`, :ref:`L`, :ref:`t <l m>`, :numref:`f`, :any:`q`, :download:`z <f.zip>`', [
    'doc a/b', 'doc /c [x y]', 'ref L', 'ref l m [t]', 'ref f', 'any q', 'file f.zip [z]',
  ]],
  ['other roles, code and escapes', ':func:`a` ``:doc:`b``` \\:doc:`c` :doc:`!d` :std:doc:`e`', ['doc e']],
  ['addresses', '`a b <https://x.y/z>`_ https://q.r/s. (http://t.u)', [
    'link https://x.y/z [a b]', 'autolink https://q.r/s [https://q.r/s]', 'autolink http://t.u [http://t.u]',
  ]],
  ['an address in two lines', '`a\nb\n<https://x.y/\nz>`__', ['link https://x.y/z [a\nb]']],
  ['definitions', '.. _a b: https://x.y\n.. _`c: d`: e\n\n__ f\n\n.. __: g\n', [
    'definition https://x.y', 'definition e', 'definition f', 'definition g',
  ]],
  ['a toctree', '.. toctree::\n   :maxdepth: 2\n\n   a/b\n   Title <c>\n   self\n   X <https://x.y>\n', [
    'doc a/b', 'doc c [Title]', 'link https://x.y [X]',
  ]],
  ['files', '.. include:: a.txt\n\n.. literalinclude:: /b.py\n   :language: x\n\n.. include:: <isonum.txt>\n', ['include a.txt', 'include /b.py']],
  ['images', '.. figure:: a.png\n   :alt: An a\n   :target: https://x.y\n\n   With :ref:`b`\n\n.. |c| image:: d.svg\n', [
    'image a.png [An a]', 'link https://x.y', 'ref b', 'image d.svg',
  ]],
  ['a table of a file', '.. csv-table:: T\n   :file: a.csv\n', ['include a.csv']],
  ['nested bodies', '* a\n\n  1. b\n\n     .. note:: :doc:`c`\n\n        :ref:`d`\n', ['doc c', 'ref d']],
  ['a grid', '+-----------+---+\n| :doc:`a`  | b |\n| `c        | d |\n| <e>`_     |   |\n+-----------+---+\n', ['doc a', 'link e [c]']],
  ['a simple table', '====== ========\na      b\n====== ========\nc      :ref:`d`\n\\      :doc:`e`\n====== ========\n', ['ref d', 'doc e']],
  ['not in comments and code', '.. :doc:`a`\n   :doc:`b`\n\n::\n\n   :doc:`c`\n\n.. code:: x\n\n   :doc:`d`\n\n>>> :doc:`e`\n', []],
  ['after a comment without text', '..\n\n   :doc:`a`\n', ['doc a']],
] // prettier-ignore

for (const [name, text, expected] of links) test(`links: ${name}`, () => assert.deepEqual(linksOf(text), expected))

/** The page with its prose in brackets and its code in braces. */
function marked(text: string): string {
  const { prose, code } = readRst(text)
  const wrap = (ranges: readonly { start: number; end: number }[], [open, close]: readonly [string, string]) =>
    ranges.map(({ start, end }) => ({ start, end, text: open + text.slice(start, end) + close }))
  return applySplices(text, [...wrap(prose, ['[', ']']), ...wrap(code, ['{', '}'])])
}

const prose: readonly Row[] = [
  ['a paragraph', 'a *b* ``c`` |d| e_ [1]_\nf', '[a ]*[b]* {``c``} |d| e_ [1]_[\nf]'],
  ['roles', ':doc:`a` :doc:`b <c>` :guilabel:`d` :file:`e` :func:`f`', ':doc:`a` :doc:`[b] <c>` :guilabel:`[d]` {:file:`e`} :func:`f`'],
  ['literal blocks', 'a::\n\n   b\n\n   c\n\nd ::\n\n> e\n\n::\n\n  f', '[a:]:\n\n   {b\n\n   c}\n\n[d] ::\n\n{> e}\n\n::\n\n  {f}'],
  ['lists', '- a\n  b\n\n1. c\n\nd\n   e\n\n:f: g\n\n-h  i\n', '- [a\n  b]\n\n1. [c]\n\n[d]\n   [e]\n\n:f: [g]\n\n{-h}  [i]\n'],
  ['an indented line after text', 'a\nb\n  c\n', '[a\nb]\n  [c]\n'],
  ['directives', '.. note:: a\n   :class: x\n\n   b\n\n.. versionadded:: 1.2 c\n\n.. py:function:: d(e)\n\n   f\n', '.. note:: [a]\n   :class: x\n\n   [b]\n\n.. versionadded:: 1.2 [c]\n\n.. py:function:: d(e)\n\n   [f]\n'],
  ['code', '.. code-block:: c\n   :caption: a\n\n   b\n\n.. raw:: html\n\n   <b>\n', '.. code-block:: c\n   :caption: [a]\n\n   {b}\n\n.. raw:: html\n\n   {<b>}\n'],
  ['lines and quotes', '| a\n| b\n\n  c\n', '| [a]\n| [b]\n\n  [c]\n'],
  ['fields of the page', ':orphan:\n:author: x\n\na\n', ':orphan:\n:author: x\n\n[a]\n'],
  ['a glossary', '.. glossary::\n\n   a\n   b\n      c\n', '.. glossary::\n\n   [a]\n   [b]\n      [c]\n'],
  ['a substitution', '.. |a| replace:: b *c*\n', '.. |a| replace:: [b ]*[c]*\n'],
  ['names of links that all agree', '`a b`_ `a b`_\n\n.. _a b: c\n', '`[a b]`_ `[a b]`_\n\n.. _[a b]: c\n'],
  ['names of links that differ', '`A b`_\n\n.. _a b: c\n', '`A b`_\n\n.. _a b: c\n'],
  ['names of labels', '`a b`_\n\n.. _a b:\n', '`a b`_\n\n.. _a b:\n'],
  ['tabs', '-\ta\n\tb\n', '-\t[a\n\tb]\n'],
] // prettier-ignore

for (const [name, text, expected] of prose) test(`prose: ${name}`, () => assert.equal(marked(text), expected))

test('a label has the title of what it names', () => {
  const text = `.. _a:
.. _B c:

Title *x*
=========

.. _d:

.. figure:: e.png

   Caption

.. _f:

Text

.. _g:

.. index:: h

i
  j

.. code-block:: c
   :name: k
   :caption: l
`
  const { labels, headings: found } = readRst(text)
  assert.deepEqual(
    labels.map(({ name, title, start, end }) => [name, title, text.slice(start, end)]),
    [
      ['a', 'Title x', 'a'],
      ['b c', 'Title x', 'B c'],
      ['d', 'Caption', 'd'],
      ['f', undefined, 'f'],
      ['g', 'i', 'g'],
      ['k', 'l', 'k'],
    ],
  )
  assert.equal(labels[0]?.heading, 0)
  assert.equal(found[0]?.slug, 'title-x')
})

test('a toctree has its options, and its entries with ranges', () => {
  const text = '.. toctree::\n   :glob:\n   :caption: Guides\n   :hidden:\n\n   a*\n   My page <b>\n\n'
  const [toctree] = readToctrees(text)
  assert.deepEqual(Object.fromEntries(toctree?.options ?? []), { glob: '', caption: 'Guides', hidden: '' })
  assert.equal(toctree?.column, 3)
  const entries = toctree?.entries.map(({ kind, target, title, whole }) => [
    kind,
    target,
    title?.text,
    text.slice(whole.start, whole.end),
  ])
  assert.deepEqual(entries, [
    ['glob', 'a*', undefined, 'a*'],
    ['doc', 'b', 'My page', 'My page <b>'],
  ])
})

test('roles and directives of other kinds are counted', () => {
  const page = readRst(':orphan: x\n\n:func:`a` :py:func:`b` `c`\n\n.. only:: html\n\n   d\n\n.. automodule:: e\n')
  assert.deepEqual(Object.fromEntries(page.roles), { 'func a': 1, 'py:func b': 1, '': 1 })
  assert.deepEqual(Object.fromEntries(page.directives), { only: 1, automodule: 1 })
  assert.equal(page.conditional.length, 1)
  assert.deepEqual(
    page.fields.map(({ name }) => name),
    ['orphan'],
  )
})

test('the name of a file decides that it is reStructuredText', () => {
  assert.equal(parsePage('a.rst', 'A\n=\n').syntax, 'rst')
  assert.equal(parsePage('a.md', 'A\n=\n').syntax, 'markdown')
  assert.equal(parsePage('a.rst', 'y'.repeat(2_000_001)).problem?.message, 'The page is too large to parse.')
})
