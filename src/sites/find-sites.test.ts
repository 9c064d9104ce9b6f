// Sites that the settings name.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from '../../test/support/check-files.ts'
import { docsSite, memoryTree } from '../../test/support/docs-sites.ts'
import { siteKinds } from './kinds.ts'
import type { SiteKind } from './site.ts'

const configs = /(?:^|\/)(?:docs\.json|docusaurus\.config\.js|config\.ts|astro\.config\.mjs|mkdocs\.yml|book\.toml)$/

// Only `antora.yml` says which component the pages of Antora are.
for (const kind of siteKinds.filter((one) => one !== 'antora')) {
  test(`a named ${kind} site needs no configuration`, async () => {
    const site = docsSite(kind)
    // Below `tests`, where no site is recognised.
    const moved = Object.entries(site.files).map(([path, text]): [string, string | null] => [
      `tests/manual/${path}`,
      configs.test(path) ? null : text,
    ])
    const broken = { [`tests/manual/${site.page('install')}`]: '---\ntitle: A\n---\n\n# A\n\n[gone](gone.md)\n' }
    const tree = memoryTree({}, { ...Object.fromEntries(moved), ...broken })
    const { sites, pages, findings } = await checkFiles(tree, { sites: [{ kind, path: './tests/manual/' }] })
    assert.deepEqual([sites[0]?.kind, sites[0]?.root, pages], [kind, 'tests/manual', 12])
    assert.deepEqual(
      findings.filter(({ kind: one }) => one === 'link').map(({ target }) => target),
      ['gone.md'],
    )
    assert.equal((await checkFiles(tree)).pages, 0)
  })

  // Without the routes of a framework, nobody knows which addresses of Fumadocs are served.
  if (kind === 'fumadocs') continue
  test(`the files of a named ${kind} site without a folder of pages are its pages`, async () => {
    const files = { 'manual/a.md': '---\ntitle: A\n---\n\n# A\n\n[b](b.md), [gone](gone.md)\n', 'manual/b.md': '# B\n' }
    const { sites, findings } = await checkFiles(memoryTree(files), { sites: [{ kind, path: 'manual' }] })
    assert.deepEqual([sites[0]?.kind, sites[0]?.config], [kind, undefined])
    const links = findings.filter(({ kind: one }) => one === 'link')
    assert.deepEqual(
      links.map(({ path, target }) => [path, target]),
      [['manual/a.md', 'gone.md']],
    )
  })
}

test('a named site wins over the one that is recognised in its folder', async () => {
  const { files } = docsSite('mkdocs')
  const broken = { 'mkdocs.yml': `${files['mkdocs.yml']}  - gone.md\n`, 'book/book.toml': '[book]\n' }
  const kindsOf = async (kind: SiteKind, path: string) =>
    (await checkFiles(memoryTree(files, broken), { sites: [{ kind, path }] })).sites.map((site) => site.kind)
  assert.deepEqual(await kindsOf('plain', '.'), ['plain', 'mdbook'])
  assert.deepEqual(await kindsOf('nextra', 'book'), ['nextra', 'mkdocs', 'plain'])
})

test('Read the Docs names configurations that nothing else would show', async () => {
  const page = '# A\n\n[gone](gone.md)\n'
  const files = {
    '.readthedocs.yaml': 'version: 2\nsphinx:\n  configuration: ./templates/manual/conf.py\n',
    'templates/manual/conf.py': "exec('')\n",
    'templates/manual/index.rst': 'A\n=\n\n:doc:`gone`\n',
    'api/readthedocs.yml': 'mkdocs:\n  configuration: api/site.yml\n',
    'api/site.yml': 'docs_dir: pages\n',
    'api/pages/index.md': page,
    'old/.readthedocs.yml': 'mkdocs:\n  configuration: old/mkdocs.yml\n',
  }
  const { sites, findings } = await checkFiles(memoryTree(files))
  assert.deepEqual(
    sites.map(({ kind, config }) => [kind, config]),
    [['sphinx', 'templates/manual/conf.py'], ['mkdocs', 'api/site.yml'], ['plain', undefined]], // prettier-ignore
  )
  assert.deepEqual(
    findings.filter(({ kind }) => kind === 'link').map(({ path }) => path),
    ['api/pages/index.md', 'templates/manual/index.rst'],
  )
})
