import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from '../../../test/support/check-files.ts'
import { docsSite, memoryTree } from '../../../test/support/docs-sites.ts'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import { createMoveFileTool } from '../../agent/tools/move-file.ts'
import { coverageOf } from '../../checks/coverage.ts'

const site = docsSite('astro')
const page = (text: string) => `---\ntitle: A\n---\n\n# A\n\n${text}\n`

/** The targets of the findings, and of what is not judged with its reason. */
async function check(change: Readonly<Record<string, string | null>>) {
  const result = await checkFiles(memoryTree(site.files, { 'src/nav.ts': null, ...change }))
  const { notJudged } = coverageOf(result)
  return [
    result.findings.map(({ path, target }) => `${path} ${target}`),
    notJudged.map(({ reason, count }) => `${reason} ${count}`),
  ]
}

test('Astro: rooted links lead to entries, to pages, and to what dynamic routes make', async () => {
  const text =
    '[a](/docs/install) [b](/install) [c](/docs/gone) [d](/) [e](/blog/x) [f](/about/) [g](/blog) [h](/de/x/y)'
  const files = {
    'src/pages/a.md': page(text),
    'src/pages/index.astro': '',
    'src/pages/blog/[id].astro': '',
    'src/pages/[lang]/x/[...rest].astro': '',
    'src/pages/about.html': '',
  }
  assert.deepEqual(await check(files), [
    ['src/pages/a.md /blog', 'src/pages/a.md /docs/gone', 'src/pages/a.md /install'],
    ['code 2'],
  ])
})

test('Astro: an image is made by a route in a script, not by one that makes pages', async () => {
  const image = { 'src/pages/blog/a.md': page('![x](./gone.png) [x](./x)') }
  assert.deepEqual(await check({ ...image, 'src/pages/blog/[id].astro': '' }), [
    ['src/pages/blog/a.md ./gone.png'],
    ['code 1'],
  ])
  assert.deepEqual(await check({ ...image, 'src/pages/blog/[id].ts': '' }), [[], ['code 2']])
})

const dynamic: readonly (readonly [paths: string, isKnown: boolean])[] = [
  ["(await getCollection('docs')).map(({ id }) => ({ params: { slug: id } }))", true],
  ["(await getCollection('docs')).map((post) => ({ params: { slug: post.slug || undefined } }))", true],
  ["(await getCollection('docs')).map((e) => ({ params: { slug: e.id === 'index' ? undefined : e.id } }))", true],
  ["(await getCollection('docs')).map((post) => ({ params: { slug: post.id.slice(3) } }))", false],
  ["(await getCollection('docs')).map((post) => ({ params: { slug: post.data.slug } }))", false],
  ["[...new Set(await getCollection('docs'))].map((post) => ({ params: { slug: post.id } }))", false],
  ["[await getCollection('docs'), await getCollection('b')].map((e) => ({ params: { slug: e.id } }))", false],
  ['await getPaths()', false],
]

for (const [paths, isKnown] of dynamic) {
  test(`Astro: a route with ${paths.slice(-45)} is ${isKnown ? 'known' : 'code'}`, async () => {
    const route = `---\nexport async function getStaticPaths() {\n  return ${paths}\n}\n---\n`
    const files = { 'src/pages/docs/[...slug].astro': route, 'src/pages/a.md': page('[x](/docs/gone)') }
    const code = [[], ['code 1']]
    assert.deepEqual(
      await check({ ...files, 'astro.config.mjs': 'export default {}' }),
      isKnown ? [['src/pages/a.md /docs/gone'], []] : code,
    )
  })
}

test('Astro: a route may serve one entry at its own address', async () => {
  const route = (site.files['src/pages/docs/[...slug].astro'] ?? '').replace(
    'slug: entry.id',
    'slug: entry.id === `install` ? undefined : entry.id',
  )
  const files = { 'src/pages/docs/[...slug].astro': route, 'src/pages/a.md': page('[x](/docs) [y](/docs/install)') }
  const found = await check({ ...files, 'src/content/docs/index.mdx': null })
  assert.deepEqual(found, [['src/pages/a.md /docs/install'], []])
})

