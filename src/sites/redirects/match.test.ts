// Which addresses a redirect covers, by the rules of the hosts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from '../../../test/support/check-files.ts'
import { docsSite, memoryTree } from '../../../test/support/docs-sites.ts'
import { coverageOf } from '../../checks/coverage.ts'
import { redirectedAt } from './match.ts'

const cases: readonly (readonly [source: string, covered: readonly string[], others: readonly string[]])[] = [
  ['/old', ['/old', '/old/', '/old.html'], ['/older', '/old/a']],
  ['/old/*', ['/old', '/old/a', '/old/a/b'], ['/older', '/a/old/b']],
  ['/*.txt', ['/a.txt', '/a/b.txt'], ['/a', '/a.txt/b']],
  ['/:locale/v1/*', ['/de/v1', '/de/v1/a'], ['/v1/a', '/a/b/v1', '/de/v2/a']],
  ['/old/:path*', ['/old', '/old/a/b'], ['/older']],
  ['/old/:path+', ['/old/a/b'], ['/older']],
  ['/a/:id(\\d+)/b', ['/a/12/b'], ['/a/1/2/b', '/a/12']],
  ['/:lang(en|de)/a', ['/en/a'], ['/en/b', '/a', '/fr/a']],
  ['/a/:name((?!c|d)[^/]+)', ['/a/b'], ['/a/b/e', '/a']],
  ['/a/((b|c)|d)', ['/a/d'], []],
  ['/a/((?!b/).*)', ['/a/c/d'], ['/b/c']],
  ['/a(.*)', ['/a', '/ab/c'], ['/b']],
  ['/p/:year-:month/x', ['/p/2020-01/x'], ['/p/x', '/p/2020-01']],
]

for (const [source, covered, others] of cases) {
  test(`${source} covers what its host redirects, and nothing else`, () => {
    const at = (name: string) => redirectedAt({ redirects: [{ file: 'f', line: 1, source }], base: '' }, name)
    for (const name of covered) assert.ok(at(name), name)
    for (const name of others) assert.equal(at(name), undefined, name)
  })
}

test('a hostile pattern takes no longer than its length says', () => {
  const source = `/${'*b:c(d*)'.repeat(200)}`
  const redirects = [{ file: 'f', line: 1, source }]
  assert.equal(redirectedAt({ redirects, base: '' }, `/${'a'.repeat(290)}`), undefined)
})

const lists: readonly (readonly [file: string, text: string, found: 'missing' | 'redirect' | 'page'])[] = [
  ['_redirects', '/* /index.html 200\n', 'missing'],
  ['_redirects', '/* /404.html 404\n', 'missing'],
  ['_redirects', '/:lang/* /404.html 404\n', 'missing'],
  ['_redirects', '/*.txt /:splat.md\n', 'missing'],
  ['_redirects', '/* https://new.example/:splat 301!\n', 'redirect'],
  ['_redirects', '/* https://proxy.example/:splat 200\n', 'redirect'],
  ['_redirects', '/gone /install\n', 'page'],
  ['_redirects', '/gone /install 302 Country=de\n', 'redirect'],
  ['_redirects', '/gone id=:id /install 301\n', 'redirect'],
  ['netlify.toml', '[[redirects]]\nfrom = "/*"\nto = "/index.html"\nstatus = 200\n', 'missing'],
  ['netlify.toml', '[[redirects]]\nfrom = "/gone"\nto = "/install"\nconditions = {Language = ["de"]}\n', 'redirect'],
  ['vercel.json', '{"redirects":[{"source":"/:path*","destination":"https://new.example/:path*"}]}', 'redirect'],
  ['vercel.json', '{"redirects":[{"source":"/gone","destination":"/install","has":[{"type":"host"}]}]}', 'redirect'],
]

for (const [file, text, expected] of lists) {
  test(`a missing page below ${text.trim().replaceAll('\n', ' ')} is ${expected}`.slice(0, 80), async () => {
    const site = docsSite('vitepress')
    const page = site.page('install')
    const files = { [`docs/public/${file}`]: text, [page]: `${site.files[page]}\n[a](/gone)\n` }
    const result = await checkFiles(memoryTree(site.files, { 'docs/public/_redirects': null, ...files }))
    const found = result.findings.filter(({ target }) => target === '/gone').length
    const reasons = coverageOf(result).notJudged.map(({ reason }) => reason)
    assert.deepEqual([found, reasons], [expected === 'missing' ? 1 : 0, expected === 'redirect' ? ['redirect'] : []])
  })
}

test('the only site of a repository has the redirects of its host at the root', async () => {
  const files = { 'docs/.vitepress/config.ts': 'export default {}\n', 'docs/a.md': '[b](/b) [old](/old)\n' }
  const host = { 'netlify.toml': '[[redirects]]\nfrom = "/a"\nto = "/c"\n[[redirects]]\nfrom = "/old"\nto = "/a"\n' }
  const found = async (more: Readonly<Record<string, string>>) =>
    (await checkFiles(memoryTree({ ...files, ...host, ...more }))).findings.map(
      ({ kind, target }) => `${kind} ${target}`,
    )
  assert.deepEqual(await found({}), ['link /b', 'redirect /a'])
  assert.deepEqual(await found({ 'other/mkdocs.yml': 'site_name: A\n' }), ['link /b', 'link /old'])
})
