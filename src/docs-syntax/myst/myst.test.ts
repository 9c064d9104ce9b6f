// The additions of MyST to Markdown. The expected values are those of myst-parser 0.18.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMyst } from './myst.ts'

const text = `(my-label)=
# Title

See {doc}\`a/b\`, {ref}\`the x <my-label>\` and {func}\`f\`.

\`\`\`{toctree}
:maxdepth: 1

one
Two <two>
\`\`\`

:::{note} Head
:class: x

In a note: [c](c.md).
:::

\`\`\`{warning}
Careful with [d](d.md) and {doc}\`e\`.
\`\`\`

\`\`\`{figure} f.png
:alt: An f

Caption [g](g.md)
\`\`\`

\`\`\`python
h = 1
\`\`\`
`

test('roles and directives are links, and their texts are prose', () => {
  const page = readMyst(text)
  assert.deepEqual(
    page.links.map(({ kind, url }) => `${kind} ${url}`),
    ['doc a/b', 'ref my-label', 'doc one', 'doc two', 'link c.md', 'link d.md', 'doc e', 'image f.png', 'link g.md'],
  )
  for (const { start, end, url } of page.links) assert.equal(text.slice(start, end), url)
  const prose = page.prose.map(({ start, end }) => text.slice(start, end)).join('|')
  for (const word of ['the x', 'Two', 'In a note', 'Careful', 'Caption', 'An f']) assert.match(prose, new RegExp(word))
  for (const word of ['my-label', 'class', 'maxdepth', '{', ':::', 'h = 1']) assert.ok(!prose.includes(word), word)
  assert.deepEqual(Object.fromEntries(page.roles), { 'func f': 1 })
})

test('a label has the title of its heading', () => {
  assert.deepEqual(
    readMyst(text).labels.map(({ name, title, heading }) => [name, title, heading]),
    [['my-label', 'Title', 0]],
  )
})

test('a toctree between colons is no prose', () => {
  const { toctrees, prose } = readMyst(':::{toctree}\na\nb\n:::\n\nc\n')
  assert.deepEqual(
    toctrees[0]?.entries.map(({ target }) => target),
    ['a', 'b'],
  )
  assert.equal(prose.length, 1)
})

test('reStructuredText in a fence is read as such', () => {
  const { links } = readMyst('a\n\n```{eval-rst}\n.. include:: b.txt\n\n:doc:`c`\n```\n')
  assert.deepEqual(
    links.map(({ kind, url }) => `${kind} ${url}`),
    ['include b.txt', 'doc c'],
  )
})

test('a body begins after the first line and the options of its directive', () => {
  const page = readMyst(
    '````{card}\n```sh\na\n\nb\n```\n````\n\n```{figure} f.png\n---\nname: fig\n---\n[c](c.md)\n```\n\n:::{table} T\n:label: tab\n\n[d](d.md)\n:::\n',
  )
  assert.deepEqual(
    page.links.map(({ kind, url }) => `${kind} ${url}`),
    ['image f.png', 'link c.md', 'link d.md'],
  )
  assert.deepEqual(
    page.labels.map(({ name }) => name),
    ['fig', 'tab'],
  )
  assert.equal(page.code.length, 1)
})

test('a comment is neither prose nor links nor code', () => {
  const { links, prose } = readMyst('% [a](a.md)\n\nText\n% ```sh\n% b\n% ```\n')
  assert.deepEqual([links.length, prose.map(({ start }) => start)], [0, [13]])
})