test('Astro: the hyphens in the id of a heading are not counted', async () => {
  const headings = '## Use --dry-run now\n\n## --force\n\n## One -- two\n\n## `a --b`\n\n'
  const links = '[a](#use-dry-run-now) [b](#force) [c](#one--two) [d](#a---b) [e](#use-dryrun)'
  assert.deepEqual(await check({ 'src/pages/a.md': page(headings + links) }), [['src/pages/a.md #use-dryrun'], []])
})

test('Astro: ids of code, and two collections in a folder, have no known address', async () => {
  const config = site.files['src/content.config.ts'] ?? ''
  const files = { 'src/pages/a.md': page('[x](/docs/gone)') }
  const own = config.replace('{ pattern', '{ generateId: ({ entry }) => entry, pattern')
  const two = config.replace(
    '{ docs }',
    "{ docs, more: defineCollection({ loader: glob({ base: 'src/content/docs' }) }) }",
  )
  for (const text of [own, two]) {
    assert.deepEqual(
      await check({ ...files, 'src/content.config.ts': text, 'astro.config.mjs': 'export default {}' }),
      [[], ['code 1']],
    )
  }
})

test('Astro: a page that a server makes is known by the entry that it gets', async () => {
  const route = "---\nconst { slug } = Astro.params\nconst entry = await getEntry('docs', slug)\n---\n"
  const files = {
    'src/pages/docs/[...slug].astro': route,
    'src/pages/a.md': page('[x](/docs/gone) [y](/docs/install)'),
  }
  assert.deepEqual(await check(files), [['src/pages/a.md /docs/gone'], []])
})

test('Astro: redirects in another script are known, and those of code are not judged', async () => {
  const files = { 'src/pages/a.md': page('[x](/old/b/c) [y](/one) [z](/gone)') }
  const list =
    "export const redirects = { '/old/[...rest]': '/docs/[...rest]', '/one': { status: 302, destination: '/a' } }\n"
  const imports = "import { redirects } from './redirects.mjs'\nexport default { redirects }\n"
  const missing = ['src/pages/a.md /gone']
  assert.deepEqual(await check({ ...files, 'astro.config.mjs': imports, 'redirects.mjs': list }), [
    missing,
    ['redirect 1'],
  ])
  assert.deepEqual(await check({ ...files, 'astro.config.mjs': 'export default { redirects: read() }' }), [
    [],
    ['code 3'],
  ])
})

test('Astro: routes with several placeholders, and with an ending', async () => {
  const text = '[a](/x/1-2) [b](/y/a/b.txt) [c](/y/a/b) [d](/z/q/end/r/s) [e](/z/q/r) [f](/x/1/2)'
  const names = [
    'x/[a]-[b].astro',
    'y/[...rest].txt.ts',
    'z/[...rest]/end/[...more].astro',
    `v/${'[...a]/x/'.repeat(40)}y.astro`,
    `w/${'[a]'.repeat(60)}.astro`,
  ]
  const routes = Object.fromEntries(names.map((name) => [`src/pages/${name}`, '']))
  const files = {
    ...routes,
    'src/pages/a.md': page(`${text} [g](/w/${'a'.repeat(900)}/) [h](/v/${'x/'.repeat(300)}z)`),
  }
  assert.deepEqual(await check(files), [
    ['/x/1/2', '/y/a/b', '/z/q/r'].map((url) => `src/pages/a.md ${url}`),
    ['code 5'],
  ])
})

test('Astro: a hostile project takes no longer than its length says', async () => {
  const many = (text: string) => text.repeat(20_000)
  const files = {
    'astro.config.mjs': many("\n\n/* from './redirect redirect"),
    'src/content.config.ts': `${many('const a:')}${many('a-')}${many('pattern: [')} defineCollection({ loader: glob({ pattern: '${many('{')}' }) })`,
    'src/pages/docs/[...slug].astro': `---\n${many('getStaticPaths ')} params: { slug: id } ({ ${many('id ')}`,
  }
  assert.deepEqual((await check(files))[0], [])
})

