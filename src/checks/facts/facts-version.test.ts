import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { docsSite } from '../../../test/support/docs-sites.ts'
import { siteKinds } from '../../sites/kinds.ts'
import { factsVersion } from './facts-version.ts'
import { readData } from './read-data.ts'
import { readPage } from './read-page.ts'

/** All forms that the facts distinguish. */
const samples = [
  '---\ntitle: A\ntags: [b]\n---\n\n# A {#own}\n\n## B & `c`\n\n## B & `c`\n\n[a](b.md#c "d") [e][f] <g.md>\n\n[f]: /g?h#i\n',
  '+++\ntitle = "A"\n+++\n\n![a](b.png)\n\n<a href="c" id="d">e</a> <img src="f.svg">\n\n```js\n[no](link)\n```\n',
  "import A from './a.mdx'\n\n<Card title='B' href='/c' icon={<D />}>\n\n[e](f)\n\n</Card>\n\n<ASource src='i.ts' />\n<Teleport to='j' />\n\n{/* g */}\n\n<E to='h' />\n",
  '---\na: "b\n---\n\n{{#include a.rs:2}}\n\n--8<-- "b.md"\n\n<<< ./c.ts\n\n<!--@include: ./d.md-->\n\n~~~\nopen\n',
  '<Card>\n\n- a\n  - [b](c)\n\n> ## D\n\n| e | f |\n| - | - |\n| [g](h) | i |\n\nJ\n===\n\n{% k %} {{ l }} [^m]\n\n[^m]: n\n',
  '---\nopenapi: get /a\n---\n\n::: tip [a](b)\n:::\n\n<script>\nimport C from "./d.vue"\n</script>\n\n## E {#f .g}\n\n[[h]]\n',
  '+++\ntitle = "A"\naliases = ["b"]\n+++\n\n[c]({{< ref "d.md" >}}#e) {{% f g=1 %}}\n\n## H {.i #j}\n\nK\n: l\n\n=== "N"\n\n{{</* m */>}}\n',
  '{"openapi":"3.1.0","components":{"a/b":{"$ref":"#/components/c"}},"d":{"$ref":"e.json#/f"}}',
  '`a`_ b_\n\n.. _b: c\n',
  '= A\n:page-location: b.adoc\n',
  ':d:`a` :e:`b` :f:`c`\n\n.. role:: e\n\n.. d:: a(b)\n\n.. glossary::\n\n   G\n      h\n',
  '<div markdown="1">\n\n## É a\n\n</div>\n',
  '<p markdown="1">a</p>\n',
  'openapi: 3.1.0\ncomponents:\n  a:\n    $ref: "#/components/b"\n',
  '[a], [b](c) <include>d</include>\n\n[a]: e\n[a]: f\n[b]: g\n',
  '{"a": 1,,}',
  'a: [b\n',
]

// The version is the hash itself, so nobody can change the facts and keep the version. Copy the hash that it prints.
test('the version of the facts changes with the facts', () => {
  const texts = [...samples, ...siteKinds.flatMap((kind) => Object.values(docsSite(kind).files))]
  const facts = texts.map((text) => [
    readPage('markdown', text),
    readPage('mdx', text),
    readPage('mdx-comments', text),
    readPage('kramdown', text),
    readPage('shortcodes', text),
    readPage('asciidoc', text),
    readPage('asciidoc-site', text),
    readPage('rst', text),
    readPage('myst', text),
    ...['a.json', 'a.yaml', 'a.toml', '.vscode/a.json'].map((path) => readData(path, text)),
  ])
  assert.equal(factsVersion, hash('sha256', JSON.stringify(facts)).slice(0, 12))
})
