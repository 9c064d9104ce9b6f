import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import { createMoveFileTool } from './move-file.ts'

const move = createMoveFileTool()
const signal = new AbortController().signal

type Files = Readonly<Record<string, string>>
type Case = readonly [name: string, files: Files, from: string, to: string, after: Files]

async function moveIn(files: Files, from: string, to: string) {
  const workspace = createMemoryWorkspace(files)
  const result = await move.run({ from, to }, { workspace, signal })
  return { ...result, texts: workspace.texts() }
}

const page = '---\ntitle: P\n---\n\n# P\n'

const moves: readonly Case[] = [
  [
    'from the root without extension',
    { 'cli/install.mdx': page, 'docs.json': '{}', 'a.mdx': '[x](/cli/install#a?b)\r\n' },
    'cli/install.mdx',
    'setup/cli.mdx',
    { 'a.mdx': '[x](/setup/cli#a?b)\r\n' },
  ],
  [
    'from the root with extension',
    { 'cli/install.mdx': page, 'a.mdx': '[x](/cli/install.mdx?v=1#a)' },
    'cli/install.mdx',
    'cli/setup.md',
    { 'a.mdx': '[x](/cli/setup.md?v=1#a)' },
  ],
  [
    'relative, with and without dots',
    {
      'cli/install.mdx': page,
      'cli/b.mdx': '[x](install) [y](./install.mdx) [z](../cli/install)',
      'a.mdx': '[x](cli/install)',
    },
    'cli/install.mdx',
    'guides/x.mdx',
    { 'cli/b.mdx': '[x](../guides/x) [y](../guides/x.mdx) [z](../guides/x)', 'a.mdx': '[x](guides/x)' },
  ],
  [
    'a dot and a slash stay',
    { 'cli/install.mdx': page, 'cli/b.mdx': '[x](./install)' },
    'cli/install.mdx',
    'cli/setup.mdx',
    { 'cli/b.mdx': '[x](./setup)' },
  ],
  [
    'a trailing slash stays',
    { 'cli/install.mdx': page, 'b.mdx': '[x](/cli/install/)' },
    'cli/install.mdx',
    'cli/setup.mdx',
    { 'b.mdx': '[x](/cli/setup/)' },
  ],
  [
    'definitions, images, attributes, expressions and imports',
    {
      'i/a.mdx': page,
      'b.mdx':
        'import A from "./i/a.mdx"\n\n<Card href="/i/a" to={"/i/a#x"} list={[{ href: \'/i/a\' }]} />\n\n[x][r] ![y](/i/a.mdx)\n\n[r]: i/a "T"\n',
    },
    'i/a.mdx',
    'j/b.mdx',
    {
      'b.mdx':
        'import A from "./j/b.mdx"\n\n<Card href="/j/b" to={"/j/b#x"} list={[{ href: \'/j/b\' }]} />\n\n[x][r] ![y](/j/b.mdx)\n\n[r]: j/b "T"\n',
    },
  ],
  [
    'code and words stay',
    {
      'cli/install.mdx': page,
      'b.mdx': '`/cli/install` and cli/install\n\n```\n[x](/cli/install)\n```\n[x](https://x.y/cli/install)',
    },
    'cli/install.mdx',
    'cli/setup.mdx',
    {},
  ],
  [
    'the page\u2019s own links',
    {
      'cli/install.mdx':
        '[a](login) [b](../guides/x#y) [c](/cli/login) [d](#here) [e](/cli/install#z) ![f](./i.png) [g](gone)',
      'cli/login.mdx': page,
      'guides/x.mdx': page,
      'cli/i.png': 'x',
    },
    'cli/install.mdx',
    'install.mdx',
    {
      'install.mdx':
        '[a](cli/login) [b](guides/x#y) [c](/cli/login) [d](#here) [e](/install#z) ![f](./cli/i.png) [g](gone)',
    },
  ],
  [
    'navigation of docs.json, byte for byte',
    {
      'cli/install.mdx': page,
      'docs.json':
        '{\r\n\t"name": "install",\r\n\t"navigation": {"pages": [ "index","cli/install" ,{"group":"cli/install","root": "cli/install","pages":["/cli/install.mdx"]}]},\r\n "redirects":[{"source":"/cli/install","destination":"/cli/install#x"}]}',
    },
    'cli/install.mdx',
    'setup.mdx',
    {
      'docs.json':
        '{\r\n\t"name": "install",\r\n\t"navigation": {"pages": [ "index","setup" ,{"group":"cli/install","root": "setup","pages":["/setup.mdx"]}]},\r\n "redirects":[{"source":"/cli/install","destination":"/setup#x"}]}',
    },
  ],
  [
    'a bare name in a list of pages',
    { 'install.mdx': page, 'docs.json': '{"icon":"install","pages":["install"]}' },
    'install.mdx',
    'setup.mdx',
    { 'docs.json': '{"icon":"install","pages":["setup"]}' },
  ],
  [
    'a site in a folder',
    {
      'docs/cli/install.mdx': page,
      'docs/docs.json': '{"pages":["cli/install"]}',
      'docs/a.mdx': '[x](/cli/install)',
      'README.md': '[x](docs/cli/install.mdx)',
    },
    'docs/cli/install.mdx',
    'docs/setup.mdx',
    { 'docs/docs.json': '{"pages":["setup"]}', 'docs/a.mdx': '[x](/setup)', 'README.md': '[x](docs/setup.mdx)' },
  ],
  [
    'mkdocs.yml',
    {
      'docs/cli/install.md': page,
      'mkdocs.yml':
        "site_name: install\nnav:\n  - Home: index.md\n  - Install: 'cli/install.md' # here\n  - cli/install.md\n",
    },
    'docs/cli/install.md',
    'docs/setup.md',
    { 'mkdocs.yml': "site_name: install\nnav:\n  - Home: index.md\n  - Install: 'setup.md' # here\n  - setup.md\n" },
  ],
  [
    'SUMMARY.md',
    { 'cli/install.md': page, 'SUMMARY.md': '* [Install](cli/install.md)\n' },
    'cli/install.md',
    'setup.md',
    { 'SUMMARY.md': '* [Install](setup.md)\n' },
  ],
  [
    '_meta.json in the same folder',
    { 'cli/install.mdx': page, 'cli/_meta.json': '{\n  "install": "Install it"\n}' },
    'cli/install.mdx',
    'cli/setup.mdx',
    { 'cli/_meta.json': '{\n  "setup": "Install it"\n}' },
  ],
  [
    '_meta.json of two folders',
    {
      'cli/install.mdx': page,
      'cli/_meta.json': '{\n  "a": "A",\n  "install": "I"\n}',
      'g/_meta.json': '{\n  "b": "B"\n}\n',
    },
    'cli/install.mdx',
    'g/install.mdx',
    { 'cli/_meta.json': '{\n  "a": "A"\n}', 'g/_meta.json': '{\n  "b": "B",\n  "install": "I"\n}\n' },
  ],
  [
    'sidebars.js',
    { 'docs/cli/install.md': page, 'sidebars.js': "module.exports = { d: ['cli/install', 'x'] }" },
    'docs/cli/install.md',
    'docs/cli/setup.md',
    { 'sidebars.js': "module.exports = { d: ['cli/setup', 'x'] }" },
  ],
  [
    'an index page by its folder',
    { 'cli/index.mdx': page, 'b.mdx': '[x](/cli) [y](cli/) [z](/cli/index)' },
    'cli/index.mdx',
    'guides/cli.mdx',
    { 'b.mdx': '[x](/guides/cli) [y](guides/cli/) [z](/guides/cli)' },
  ],
  [
    'the page at the root',
    { 'index.mdx': page, 'b.mdx': '[x](/) <Card href="/" />' },
    'index.mdx',
    'home.mdx',
    { 'b.mdx': '[x](/home) <Card href="/home" />' },
  ],
  [
    'an image',
    {
      'images/a.png': 'x',
      'b.mdx': '![x](/images/a.png) <img src="images/a.png"/>',
      'docs.json': '{"logo":{"light":"/images/a.png"},"icon":"/images/a.png"}',
    },
    'images/a.png',
    'images/b c.png',
    {
      'b.mdx': '![x](/images/b%20c.png) <img src="images/b%20c.png"/>',
      'docs.json': '{"logo":{"light":"/images/b c.png"},"icon":"/images/b c.png"}',
    },
  ],
  [
    'names with spaces',
    { 'a b.mdx': page, 'c.mdx': '[x](</a b>) [y](/a%20b)' },
    'a b.mdx',
    'd.mdx',
    { 'c.mdx': '[x](</d>) [y](/d)' },
  ],
  [
    'frontmatter',
    { 'images/a.png': 'x', 'b.mdx': '---\ntitle: a.png\nog: /images/a.png\n---\n' },
    'images/a.png',
    'i.png',
    { 'b.mdx': '---\ntitle: a.png\nog: /i.png\n---\n' },
  ],
  [
    'MDX that does not parse',
    {
      'cli/install.mdx': page,
      'b.mdx': '<br>\n\nimport A from "/cli/install.mdx"\n\n<Card x={1} href="/cli/install">\n\n[x](/cli/install)',
    },
    'cli/install.mdx',
    'c.mdx',
    { 'b.mdx': '<br>\n\nimport A from "/c.mdx"\n\n<Card x={1} href="/c">\n\n[x](/c)' },
  ],
  [
    'HTML in Markdown',
    {
      'a/b.md': page,
      'c.md': '<a href="a/b.md">x</a>\n\n<div>\n<img src=\'/x.png\'><a class=x href=/a/b>y</a>\n</div>',
    },
    'a/b.md',
    'd.md',
    { 'c.md': '<a href="d.md">x</a>\n\n<div>\n<img src=\'/x.png\'><a class=x href=/d>y</a>\n</div>' },
  ],
  [
    'a page of the same name in another folder',
    { 'a/x.mdx': page, 'b/x.mdx': page, 'b/y.mdx': '[1](x) [2](/a/x) [3](/b/x)' },
    'a/x.mdx',
    'a/z.mdx',
    { 'b/y.mdx': '[1](x) [2](/a/z) [3](/b/x)' },
  ],
  [
    'a bare word in other JSON is a word',
    { 'x.mdx': page, 'package.json': '{"name":"x","pages":["x"],"main":"x.mdx"}' },
    'x.mdx',
    'z.mdx',
    { 'package.json': '{"name":"x","pages":["x"],"main":"z.mdx"}' },
  ],
  ['files of tools are left alone', { 'a/x.mdx': page, '.github/w.yml': 'paths: [a/x.mdx]' }, 'a/x.mdx', 'a/z.mdx', {}],
]

