import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles, showFindings } from '../../../test/support/check-files.ts'
import { memoryTree } from '../../../test/support/docs-sites.ts'
import { coverageOf } from '../../checks/coverage.ts'

const page = (text: string, more = '') => `---\ntitle: A\n${more}---\n\n${text}\n`
const files = {
  'config.toml': `baseURL = "https://acme.example/p/"
theme = "acme"
[languages.en]
[languages.de]
[[menu.main]]
pageRef = "/docs/a"
[[menu.main]]
url = "/docs/b/"
[[menu.main]]
pageRef = "/tags"
`,
  'themes/acme/layouts/shortcodes/box.html': '<div>{{ .Inner }}</div>\n',
  'themes/acme/layouts/shortcodes/part.html': '{{ readFile (.Get 0) | markdownify }}\n',
  'static/a.png': 'PNG',
  'content/_index.md': page(
    '[a]({{< ref "docs/a.md#part" >}}) [b]({{< relref "b" >}}#two) [c][d] ![e](/p/a.png) [f](/p/docs/) [g](docs/old/)\n\n[d]: {{% ref "/docs/a" %}}\n\n{{< box >}}\n\n## In a box\n\n{{< /box >}}',
  ),
  'content/docs/a.md': page(
    '# Part\n\n## [Link](https://x.y/z) *here* {.c #own}\n\nTerm\n: [b](../b/#two)\n\n[up](../../) [own](#own) [tags](/tags/x/) {{< ref "#part" >}}\n\n`{{</* ref "no.md" */>}}`',
    'aliases: [old]\n',
  ),
  'content/docs/b.md':
    '+++\ntitle = "B"\n+++\n\n## One `1` & [two](/docs/a/)\n\n## Two\n\n[a](/de/docs/a/) [i](../leaf/i.png)\n',
  'content/docs/a.de.md': page('# Teil\n\n[b](../../../docs/b/) [t](#teil)'),
  'content/docs/leaf/index.md': page('![i](i.png) [a](../a/#part)'),
  'content/docs/leaf/note.md': 'No page [gone](gone.md)\n',
  'content/docs/leaf/i.png': 'PNG',
}

const check = async (change: Readonly<Record<string, string | null>> = {}) => checkFiles(memoryTree(files, change))
const places = ({ findings }: Awaited<ReturnType<typeof check>>) =>
  findings.map(({ path, line, target }) => `${path}:${line} ${target}`)

test('Hugo follows addresses, references, menus, languages and bundles', async () => {
  const result = await check()
  assert.deepEqual([result.sites[0]?.kind, result.pages], ['hugo', 5])
  assert.equal(showFindings(result.findings), '')
  assert.deepEqual(
    coverageOf(result).notJudged.map(({ reason, count, example }) => [reason, count, example]),
    [['generated', 2, 'content/docs/a.md:13 /tags/x/']],
  )
})

test('a deleted page of Hugo leaves a finding at each place that names it', async () => {
  assert.deepEqual(places(await check({ 'content/docs/a.md': null, 'content/docs/b.md': null })), [
    'config.toml:6 /docs/a',
    'config.toml:8 /docs/b/',
    'content/_index.md:5 b#two',
    'content/_index.md:5 docs/a.md#part',
    'content/_index.md:5 docs/old/',
    'content/_index.md:7 /docs/a',
    'content/docs/a.de.md:7 ../../../docs/b/',
    'content/docs/leaf/index.md:5 ../a/#part',
  ])
})

test('anchors of Hugo are those of Goldmark', async () => {
  const ids = ['linkhttpsxyz-here', 'term', 'teil']
  const links = ids.map((id) => `[x](/docs/a/#${id})`).join(' ')
  const b = '[x](/docs/b/#one-1--twodocsa) [x](#gone)'
  assert.deepEqual(places(await check({ 'content/c.md': page(`${links} ${b}`) })), [
    'content/c.md:5 #gone',
    'content/c.md:5 /docs/a/#linkhttpsxyz-here',
    'content/c.md:5 /docs/a/#teil',
  ])
})

test('a shortcode that inserts text may add anchors, one that wraps it adds no other', async () => {
  const wrapped = await check({ 'content/c.md': page('{{< box >}}x{{< /box >}}\n\n[x](#no)') })
  assert.deepEqual(places(wrapped), ['content/c.md:7 #no'])
  const inserted = await check({ 'content/c.md': page('{{% part "x.md" %}}\n\n[x](#no)') })
  assert.deepEqual(places(inserted), [])
  assert.deepEqual(places(await check({ 'content/c.md': page('{{< gone >}}') })), ['content/c.md:5 gone'])
})

test('a template that resolves links finds pages by name, and may know own words', async () => {
  const hook = { 'layouts/_markup/render-link.html': '{{ with .Page.GetPage .Destination }}{{ end }}\n' }
  const text = page('[a](/docs/A) [b](docs/b) [term](g) [gone](docs/gone) [gone](/docs/gone/)')
  const result = await check({ ...hook, 'content/more/c.md': text })
  assert.deepEqual(places(result), ['content/more/c.md:5 /docs/gone/', 'content/more/c.md:5 docs/gone'])
  assert.equal(coverageOf(result).notJudged.find(({ reason }) => reason === 'code')?.count, 1)
})

test('programs, modules and content adapters make pages that are not judged', async () => {
  const config = {
    'config.toml': `baseURL = "/"
theme = "acme"
[[module.mounts]]
source = "content"
target = "content"
[[module.mounts]]
source = "tmp/spec"
target = "content/spec"
[outputFormats.redir]
baseName = "_redirects"
`,
    'layouts/home.redir': '/gone/*  /docs/:splat\n{{ range .Pages }}\n/old/x/{{ . }} /\n{{ end }}\n',
    'content/api/_content.gotmpl': '{{ .AddPage (dict "path" "x") }}\n',
  }
  const text = page('[a](/spec/x/) [b](/gone/x/) [c](/api/x/) [d](/old/x/y) [e](/no/)')
  const result = await check({ ...config, 'content/c.md': text })
  assert.deepEqual(
    places(result).filter((one) => one.startsWith('content/c.md')),
    ['content/c.md:5 /no/'],
  )
})

test('a configuration of another program is no site of Hugo', async () => {
  const { sites } = await checkFiles(memoryTree({ 'config.yaml': 'theme: dark\n', 'content/a.md': '# A\n' }))
  assert.deepEqual(
    sites.map(({ kind }) => kind),
    ['plain'],
  )
})
