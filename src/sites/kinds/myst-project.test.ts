import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles, showFindings } from '../../../test/support/check-files.ts'
import { memoryTree } from '../../../test/support/docs-sites.ts'

const pages = {
  'docs/index.md': '# A\n\n[a](#fig) [b](#elsewhere) [c](gone.md) [d](./b.md#x) {doc}`b`\n',
  'docs/b.md': '# B\n\n```{figure} a.png\n:label: fig\nText.\n```\n',
  'docs/a.png': 'PNG',
  'docs/drafts/c.md': '[a](none.md)\n',
}
const contents = `project:
  exclude:
    - drafts/*
  toc:
    - file: index.md
    - title: More
      children:
        - file: b.md
        - file: missing.md
        - url: https://acme.dev
`

test('a project of MyST names its files, and labels by pages', async () => {
  const result = await checkFiles(memoryTree({ ...pages, 'docs/myst.yml': contents }))
  assert.deepEqual([result.sites[0]?.kind, result.sites[0]?.config, result.pages], ['sphinx', 'docs/myst.yml', 2])
  assert.equal(
    showFindings(result.findings),
    'docs/index.md:3 anchor #elsewhere\ndocs/index.md:3 anchor ./b.md#x\ndocs/index.md:3 link gone.md\ndocs/myst.yml:9 navigation missing.md',
  )
})

test('a table of contents of Jupyter Book names files without an ending', async () => {
  const toc = 'format: jb-book\nroot: index\nchapters:\n  - file: b\n  - file: missing\n'
  const result = await checkFiles(memoryTree({ ...pages, 'docs/_toc.yml': toc, 'docs/_config.yml': 'title: A\n' }))
  assert.deepEqual(
    result.sites.map(({ kind }) => kind),
    ['sphinx', 'plain'],
  )
  assert.match(showFindings(result.findings), /docs\/_toc\.yml:5 navigation missing/)
})

test('a folder with conf.py is one site of Sphinx', async () => {
  const result = await checkFiles(
    memoryTree({ ...pages, 'docs/myst.yml': contents, 'docs/conf.py': "project = 'A'\n" }),
  )
  assert.deepEqual(
    result.sites.map(({ config }) => config),
    ['docs/conf.py', undefined],
  )
})

test('a page that the contents of MyST leave out is found beside many that they name', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const others = Object.fromEntries(names.map((name) => [`docs/${name}.md`, '# A\n']))
  const toc = `project:\n  toc:\n${['a', 'b', 'c', 'd', 'e'].map((name) => `    - file: ${name}.md\n`).join('')}`
  const found = async (text: string) =>
    showFindings((await checkFiles(memoryTree({ ...others, 'docs/myst.yml': text }))).findings)
  assert.equal(await found(toc), 'docs/f.md:1 unlisted ')
  assert.equal(await found(`${toc}    - pattern: f*.md\n`), '')
})

// mystmd 1.8.3 warns about the targets that are found.
test('anchors of MyST are known on all pages, as mystmd makes them', async () => {
  const files = {
    'docs/myst.yml': 'project:\n  toc:\n    - file: index.md\n    - file: b.md\n',
    'docs/index.md': `# Index

## It's 2: do_it

[a](#nope) [b](b.md#nope2) [c](b.md#b-sub) [d](#B-Sub) [e](#its-2-do-it) [g](#eq1) [h](b.md#eq2)
[i](#fig1) [j](#para) [k](#cell) [l](#my_label) [m](#frontlabel) [n](#b) [p](index.md#b-sub) [o](#fig1-b)
`,
    'docs/b.md': `---
label: frontlabel
---
# B page

## B Sub

(my_label)=
## Other

$$
x
$$ (eq1)

\`\`\`{math}
:label: eq2
y
\`\`\`

:::{figure} x.png
:label: fig1
cap
:::

(para)=
A paragraph.

+++ {"label": "cell"}
`,
    'docs/x.png': 'PNG',
  }
  const found = async (more: Readonly<Record<string, string>>) =>
    (await checkFiles(memoryTree(files, more))).findings.map(({ target }) => target).join(' ')
  assert.equal(await found({}), '#nope b.md#nope2 #b')
  assert.equal(await found({ 'docs/c.md': ':::{own}\n:::\n' }), 'b.md#nope2')
  assert.equal(await found({ 'docs/c.ipynb': '{}' }), '')
})
