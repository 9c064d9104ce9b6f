import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readData } from './read-data.ts'
import { readPage } from './read-page.ts'

test('links, images and imports come with their lines', () => {
  const page = readPage(
    'mdx',
    `---
title: A
---

import Note from './note.mdx'

See [one](/one#x) and ![two](two.png).

<Card href="/three" img="/images/four.png" icon="/five" />
<link href="/style" />

\`\`\`md
[no](/no)
\`\`\`
`,
  )
  assert.deepEqual(
    page.links.map(({ kind, url, line }) => [kind, url, line]),
    [
      ['import', './note.mdx', 5],
      ['link', '/one#x', 7],
      ['image', 'two.png', 7],
      ['link', '/three', 9],
      ['image', '/images/four.png', 9],
    ],
  )
  assert.deepEqual(page.frontmatter?.names, ['title'])
  assert.equal(page.problem, null)
})

test('a fence that nothing closes is found, in a list too', () => {
  const fence = (text: string) => readPage('markdown', text).openFence
  assert.equal(fence('# A\n\n```js\nlet a\n```\n'), null)
  assert.equal(fence('# A\n\n```js\nlet a\n'), 3)
  assert.equal(fence('````md\n```js\n```\n````\n'), null)
  assert.equal(fence('````md\n```\n'), 1)
  assert.equal(fence('- a\n\n  ~~~\n  b\n  ~~~\n'), null)
  assert.equal(fence('- a\n\n  ~~~\n  b\n\nc\n'), 3)
  assert.equal(fence('> ```\n> a\n> ```\n'), null)
  assert.equal(fence('    indented\n'), null)
})

test('a page that does not compile is still read for its links', () => {
  const page = readPage('mdx', '# A\n\n<Card>\n\n[one](/one)\n')
  assert.equal(page.problem?.line, 3)
  assert.deepEqual(
    page.links.map(({ url }) => url),
    ['/one'],
  )
})

test('comments and heading ids of Docusaurus are no faults', () => {
  const text = '<!-- a -->\n\n## Install {#own}\n\n[x](#own)\n'
  assert.notEqual(readPage('mdx', text).problem, null)
  const page = readPage('mdx-comments', text)
  assert.equal(page.problem, null)
  assert.deepEqual(page.headings, [{ text: '## Install {#own}', line: 3 }])
})

test('a page that is too large to parse is not judged', () => {
  const page = readPage('mdx', `# A\n\n${'<Card>\n'.repeat(6000)}`)
  assert.equal(page.problem, null)
  assert.equal(page.isOpen, true)
})

test('problems of data files have their line', () => {
  const line = (path: string, text: string) => readData(path, text).problem?.line
  assert.equal(line('a.json', '{\n  "a": 1,\n}'), 3)
  assert.equal(line('a.json', '{\n  "a": [1\n'), 2)
  assert.equal(line('a.json', '{ "a": 1 } // no'), 1)
  assert.equal(line('tsconfig.json', '{ "a": 1, } // yes'), undefined)
  assert.equal(line('a.yml', 'a: 1\nb: "x\n'), 2)
  assert.equal(line('a.yaml', 'a: 1\nb: [1, 2]\n'), undefined)
  assert.equal(line('a.toml', 'a = 1\nb = \n'), 2)
  assert.equal(line('a.toml', 'a = 1\n'), undefined)
})

test('a `$ref` within its file is a fact only if it leads nowhere', () => {
  const urls = (text: string) => readData('openapi.yaml', text).references.map(({ url, line }) => [url, line])
  const yaml = (ref: string) =>
    `openapi: 3.1.0\ncomponents:\n  schemas:\n    Plant: {}\n    Pot:\n      $ref: '${ref}'\n`
  assert.deepEqual(urls(yaml('#/components/schemas/Plant')), [])
  assert.deepEqual(urls(yaml('#/components/schemas/Gone')), [['#/components/schemas/Gone', 6]])
  assert.deepEqual(urls(yaml('./other.yaml#/A')), [['./other.yaml#/A', 6]])
  // Deeper than what is known.
  assert.deepEqual(urls(yaml('#/components/schemas/Plant/properties/name')), [])
  assert.deepEqual(urls("a:\n  $ref: '#/gone'\n"), [])
})

test('words and code blocks are counted', () => {
  const text = (source: string) => readPage('markdown', source).text
  assert.equal(text("# One two\n\nIt's [three](a.md) `no` four.\n\n| five | 6 |\n| - | - |\n")?.words, 7)
  assert.equal(text('文档 docs です\n')?.words, 5)
  assert.equal(text('---\ntitle: A page\n---\n')?.words, 0)
  const code =
    '- a\n\n  ```js\n  let a\n\n  let b\n  ```\n\n> ~~~\n> let a\n> let b\n> ~~~\n\n    let a\n    let b\n\n`no`\n\n```\n```\n'
  const blocks = text(code)?.code ?? []
  assert.deepEqual(
    blocks.map(({ first, lines }) => [first, lines]),
    [
      ['let a', 2],
      ['let a', 2],
      ['let a', 2],
    ],
  )
  assert.equal(new Set(blocks.map(({ hash }) => hash)).size, 1)
  const [one = []] = [text('One two three [four](a.md) five  six\nseven.\n')?.stretches]
  assert.deepEqual(one, text('Five words more.\n\nOne two three\n\nfive six seven.\n')?.stretches.slice(2))
})

test('a long run of marks takes no more than linear time', () => {
  // With quadratic time, each took from 7 to 100 seconds.
  for (const marks of ['`', '<!--', '{#a', '# {#a']) {
    const page = readPage('mdx-comments', marks.repeat(Math.floor(200_000 / marks.length)))
    assert.equal(page.isOpen, true, marks)
  }
  assert.equal(readPage('mdx-comments', '# A {#a}\n\n<!-- {b} -->\n\n## C {#c} \n\n<!-- d').headings.length, 2)
})

test('no text makes reading throw', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc
      .array(
        fc.constantFrom('---\n', '```', '<A', '{', '}', '[x](', ')', '# ', '{{#include ', '"', ': ', '\n', '$ref'),
        { maxLength: 60 },
      )
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, fc.constantFrom('markdown', 'mdx', 'mdx-comments'), (text, syntax) => {
      readPage(syntax, text)
      for (const path of ['a.json', 'a.yaml', 'a.toml']) readData(path, text)
    }),
    { numRuns: 200 },
  )
})
