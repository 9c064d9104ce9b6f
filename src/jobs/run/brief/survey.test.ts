import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteKinds } from '../../../sites/kinds.ts'
import type { SiteKind } from '../../../sites/site.ts'
import { docsSite, memoryTree } from '../../../../test/support/docs-sites.ts'
import { findGenerated } from './generated-parts.ts'
import { surveyTree } from './survey.ts'

type Found = readonly [
  kind: string | undefined,
  folder: string,
  navigation: string | undefined,
  redirects: string | undefined,
]

const expected: Readonly<Record<SiteKind, Found>> = {
  mintlify: ['Mintlify', '', 'docs.json', 'docs.json'],
  docusaurus: ['Docusaurus', 'docs', 'sidebars.js', 'docusaurus.config.js'],
  vitepress: ['VitePress', 'docs', 'docs/.vitepress/config.ts', 'docs/public/_redirects'],
  starlight: ['Starlight (Astro)', 'src/content/docs', 'astro.config.mjs', 'astro.config.mjs'],
  mkdocs: ['MkDocs', 'docs', 'mkdocs.yml', 'mkdocs.yml'],
  mdbook: ['mdBook', 'src', 'src/SUMMARY.md', 'book.toml'],
  gitbook: ['GitBook or HonKit', 'docs', 'docs/SUMMARY.md', '.gitbook.yaml'],
  docsify: ['docsify', 'docs', 'docs/_sidebar.md', undefined],
  vuepress: ['VuePress', 'docs', 'docs/.vuepress/config.js', 'docs/.vuepress/public/_redirects'],
  nextra: ['Nextra', 'content', 'content/_meta.js', 'vercel.json'],
  antora: ['Antora', 'modules/ROOT/pages', 'modules/ROOT/nav.adoc', undefined],
  jekyll: ['Jekyll', '', '_data/navigation.yml', '_redirects'],
  sphinx: ['Sphinx', 'docs', undefined, 'docs/conf.py'],
  fumadocs: ['Fumadocs', 'content/docs', 'content/docs/meta.json', 'vercel.json'],
  hugo: ['Hugo', 'content', 'hugo.toml', 'static/_redirects'],
  astro: ['Astro', 'src/content/docs', 'src/nav.ts', 'astro.config.mjs'],
  plain: [undefined, '', undefined, undefined],
}

for (const kind of siteKinds) {
  test(`a ${kind} site is described with its pages, navigation and redirects`, async () => {
    const { sites, roots, mainPages } = await surveyTree(memoryTree(docsSite(kind).files), [])
    const [site] = sites
    const [name, folder, navigation, redirects] = expected[kind]
    assert.deepEqual([sites.length, site?.kind, site?.pages, mainPages.length], [1, name, 12, 12])
    assert.deepEqual([site?.folders, roots], [[folder], [folder]])
    assert.deepEqual([site?.navigation[0], site?.redirects[0]], [navigation, redirects])
    assert.deepEqual(
      site?.parts.map(([, count]) => count),
      [5, 5, 2],
    )
  })
}

test('languages are counted, and only pages of the main language count by folder', async () => {
  const site = docsSite('starlight')
  const translated = ['install', 'guides/deploy', 'reference/cli'].map((name): [string, string] => [
    site.page(`de/${name}`),
    '---\ntitle: A\n---\n',
  ])
  const { sites, mainPages } = await surveyTree(memoryTree(site.files, Object.fromEntries(translated)), [])
  assert.deepEqual(sites[0]?.languages, [
    ['main', 12],
    ['de', 3],
  ])
  assert.equal(mainPages.length, 12)
})

test('a configuration in TypeScript is read with its types', async () => {
  const { files } = docsSite('vitepress')
  const path = 'docs/.vitepress/config.ts'
  const typed = (text: string) => `import type { A } from 'a'\n${text}`
  for (const more of ['const a: A = 1 as const\n', 'function f<T extends A>(x: T): x is T { return true }\n']) {
    const tree = memoryTree(files, { [path]: typed(more + (files[path] ?? '')) })
    assert.deepEqual((await surveyTree(tree, [])).sites[0]?.navigation, [path], more)
  }
})

test('generated parts are found by the marks at the top of some pages', async () => {
  const mark = '---\n# Do not edit.\ntitle: A\n---\n'
  const names = ['api/a', 'api/b', 'api/c', 'api/d', 'guides/a', 'guides/b', 'guides/c']
  const files = Object.fromEntries(names.map((name) => [`docs/${name}.md`, name.startsWith('api') ? mark : '# A\n']))
  const tree = memoryTree(files, { 'docs/guides/b.md': mark })
  assert.deepEqual(await findGenerated(tree, Object.keys(files)), [
    { folder: 'docs/api', all: true, pages: ['docs/api/a.md', 'docs/api/c.md', 'docs/api/d.md'] },
    { folder: 'docs/guides', all: false, pages: ['docs/guides/b.md'] },
  ])
})
