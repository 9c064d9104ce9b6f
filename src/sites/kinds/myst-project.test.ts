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

test('a project of MyST names its files, and labels are not judged by headings', async () => {
  const result = await checkFiles(memoryTree({ ...pages, 'docs/myst.yml': contents }))
  assert.deepEqual([result.sites[0]?.kind, result.sites[0]?.config, result.pages], ['sphinx', 'docs/myst.yml', 2])
  assert.equal(showFindings(result.findings), 'docs/index.md:3 link gone.md\ndocs/myst.yml:9 navigation missing.md')
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
