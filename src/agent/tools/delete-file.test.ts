import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import { createDeleteFileTool } from './delete-file.ts'

const remove = createDeleteFileTool()
const signal = new AbortController().signal
const page = '---\ntitle: P\n---\n\n# P\n'

type Files = Readonly<Record<string, string>>

async function removeIn(files: Files, path: string, removeLinks = true) {
  const workspace = createMemoryWorkspace(files)
  const result = await remove.run({ path, removeLinks }, { workspace, signal })
  return { ...result, texts: workspace.texts() }
}

const removals: readonly (readonly [name: string, files: Files, path: string, after: Files])[] = [
  [
    'links become their text',
    { 'a.mdx': page, 'b.mdx': 'See [the *page*](/a#x), ![pic](/a.mdx) and [r] or [s][r].\n\n[r]: /a\n\nEnd' },
    'a.mdx',
    { 'b.mdx': 'See the *page*, pic and r or s.\n\n\nEnd' },
  ],
  [
    'a list item that is only the link goes',
    { 'a.mdx': page, 'b.mdx': '- [A](/a)\n- [B](/b) and [A](a)\n' },
    'a.mdx',
    { 'b.mdx': '- [B](/b) and A\n' },
  ],
  [
    'a list item with items under it keeps its text',
    { 'a.md': page, 'SUMMARY.md': '* [A](a.md)\n  * [B](b.md)\n' },
    'a.md',
    { 'SUMMARY.md': '* A\n  * [B](b.md)\n' },
  ],
  [
    'a list item with numbered items under it keeps its text',
    { 'a.md': page, 'SUMMARY.md': '* [A](a.md)\n  1. [B](b.md)\n* [A](a.md)\n' },
    'a.md',
    { 'SUMMARY.md': '* A\n  1. [B](b.md)\n' },
  ],
  [
    'a list item with a paragraph under it keeps its text',
    { 'a.md': page, 'b.md': '1. [A](a.md)\n\n   Why.\n2. [A](a.md)\n\nEnd' },
    'a.md',
    { 'b.md': '1. A\n\n   Why.\n\nEnd' },
  ],
  [
    'entries of a list go with their comma',
    { 'a.mdx': page, 'docs.json': '{"pages": [\n  "x",\n  "a",\n  "y"\n], "more": ["a"], "pages": ["x", "a"]}' },
    'a.mdx',
    { 'docs.json': '{"pages": [\n  "x",\n  "y"\n], "more": ["a"], "pages": ["x"]}' },
  ],
  [
    'items of mkdocs.yml go with their line',
    { 'docs/a.md': page, 'mkdocs.yml': 'nav:\n  - X: x.md\n  - A: a.md # it\n  - a.md\n  - Y: y.md\n' },
    'docs/a.md',
    { 'mkdocs.yml': 'nav:\n  - X: x.md\n  - Y: y.md\n' },
  ],
  [
    'anchors of HTML become their text and cards lose the address',
    {
      'a.mdx': page,
      'b.mdx':
        '<a href="/a" class="x">t</a>\n\n<Card title="T" href="/a">\n  x\n</Card>\n\n<img src="/a.mdx" alt="x" />!',
    },
    'a.mdx',
    { 'b.mdx': 't\n\n<Card title="T">\n  x\n</Card>\n\n!' },
  ],
  [
    'keys of _meta.json go',
    { 'g/a.mdx': page, 'g/_meta.json': '{\n  "a": "A",\n  "b": "B"\n}' },
    'g/a.mdx',
    { 'g/_meta.json': '{\n  "b": "B"\n}' },
  ],
]

for (const [name, files, path, after] of removals) {
  test(`delete_file with removeLinks: ${name}`, async () => {
    const result = await removeIn(files, path)
    assert.equal(result.isError, undefined, result.text)
    const { [path]: _gone, ...others } = files
    assert.deepEqual(result.texts, { ...others, ...after })
  })
}

test('delete_file lists the references that it leaves', async () => {
  const files = {
    'a.mdx': page,
    'b.mdx': 'import A from "/a.mdx"\n\n[x](/a)\n',
    'docs.json': '{"redirects":[{"source":"/z",\n"destination":"/a"}]}',
  }
  assert.match(
    (await removeIn(files, 'a.mdx')).text,
    /^\[deleted a\.mdx; 1 reference in 1 file changed\]\nb\.mdx: 1\nb\.mdx: still names it at line 1\ndocs\.json: still names it at line 2$/,
  )
  const unchanged = await removeIn(files, 'a.mdx', false)
  assert.match(unchanged.text, /b\.mdx: still names it at lines 1, 3/)
  assert.equal(unchanged.texts['b.mdx'], files['b.mdx'])
})

test('delete_file does not change a tag whose end it cannot find', async () => {
  const long = 'x'.repeat(10_001)
  for (const tag of [`<a href="/a" title="${long}">t</a>`, `<img src="/a.mdx" alt="${long}" />`]) {
    const { text, texts } = await removeIn({ 'a.mdx': page, 'b.mdx': `One\n\n${tag}\n` }, 'a.mdx')
    assert.match(text, /b\.mdx: still names it at line 3$/)
    assert.equal(texts['b.mdx'], `One\n\n${tag}\n`)
  }
})
