import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from '../../../test/support/check-files.ts'
import { docsSite, memoryTree } from '../../../test/support/docs-sites.ts'
import { coverageOf } from '../../checks/coverage.ts'

const site = docsSite('fumadocs')
const page = (text: string) => `---\ntitle: A\n---\n\n# A\n\n${text}\n`

/** The targets of the findings, and of what is not judged with its reason. */
async function check(change: Readonly<Record<string, string | null>>) {
  const result = await checkFiles(memoryTree(site.files, change))
  const { notJudged } = coverageOf(result)
  return [
    result.findings.map(({ path, target }) => `${path} ${target}`),
    notJudged.map(({ reason, example }) => `${reason} ${example}`),
  ]
}

test('Fumadocs: rooted links lead to pages below the base, and to pages of Next.js', async () => {
  const text = '[a](/docs/guides/deploy) [b](/install) [c](/docs/gone) [d](/) [e](/blog/x) [f](/about)'
  const files = {
    'content/docs/a.mdx': page(text),
    'content/docs/meta.json': '{ "pages": ["...", "a"] }',
    'app/(home)/page.tsx': '',
    'app/blog/[slug]/page.tsx': '',
    'app/about/page.tsx': '',
  }
  assert.deepEqual(await check(files), [
    ['content/docs/a.mdx /docs/gone', 'content/docs/a.mdx /install'],
    ['code content/docs/a.mdx:7 /blog/x'],
  ])
})

test('Fumadocs: meta.json names pages and folders, beside separators and links', async () => {
  const pages = ['---Start---', 'index', '[Docs](/docs/install)', '[X](https://example.com)', '[Y](/docs/z)', 'guides']
  const meta = { root: true, pages: [...pages, '...reference', '...other', '!install', 'gone', '...'] }
  assert.deepEqual((await check({ 'content/docs/meta.json': JSON.stringify(meta) }))[0], [
    'content/docs/meta.json [Y](/docs/z)',
    'content/docs/meta.json gone',
  ])
})

test('Fumadocs: a folder lists its pages itself, unless it names them without the rest', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const files = Object.fromEntries([...names, 'f', 'h/i'].map((name) => [`content/docs/g/${name}.mdx`, page('')]))
  const at = (pages: readonly string[]) => check({ ...files, 'content/docs/g/meta.json': JSON.stringify({ pages }) })
  assert.deepEqual((await at(names))[0], ['content/docs/g/f.mdx '])
  assert.deepEqual((await at([...names, '...']))[0], [])
})

test('Fumadocs: a heading has its own id in brackets', async () => {
  const text = page('## Begin\n\n## Own one [#own]\n\n[a](#own) [b](#own-one)')
  assert.deepEqual((await check({ 'content/docs/install.mdx': text }))[0], ['content/docs/install.mdx #own-one'])
})

test('Fumadocs: languages are keys of a constant, or not judged', async () => {
  const i18n = (languages: string) =>
    `export const i18n = defineI18n({ defaultLanguage: 'en', languages: Object.keys(${languages}) })\n`
  const files = {
    'geistdocs.tsx': "export const all = { en: { name: 'English' }, 'cn': { name: 'x: y' } }\n",
    'lib/i18n.ts': i18n('all'),
    'content/docs/b.cn.mdx': page(''),
    'content/docs/b.es.mdx': page(''),
    'content/docs/a.mdx': page('[a](/cn/docs/b) [b](/docs/b.es) [c](/es/docs/b)'),
    'content/docs/meta.json': '{ "pages": ["...", "a"] }',
  }
  assert.deepEqual(await check(files), [['content/docs/a.mdx /es/docs/b'], []])
  assert.deepEqual(await check({ ...files, 'lib/i18n.ts': i18n('made()') }), [
    ['content/docs/a.mdx /docs/b.es'],
    ['code content/docs/a.mdx:7 /cn/docs/b'],
  ])
})

test('Fumadocs: a page without a translation is served in the main language', async () => {
  const files = {
    'lib/i18n.ts': "export const i18n = defineI18n({ defaultLanguage: 'en', languages: ['en', 'cn'] })\n",
    'content/docs/install.cn.mdx': page(
      '[a](/docs/guides/teams) [b](/cn/docs/guides/teams) [c](/cn/docs/gone) [d](/docs/install#x)',
    ),
  }
  assert.deepEqual(await check(files), [
    ['content/docs/install.cn.mdx /cn/docs/gone'],
    ['context content/docs/install.cn.mdx:7 /docs/install#x'],
  ])
})