test('Astro: a language falls back to another, as the configuration says', async () => {
  const i18n = "export default { i18n: { defaultLocale: 'en', locales: ['en', 'fr'], fallback: { fr: 'en' } } }\n"
  const files = { 'astro.config.mjs': i18n, 'src/pages/a.md': page('[x](/fr/docs/install) [y](/fr/gone) [z](/de/a)') }
  assert.deepEqual(await check(files), [['src/pages/a.md /de/a', 'src/pages/a.md /fr/gone'], []])
})

test('Astro: collections without a loader are folders of the content', async () => {
  const route = site.files['src/pages/docs/[...slug].astro'] ?? ''
  const files = {
    'src/content.config.ts': null,
    'src/content/config.ts': "export const collections = { docs: defineCollection({ type: 'content' }) }\n",
    'src/pages/docs/[...slug].astro': route.replace('.id', '.slug'),
    'src/content/docs/_part.mdx': page('[x](/gone)'),
    'src/content/docs/b.mdx': page('[x](/docs/install) [y](/docs/gone) [z](/docs/_part)'),
  }
  const missing = ['/docs/_part', '/docs/gone'].map((target) => `src/content/docs/b.mdx ${target}`)
  assert.deepEqual((await check(files))[0], missing)
  assert.deepEqual((await check({ ...files, 'src/content/config.ts': null }))[0], missing)
})

test('Astro: a list of links is the navigation if most are addresses of pages', async () => {
  const list = (...links: string[]) => `export default [${links.map((href) => `{ href: '${href}' }`).join(', ')}]\n`
  const known = list('/docs/install', '/docs/guides/teams/', '/docs/gone', 'https://a.example', '#x')
  const code = list('/install', '/guides/teams', '/gone')
  assert.deepEqual(await check({ 'src/data/sidebar.js': known }), [['src/data/sidebar.js /docs/gone'], []])
  assert.deepEqual(await check({ 'src/data/sidebar.js': code }), [[], ['code 1']])
  assert.deepEqual(await check({ 'src/data/site.js': code }), [[], []])
})

test('Astro: an image may be named from the base of tsconfig.json', async () => {
  const files = { 'src/pages/a.md': page('![x](public/images/logo.png)') }
  assert.deepEqual((await check(files))[0], ['src/pages/a.md public/images/logo.png'])
  const base = '{ "compilerOptions": { "baseUrl": "." } }'
  assert.deepEqual((await check({ ...files, 'tsconfig.json': base }))[0], [])
})

test('Astro: a moved entry is renamed in the navigation and in redirects to it', async () => {
  const workspace = createMemoryWorkspace(site.files)
  await createMoveFileTool().run(
    { from: 'src/content/docs/install.mdx', to: 'src/content/docs/guides/Set Up.mdx' },
    { workspace, signal: new AbortController().signal },
  )
  const texts = workspace.texts()
  assert.match(texts['src/nav.ts'] ?? '', /href: '\/docs\/guides\/set-up'/)
  assert.match(texts['astro.config.mjs'] ?? '', /'\/docs\/old': '\/docs\/guides\/set-up'/)
})

test('Astro: links to a moved entry are changed, and listed in templates', async () => {
  const files = {
    ...site.files,
    'src/content/docs/guides/My Page.mdx': page(''),
    'src/content/docs/z.mdx': page('[a](/docs/guides/my-page) [b](<guides/My Page.mdx>)'),
    'src/pages/b.astro': '<a href="/docs/guides/my-page/">b</a>\n',
  }
  const workspace = createMemoryWorkspace(files)
  const { text } = await createMoveFileTool().run(
    { from: 'src/content/docs/guides/My Page.mdx', to: 'src/content/docs/own.mdx' },
    { workspace, signal: new AbortController().signal },
  )
  assert.match(workspace.texts()['src/content/docs/z.mdx'] ?? '', /\[a\]\(\/docs\/own\) \[b\]\(<own\.mdx>\)/)
  assert.match(text, /may still name it: src\/pages\/b\.astro:1/)
})
