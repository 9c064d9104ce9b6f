// Every kind of fault in every kind of site that can have it, planted in a site without a fault.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles, showFindings } from '../../test/support/check-files.ts'
import { docsSite, memoryTree, type DocsSite, markdownKinds } from '../../test/support/docs-sites.ts'
import { compareChecks } from './compare.ts'
import type { Finding, FindingKind } from './finding.ts'
import type { SiteKind } from '../sites/site.ts'

type Change = Readonly<Record<string, string | null>>
type Fault = {
  readonly kinds: readonly SiteKind[]
  readonly plant: (site: DocsSite, kind: SiteKind) => Change
  readonly target: string | RegExp
  /** The file of the finding, when it is not the page `guides/deploy`. */
  readonly path?: (site: DocsSite, kind: SiteKind) => string
}

const withNavigation = markdownKinds.filter((kind) => kind !== 'nextra' && kind !== 'plain')
const withMdx = ['mintlify', 'starlight', 'nextra', 'fumadocs', 'astro'] as const
const sites = markdownKinds.filter((kind) => kind !== 'plain')
const configs: Partial<Record<SiteKind, string>> = {
  mintlify: 'docs.json',
  docusaurus: 'sidebars.js',
  vitepress: 'docs/.vitepress/config.ts',
  starlight: 'astro.config.mjs',
  mkdocs: 'mkdocs.yml',
  mdbook: 'src/SUMMARY.md',
  jekyll: '_data/navigation.yml',
  sphinx: 'docs/index.md',
  fumadocs: 'content/docs/meta.json',
  hugo: 'hugo.toml',
  gitbook: 'docs/SUMMARY.md',
  docsify: 'docs/_sidebar.md',
  vuepress: 'docs/.vuepress/config.js',
  astro: 'src/nav.ts',
}
const redirects: Partial<Record<SiteKind, string>> = {
  ...configs,
  docusaurus: 'docusaurus.config.js',
  vitepress: 'docs/public/_redirects',
  mdbook: 'book.toml',
  nextra: 'vercel.json',
  jekyll: '_redirects',
  sphinx: 'docs/conf.py',
  fumadocs: 'vercel.json',
  hugo: 'static/_redirects',
  gitbook: '.gitbook.yaml',
  vuepress: 'docs/.vuepress/public/_redirects',
  astro: 'astro.config.mjs',
}

/** Without drift, which compares with other repositories: `drift/drift.test.ts` has its cases. */
type KindOfTree = Exclude<FindingKind, 'stale-term' | 'stale-value' | 'unknown-term'>

const faults: Readonly<Record<KindOfTree, Fault>> = {
  link: { kinds: markdownKinds, plant: append('[Gone](./gone.md)'), target: './gone.md' },
  anchor: { kinds: markdownKinds, plant: append('[Gone](#gone)'), target: '#gone' },
  image: { kinds: markdownKinds, plant: append('![Gone](./gone.png)'), target: './gone.png' },
  markdown: { kinds: markdownKinds, plant: append('```js\nlet a'), target: 'fence' },
  frontmatter: { kinds: markdownKinds, plant: replace('title: guides/deploy', 'title: "guides'), target: /quote/ },
  field: { kinds: ['starlight', 'fumadocs'], plant: replace('title: guides/deploy\n', ''), target: 'title' },
  mdx: { kinds: withMdx, plant: append('<Card>'), target: /closing tag/ },
  import: { kinds: withMdx, plant: append("import Gone from './gone.mdx'\n\n<Gone />"), target: './gone.mdx' },
  include: {
    kinds: ['mdbook', 'mkdocs', 'vitepress'],
    plant: (site, kind) => {
      const form = { mdbook: '{{#include gone.rs}}', mkdocs: '--8<-- "gone.rs"', vitepress: '<<< ./gone.rs' }
      return append(form[kind as keyof typeof form])(site)
    },
    target: /gone\.rs/,
  },
  navigation: {
    kinds: withNavigation,
    plant: (site) => ({ [site.page('guides/deploy')]: null, ...unlink(site, 'guides/deploy') }),
    target: /guides\/deploy/,
    path: (_site, kind) => configs[kind] ?? '',
  },
  unlisted: {
    // A menu of Hugo names a few pages of many.
    kinds: withNavigation.filter((kind) => kind !== 'hugo'),
    plant: (site) => ({ [site.page('guides/new')]: site.files[site.page('guides/deploy')] ?? '' }),
    target: '',
    path: (site) => site.page('guides/new'),
  },
  'duplicate-route': {
    // `deploy.html` may be beside `deploy/index.html`; the loader of Fumadocs gives the second page another address.
    kinds: sites.filter(
      (kind) => !['sphinx', 'mdbook', 'fumadocs', 'gitbook', 'docsify', 'vuepress', 'jekyll'].includes(kind),
    ),
    plant: (site) => {
      const text = site.files[site.page('guides/deploy')] ?? ''
      return { [site.page('guides/deploy/index')]: text.replaceAll('](..', '](../..') }
    },
    target: /guides\/deploy$/,
    path: (site) => site.page('guides/deploy/index'),
  },
  redirect: {
    kinds: sites.filter((kind) => kind !== 'docsify'),
    plant: (site, kind) => {
      const file = redirects[kind] ?? ''
      return { [file]: (site.files[file] ?? '').replace(/\bold\b/, 'guides/deploy') }
    },
    target: /guides\/deploy/,
    path: (_site, kind) => redirects[kind] ?? '',
  },
  config: {
    kinds: sites,
    plant: ({ assets }) => ({ [`${assets}data.json`]: '{ "a": 1,, }' }),
    target: /property name/,
    path: ({ assets }) => `${assets}data.json`,
  },
  reference: {
    kinds: sites,
    plant: ({ files, assets }) => {
      const path = `${assets}openapi.json`
      return { [path]: (files[path] ?? '').replace('responses/Plants"', 'responses/Gone"') }
    },
    target: '#/components/responses/Gone',
    path: ({ assets }) => `${assets}openapi.json`,
  },
}