for (const [name, files, from, to, after] of moves) {
  test(`move_file keeps links right: ${name}`, async () => {
    const result = await moveIn(files, from, to)
    assert.equal(result.isError, undefined, result.text)
    const { [from]: moved = '', ...others } = files
    assert.deepEqual(result.texts, { ...others, [to]: moved, ...after })
  })
}

test('move_file lists the files that it changed', async () => {
  const files = { 'a.mdx': page, 'b.mdx': '[1](/a) [2](a)', 'docs.json': '{"navigation":{"pages":["a"]}}' }
  const listed =
    /^\[moved a\.mdx to c\.mdx; 3 references in 2 files changed\]\nb\.mdx: 2\ndocs\.json: 1\n\[no redirect from/
  assert.match((await moveIn(files, 'a.mdx', 'c.mdx')).text, listed)
})

test('move_file changes nothing when it cannot move', async () => {
  const files = { 'a.mdx': page, 'b.mdx': '[1](/a)', 'c/a.mdx': 'x' }
  for (const [from, to] of [
    ['a.mdx', 'b.mdx'],
    ['a.mdx', 'a.mdx'],
    ['x.mdx', 'y.mdx'],
    ['a.mdx', '../y.mdx'],
    ['c', 'd'],
  ] as const) {
    const workspace = createMemoryWorkspace(files)
    const result = await move.run({ from, to }, { workspace, signal }).catch(() => ({ isError: true }))
    assert.equal(result.isError, true)
    assert.deepEqual(workspace.texts(), files)
  }
})

test('moving a page away and back gives the same bytes', async () => {
  const files = {
    'a/x.mdx': '[y](y)\r\n[r](/a/x#z)',
    'a/y.mdx': '[x](x#z) [x](./x.mdx) [x](/a/x)\r\n',
    'docs.json': '{ "pages": ["a/x","a/y"] }',
  }
  const target = fc.constantFrom('b/z.mdx', 'a/z.mdx', 'z.mdx', 'a/b/c/x.mdx')
  await fc.assert(
    fc.asyncProperty(target, async (to) => {
      const workspace = createMemoryWorkspace(files)
      await move.run({ from: 'a/x.mdx', to }, { workspace, signal })
      await move.run({ from: to, to: 'a/x.mdx' }, { workspace, signal })
      assert.deepEqual({ ...workspace.texts(), 'a/y.mdx': '' }, { ...files, 'a/y.mdx': '' })
      assert.match(
        workspace.text('a/y.mdx') ?? '',
        /\[x\]\((?:\.\/)?x#z\) \[x\]\((?:\.\/)?x\.mdx\) \[x\]\(\/a\/x\)\r\n/,
      )
    }),
    { numRuns: 8 },
  )
})
