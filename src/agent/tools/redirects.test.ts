import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import { createMoveFileTool } from './move-file.ts'

const signal = new AbortController().signal
const page = '---\ntitle: P\n---\n'

type Files = Readonly<Record<string, string>>

async function moveIn(files: Files, from = 'a.mdx', to = 'b.mdx', redirect?: boolean) {
  const workspace = createMemoryWorkspace({ [from]: page, ...files })
  const input = redirect === undefined ? { from, to } : { from, to, redirect }
  const { text, facts } = await createMoveFileTool().run(input, { workspace, signal })
  return { text, facts, texts: workspace.texts() }
}

type Case = readonly [name: string, files: Files, path: string, after: string]

const vitepress = { 'docs/.vitepress/config.ts': 'export default {}\n' }
const list =
  '[\n  { "source": "/o", "destination": "/p", "permanent": false },\n  { "source": "/w/:s*", "destination": "/v/:s*", "has": [] }\n]\n'

const written: readonly Case[] = [
  [
    'docs.json, in the form of the other entries',
    { 'docs.json': '{\n\t"redirects": [\n\t\t{"destination":"/p",\n\t\t "source":"/o"}\n\t]\n}\n' },
    'docs.json',
    '{\n\t"redirects": [\n\t\t{"destination":"/p",\n\t\t "source":"/o"},\n\t\t{"destination":"/b",\n\t\t "source":"/a"}\n\t]\n}\n',
  ],
  [
    'mint.json without an entry',
    { 'mint.json': '{\n  "redirects": []\n}\n' },
    'mint.json',
    '{\n  "redirects": [\n    { "source": "/a", "destination": "/b" }\n  ]\n}\n',
  ],
  [
    'redirects.json that docs.json names',
    { 'docs.json': '{ "redirects": { "$ref": "./redirects.json" } }', 'redirects.json': list },
    'redirects.json',
    list.replace('"has": [] }', '"has": [] },\n  { "source": "/a", "destination": "/b", "permanent": false }'),
  ],
  [
    'an existing redirect to the old address is no chain',
    { 'docs.json': '{"redirects":[{"source":"/o","destination":"/a#x"}]}' },
    'docs.json',
    '{"redirects":[{"source":"/o","destination":"/b#x"},{"source":"/a","destination":"/b"}]}',
  ],
  [
    'a redirect that would shadow the page is turned around',
    { 'docs.json': '{"redirects":[{"source":"/b","destination":"/a"}]}' },
    'docs.json',
    '{"redirects":[{"source":"/a","destination":"/b"}]}',
  ],
  [
    'the old address has one redirect only',
    { 'docs.json': '{"redirects":[{"source":"/a","destination":"/x"},{"source":"/b/","destination":"/y"}]}' },
    'docs.json',
    '{"redirects":[{"source":"/a","destination":"/b"}]}',
  ],
]

for (const [name, files, path, after] of written) {
  test(`a move writes the redirect: ${name}`, async () => {
    const { text, texts, facts } = await moveIn(files)
    assert.equal(texts[path], after)
    assert.match(text, new RegExp(`^\\[redirect from /a to /b in ${path}\\]$`, 'm'))
    assert.equal(facts?.redirect, 'written')
    assert.doesNotMatch(text, /still name/)
  })
}

const inHosts: readonly Case[] = [
  [
    'lines of _redirects, with their ending, columns and status, before a pattern',
    { 'docs/public/_redirects': '# old\n/o.html    /p.html  302\n/x.html /g/a.html 301\n/g/* /v/:splat 301\n' },
    'docs/public/_redirects',
    '# old\n/o.html    /p.html  302\n/x.html /g/b.html 301\n/g/a.html /g/b.html 301\n/g/* /v/:splat 301\n',
  ],
  ['an empty _redirects', { 'docs/public/_redirects': '' }, 'docs/public/_redirects', '/g/a /g/b 301\n'],
  [
    'vercel.json',
    { 'vercel.json': '{ "redirects": [{ "source": "/o", "destination": "/g/a", "permanent": true }] }\n' },
    'vercel.json',
    '{ "redirects": [{ "source": "/o", "destination": "/g/b", "permanent": true }, { "source": "/g/a", "destination": "/g/b", "permanent": true }] }\n',
  ],
  [
    'netlify.toml',
    { 'netlify.toml': "[[redirects]]\n  from = '/o'\n  to = '/p'\n  status = 301\n\n[build]\n  x = 1\n" },
    'netlify.toml',
    "[[redirects]]\n  from = '/o'\n  to = '/p'\n  status = 301\n\n[build]\n  x = 1\n\n[[redirects]]\n  from = '/g/a'\n  to = '/g/b'\n  status = 301\n",
  ],
]