for (const kind of markdownKinds) {
  test(`a ${kind} site without a fault has no findings`, async () => {
    const { sites: found, findings, pages } = await checkFiles(memoryTree(docsSite(kind).files))
    assert.equal(found[0]?.kind, kind)
    assert.equal(pages, 12)
    assert.deepEqual(findings, [])
  })
}

for (const [name, fault] of Object.entries(faults) as [KindOfTree, Fault][]) {
  test(`a planted fault is found: ${name}`, async () => {
    for (const kind of fault.kinds) {
      const site = docsSite(kind)
      const path = fault.path?.(site, kind) ?? site.page('guides/deploy')
      const { findings } = await checkFiles(memoryTree(site.files, fault.plant(site, kind)))
      const found = findings.filter((finding) => finding.kind === name && finding.path === path)
      assert.equal(found.length, 1, `${kind}: ${showFindings(findings)}`)
      const { target } = found[0] ?? { target: '' }
      if (typeof fault.target === 'string') assert.equal(target, fault.target, kind)
      else assert.match(target, fault.target, kind)
      // Only a fault that hides the rest of its page, or adds a page, may come with others.
      if (!['frontmatter', 'mdx', 'duplicate-route'].includes(name))
        assert.equal(findings.length, 1, `${kind}: ${showFindings(findings)}`)
    }
  })
}

test('a field that ten pages and nearly all of a folder have is expected of the others', async () => {
  const pagesWith = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`docs/p${at}.md`, '---\ndescription: A page.\n---\n\n# A\n']),
    )
  const without = { 'mkdocs.yml': 'site_name: Acme\n', 'docs/new.md': '# New\n' }
  const missing = async (files: Change) =>
    (await checkFiles(memoryTree({ ...without }, files))).findings.map(({ target }) => target)
  assert.deepEqual(await missing(pagesWith(9)), [])
  assert.deepEqual(await missing(pagesWith(10)), ['description'])
  // Nineteen of twenty others are enough; eighteen are not.
  assert.deepEqual(await missing({ ...pagesWith(19), 'docs/other.md': '# Other\n' }), ['description', 'description'])
  const two = { 'docs/other.md': '# Other\n', 'docs/third.md': '# Third\n' }
  assert.deepEqual(await missing({ ...pagesWith(18), ...two }), [])
})

test('an edit above an old problem does not make it new', async () => {
  const site = docsSite('mintlify')
  const path = site.page('guides/deploy')
  const old = `${site.files[path]}\n[Gone](/gone)\n`
  const before = await checkFiles(memoryTree(site.files, { [path]: old }))
  const after = await checkFiles(
    memoryTree(site.files, { [path]: `${old.replace('# guides', 'More.\n\n# guides')}\n[Gone](/gone)\n` }),
  )
  const { introduced, fixed, remaining } = compareChecks(before.findings, after.findings)
  assert.deepEqual([introduced.length, fixed.length, remaining.length], [1, 0, 1])
  assert.ok((introduced[0]?.line ?? 0) > (remaining[0]?.line ?? 0))
})

test('an old problem of a page that moved is not new', async () => {
  const finding: Finding = { kind: 'link', path: 'a.md', line: 3, target: '/gone', message: 'links to /gone' }
  const moved = { ...finding, path: 'b/a.md', line: 9 }
  assert.equal(compareChecks([finding], [moved]).introduced.length, 1)
  const { introduced, fixed, remaining } = compareChecks([finding], [moved], new Map([['a.md', 'b/a.md']]))
  assert.deepEqual([introduced, fixed, remaining], [[], [], [moved]])
})

test('several sites in one repository each have their own pages and rules', async () => {
  const inFolder = (folder: string, kind: SiteKind) =>
    Object.entries(docsSite(kind).files).map(([path, text]) => [`${folder}/${path}`, text])
  const files = Object.fromEntries([
    ...inFolder('web', 'starlight'),
    ...inFolder('book', 'mdbook'),
    ['README.md', '[The book](book/src/README.md), [gone](web/gone.md)\n'],
  ]) as Record<string, string>
  const { sites: found, findings } = await checkFiles(memoryTree(files))
  assert.deepEqual(
    found.map(({ kind, root }) => [kind, root]),
    [
      ['starlight', 'web'],
      ['mdbook', 'book'],
      ['plain', ''],
    ],
  )
  assert.deepEqual(
    findings.map(({ path, target }) => [path, target]),
    [['README.md', 'web/gone.md']],
  )
})

function append(text: string) {
  return (site: DocsSite): Change => {
    const path = site.page('guides/deploy')
    return { [path]: `${site.files[path]}\n${text}\n` }
  }
}

function replace(from: string, to: string) {
  return (site: DocsSite): Change => {
    const path = site.page('guides/deploy')
    return { [path]: (site.files[path] ?? '').replace(from, to) }
  }
}

/** Points the links to a page at another one. */
function unlink(site: DocsSite, name: string): Change {
  const path = site.page('install')
  return { [path]: (site.files[path] ?? '').replaceAll(name, 'guides/teams') }
}
