import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles, showFindings } from '../../../test/support/check-files.ts'
import { memoryTree } from '../../../test/support/docs-sites.ts'
import { coverageOf } from '../../checks/coverage.ts'

const page = (text: string, more = '') => `---\ntitle: A\n${more}---\n\n${text}\n`
const files = {
  '_config.yml':
    'baseurl: /p\nrepository: https://github.com/acme/p\npermalink: pretty\ncollections:\n  docs:\n    output: true\n',
  'index.md': page(
    '[a]({% link _docs/a.md %}#part) [b]({% post_url 2024-02-03-news %}) [c]({{ "/docs/a/" | relative_url }}) [d]({{ site.baseurl }}/docs/b/) [e](/p/old/) [f]({{ site.repository }}/x)\n\n[g][h]\n\n[h]: {% link _docs/b.md %}',
  ),
  '_docs/a.md': page('# Part\n\n[b](../b/) [up](../../) [file](b.md)', 'redirect_from: [/old/]\n'),
  '_docs/b.md': page('# B\n\n<div markdown="1">\n\n## Zwölf\n\n</div>\n\n[other]({{ page.next }})'),
  '_posts/2024-02-03-news.md': page('News'),
  '_data/nav.yml': '- title: A\n  url: /docs/a/\n- title: B\n  url: /docs/b/\n',
  'data.json': '---\n---\n[{% for p in site.pages %}{}{% endfor %}]\n',
}

const check = async (change: Readonly<Record<string, string | null>> = {}) => checkFiles(memoryTree(files, change))

test('Jekyll follows Liquid, permalinks, posts and redirects of pages', async () => {
  const result = await check()
  assert.deepEqual([result.sites[0]?.kind, result.pages], ['jekyll', 4])
  assert.equal(showFindings(result.findings), '')
  assert.deepEqual(
    coverageOf(result).notJudged.map(({ reason, count, example }) => [reason, count, example]),
    [['template', 1, '_docs/b.md:13 {{ page.next }}']],
  )
})

test('a deleted page of Jekyll leaves a finding at each place that names it', async () => {
  const gone = await check({ '_docs/a.md': null, '_docs/b.md': null, '_posts/2024-02-03-news.md': null })
  assert.deepEqual(
    gone.findings.map(({ path, line, target }) => `${path}:${line} ${target}`),
    [
      '_data/nav.yml:2 /docs/a/',
      '_data/nav.yml:4 /docs/b/',
      'index.md:5 /p/old/',
      'index.md:5 {% link _docs/a.md %}#part',
      'index.md:5 {% post_url 2024-02-03-news %}',
      'index.md:5 {{ "/docs/a/" | relative_url }}',
      'index.md:5 {{ site.baseurl }}/docs/b/',
      'index.md:9 {% link _docs/b.md %}',
    ],
  )
})

test('links of Jekyll are addresses, not paths', async () => {
  const { findings } = await check({
    '_docs/ar/a.md': page('[b](../b/#there) [b](../b/#b)'),
    '_docs/ar/b.md': page('# There'),
  })
  assert.equal(showFindings(findings), '_docs/ar/a.md:5 anchor ../b/#b')
})

test('anchors in an element that kramdown reads are not judged', async () => {
  const quote = '<aside markdown="1">\n  <aside>A</aside>\n\nB\n\n</aside>\n\n## Ö'
  const result = await check({
    'index.md': page(
      '[b](/p/docs/b/#no) [a](/p/docs/a/#no) [b](/p/docs/b/#b) [b](/p/docs/b/#zwlf) [b](/p/docs/b/#zwölf)',
    ),
    '_docs/c.md': page(`${quote}\n\n[c](#no) [c](#ö)`),
    '_docs/d.md': page(`<div markdown="1">\n\n${quote}\n\n[d](#no) [d](#ö) [d](#section)`),
  })
  assert.equal(showFindings(result.findings), '_docs/c.md:14 anchor #no\nindex.md:5 anchor /p/docs/a/#no')
  assert.deepEqual(
    result.checked.pages
      .values()
      .flatMap(({ unjudged }) => unjudged.map(({ url }) => url))
      .toArray(),
    ['{{ page.next }}', '#no', '#ö', '/p/docs/b/#no', '/p/docs/b/#zwölf'],
  )
})

test('an element ends at its end tag, so that fences and links after it are read', async () => {
  const text =
    '<div>\n\n[b](/p/docs/b/)\n</div>\n```md\n[no](/p/no)\n```\n\n# After\n\n[gone]({% link gone.md %}) [a](#after)'
  assert.equal(
    showFindings((await check({ '_docs/c.md': page(text) })).findings),
    '_docs/c.md:15 link {% link gone.md %}',
  )
})

test('a repository of GitHub Pages without a configuration is a site of Jekyll', async () => {
  const { sites, findings } = await checkFiles(
    memoryTree({
      Gemfile: "source 'https://rubygems.org'\ngem 'github-pages'\n",
      'index.md': '# A\n\n[b](b.md) [b](b.html) [gone](gone.html)\n',
      'b.md': '# B\n',
    }),
  )
  assert.equal(sites[0]?.kind, 'jekyll')
  assert.equal(showFindings(findings), 'index.md:3 link gone.html')
})

test('pages that Jekyll excludes are those of the repository', async () => {
  const conf = `${files['_config.yml']}exclude: [notes]\n`
  const { findings } = await check({ '_config.yml': conf, 'notes/a.md': '# A\n\n[gone](gone.md) [a](#no)\n' })
  assert.equal(showFindings(findings), 'notes/a.md:3 anchor #no\nnotes/a.md:3 link gone.md')
})