for (const [name, files, path, after] of inHosts) {
  test(`a move writes the redirect of a VitePress site: ${name}`, async () => {
    const { text, texts } = await moveIn({ ...vitepress, ...files }, 'docs/g/a.md', 'docs/g/b.md')
    assert.equal(texts[path], after)
    assert.ok(text.includes(`[redirect from /g/a to /g/b in ${path}]`), text)
  })
}

test('a move writes the redirect of a MkDocs site with paths', async () => {
  const config = (maps: string, item: string) =>
    `nav:\n  - ${item}\nplugins:\n  - redirects:\n      redirect_maps:\n${maps}  - search\n`
  const before = config("        'o.md': a.md\n", 'a.md')
  const { text, texts } = await moveIn({ 'mkdocs.yml': before }, 'docs/a.md', 'docs/g/index.md')
  assert.equal(texts['mkdocs.yml'], config("        'o.md': g/index.md\n        'a.md': g/index.md\n", 'g/index.md'))
  assert.match(text, /\[redirect from \/a to \/g in mkdocs\.yml\]/)
  assert.doesNotMatch(text, /still name/)
})

test('a move says why there is no redirect', async () => {
  const cases: readonly (readonly [Files, string, string, RegExp])[] = [
    [{ 'docs.json': '{"theme":"mint"}' }, 'a.mdx', 'b.mdx', /^\[no redirect from \/a: the site keeps no redirects/m],
    [
      { 'docs.json': '{"redirects":[]}', 'a/index.mdx': page },
      'a.mdx',
      'b.mdx',
      /: a\/index\.mdx has this address\]$/m,
    ],
    [{ 'docs/docs.json': '{"redirects":[]}' }, 'docs/a.mdx', 'b.mdx', /: the new path is not part of the site\]$/m],
  ]
  for (const [files, from, to, reason] of cases) {
    const { text, texts, facts } = await moveIn(files, from, to)
    assert.match(text, reason)
    assert.equal(facts?.redirect, 'not_written')
    for (const [path, one] of Object.entries(files)) assert.equal(texts[path], one)
  }
})

test('a page whose address stays, and a move without one, get no redirect', async () => {
  const files = { 'docs.json': '{"redirects":[]}' }
  for (const [from, to, redirect] of [
    ['a.mdx', 'a.md', undefined],
    ['a.mdx', 'a/index.mdx', undefined],
    ['a.mdx', 'b.mdx', false],
    ['a.png', 'b.png', undefined],
    ['snippets/a.mdx', 'snippets/b.mdx', undefined],
  ] as const) {
    const { text, texts } = await moveIn(files, from, to, redirect)
    assert.equal(texts['docs.json'], files['docs.json'])
    assert.doesNotMatch(text, /redirect/)
  }
})

test('a protected file of redirects stays as it is, and the move says so', async () => {
  const files = { ...vitepress, 'vercel.json': '{"redirects":[{"source":"/o","destination":"/a"}]}' }
  const workspace = createMemoryWorkspace({ 'docs/a.md': page, ...files })
  const editProblem = (path: string) => (path === 'vercel.json' ? 'is protected: a deployment' : undefined)
  const input = { from: 'docs/a.md', to: 'docs/b.md' }
  const { text } = await createMoveFileTool().run(input, { workspace: { ...workspace, editProblem }, signal })
  assert.equal(workspace.text('vercel.json'), files['vercel.json'])
  assert.match(
    text,
    /^\[no redirect from \/a: vercel\.json keeps the redirects of the site, and it is protected: a dep/m,
  )
  assert.match(text, /^\[may still name it: vercel\.json:1\]$/m)
  assert.doesNotMatch(text, /\b0 references/)
})

test('redirects in the root are those of the only site, for moves too', async () => {
  const only = { 'docs/mkdocs.yml': 'site_name: A\n', _redirects: '/o /p 301\n' }
  const move = (files: Files) => moveIn(files, 'docs/docs/a.md', 'docs/docs/b.md')
  assert.equal((await move(only)).texts['_redirects'], '/o /p 301\n/a /b 301\n')
  const { text, texts } = await move({ ...only, 'other/book.toml': '[book]\n', 'other/src/SUMMARY.md': '# S\n' })
  assert.equal(texts['_redirects'], '/o /p 301\n')
  assert.match(text, /\[no redirect from \/a: the site keeps no redirects in a file/)
})
