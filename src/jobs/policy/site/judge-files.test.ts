import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeContent } from '../../../../test/support/content-change.ts'
import { sayShown } from '../words.ts'
import { findShownFiles } from './judge-files.ts'
import { findShownIncludes } from './judge-includes.ts'

type Files = Readonly<Record<string, string>>

const shown = async (base: Files, after: Files): Promise<readonly string[]> => {
  const findings = await findShownFiles(changeContent(base, after))
  return findings.map(({ kind, path, line, message }) => `${kind} ${path}${line === null ? '' : `:${line}`} ${message}`)
}

test('code in the configuration of the site is shown, and data is not', async () => {
  const path = 'docusaurus.config.js'
  const base = { [path]: "export default { title: 'A' }" }
  assert.deepEqual(await shown(base, { [path]: "export default { title: 'B' }" }), [])
  const change = changeContent(base, { [path]: "import x from './x.js'\nexport default { title: x() }" })
  const findings = await findShownFiles(change)
  assert.deepEqual(
    findings.map(({ kind, line, message }) => [kind, line, message]),
    [
      ['code', 1, 'adds an import'],
      ['code', 2, 'adds a call of `x`'],
    ],
  )
  const first = /^\*\*This changes code [^\n]*`docusaurus\.config\.js` line 1 adds an import[^\n]*$/
  assert.match(sayShown(findings) ?? '', first)
  assert.equal(sayShown([]), undefined)
})

test('code that a page of the base inserts passes, unless something imports it', async () => {
  const page = '# A\n\n```py\n--8<-- "examples/one.py"\n```\n'
  const base = { 'docs/a.md': page, 'examples/one.py': 'x = 1\n' }
  assert.deepEqual(await shown(base, { 'examples/one.py': 'x = 2\n', 'examples/two.py': 'y = 1\n' }), [])
  assert.deepEqual(await shown(base, { 'examples/deep/two.py': 'y = 1\n', 'tools/x.py': '' }), [
    'code examples/deep/two.py is a file of code',
    'code tools/x.py is a file of code',
  ])
  const imported = {
    ...base,
    'mkdocs.yml': 'hooks:\n  - examples/one.py\n',
    'docs/hooks.py': 'from examples.two import y',
  }
  assert.deepEqual(await shown(imported, { 'examples/one.py': 'x = 2\n', 'examples/two.py': 'y = 1\n' }), [
    'code examples/one.py is a file of code',
    'code examples/two.py is a file of code',
  ])
})

test('a page that a job adds does not make code a snippet', async () => {
  const after = { 'docs/a.md': '--8<-- "docs/hook.py"\n', 'docs/hook.py': 'import os\n' }
  assert.deepEqual(await shown({ 'docs/index.md': '# Hi\n' }, after), ['code docs/hook.py is a file of code'])
})

test('a key that runs something is shown with its line, and navigation is not', async () => {
  const base = 'site_name: x\nnav:\n  - index.md\n'
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['site_name: y\nnav:\n  - index.md\n  - Plugins: plugins.md\ncopyright: me\n', []],
    [
      'site_name: x\nnav:\n  - index.md\nhooks:\n  - a.py\n',
      ['code mkdocs.yml:5 sets `hooks`, which can run or load something'],
    ],
    ['site_name: !ENV X\nnav:\n  - index.md\n', ['code mkdocs.yml:1 sets a value that runs code (`!ENV`)']],
    [
      'site_name: x\nnav: &a\n  - index.md\nhooks: *a\n',
      ['code mkdocs.yml:3 sets `hooks`, which can run or load something'],
    ],
    [
      'a: &x\n  hooks: [a.py]\n<<: *x\nsite_name: x\n',
      [
        'code mkdocs.yml:2 sets `a.hooks`, which can run or load something',
        'code mkdocs.yml:2 sets `hooks`, which can run or load something',
      ],
    ],
    ['site_name: x\nplugins:\n  - redirects:\n      redirect_maps:\n        a.md: b.md\n', []],
    [
      'site_name: x\nplugins:\n  - redirects:\n      redirect_maps:\n        a.md: https://evil.example/\n',
      ['redirect mkdocs.yml:5 sets a redirect to `evil.example`'],
    ],
    ['site_name: [x\n', ['code mkdocs.yml sets something that cannot be read as data']],
  ]
  for (const [after, expected] of cases)
    assert.deepEqual(await shown({ 'mkdocs.yml': base }, { 'mkdocs.yml': after }), expected)
})

test('aliases that stand for millions of values end the reading of a configuration', async () => {
  const levels = Array.from({ length: 30 }, (_, at) => `k${at + 1}: &k${at + 1} [*k${at}, *k${at}]`)
  const after = `k0: &k0 [1, 1]\n${levels.join('\n')}\n`
  const found = await shown({}, { 'mkdocs.yml': after })
  assert.deepEqual(found, ['code mkdocs.yml sets something that cannot be read as data'])
})

test('a template without a new tag is text, and a redirect on the site passes', async () => {
  const base = { '_includes/a.html': '<p>{{ site.title }}</p>', 'static/_redirects': '/a https://old.example/\n' }
  assert.deepEqual(await shown(base, { '_includes/a.html': '<p><b>{{ site.title }}</b></p>' }), [])
  assert.deepEqual(await shown(base, { '_includes/a.html': '<p>\n{{ x }}</p>' }), [
    'code _includes/a.html:2 adds a tag to a template, which runs in the build',
  ])
  const redirects = '/a https://old.example/\n/b /c 301\n/d //evil.example/ 200!\n'
  assert.deepEqual(await shown(base, { 'static/_redirects': redirects }), [
    'redirect static/_redirects:3 sends readers to `evil.example`',
  ])
})

test('an include passes if the base inserts from its folder, and else is shown', async () => {
  const base = {
    'docs/a.md': '--8<-- "docs/parts/a.md"\n',
    'docs/parts/a.md': 'A\n',
    'docs/parts/b.md': 'B\n',
    'notes/c.md': 'C\n',
  }
  const includes = async (text: string) => {
    const found = await findShownIncludes(changeContent(base, { 'docs/new.md': text }))
    return found.map(({ line, message }) => `${line} ${message}`)
  }
  assert.deepEqual(await includes('--8<-- "docs/parts/b.md"\n'), [])
  assert.deepEqual(await includes('# A\n\n--8<-- "notes/c.md"\n'), [
    '3 inserts `notes/c.md`, from a folder that no page of the base inserts from',
  ])
})
