// Each reason why something is not judged has a case, and a change answers for what it touches.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from '../../test/support/check-files.ts'
import { docsSite, memoryTree, type SiteFiles } from '../../test/support/docs-sites.ts'
import { countNotJudged, type Reason, reasonNames } from '../sites/coverage.ts'
import { coverageOf, coverageOfChange, reasonOf } from './coverage.ts'

const mintlify = docsSite('mintlify')
const page = mintlify.page('guides/deploy')
const vitepress = { '.vitepress/config.ts': 'export default {}\n' }

/** These have their cases in `drift/drift.test.ts`, `cli/check/grounding.test.ts` and `translations/outdated.test.ts`. */
const reasonsOfSources = ['source', 'history', 'lookup', 'translation', 'commits'] as const
type ReasonOfTree = Exclude<Reason, (typeof reasonsOfSources)[number]>

const cases: Readonly<Record<ReasonOfTree, readonly [files: SiteFiles, example: string]>> = {
  site: [{ 'a.md': '[b](/b)\n' }, 'a.md:1 /b'],
  code: [{ ...vitepress, 'x/[id].md': '# X\n', 'a.md': '[b](/x/b)\n' }, 'a.md:1 /x/b'],
  generated: [{ ...mintlify.files, [page]: '[b](/llms.txt)\n' }, `${page}:1 /llms.txt`],
  redirect: [{ ...vitepress, _redirects: '/old/* /new/:splat 301\n', 'a.md': '[b](/old/b)\n' }, 'a.md:1 /old/b'],
  ignored: [{ ...vitepress, '.gitignore': 'api/\n', 'a.md': '[b](./api/b.md)\n' }, 'a.md:1 ./api/b.md'],
  outside: [{ 'mkdocs.yml': 'nav: []\n', 'docs/a.md': '[b](../src/b.py)\n' }, 'docs/a.md:1 ../src/b.py'],
  template: [{ 'a.md': '<a href="{{ url }}/b">b</a>\n' }, 'a.md:1 {{ url }}/b'],
  context: [{ 'a.adoc': 'include::b.adoc[]\n', 'b.adoc': 'xref:gone.adoc[]\n' }, 'b.adoc:1 gone.adoc'],
  alias: [{ 'a.md': '![b](@/b.png)\n' }, 'a.md:1 @/b.png'],
  navigation: [
    {
      '.vitepress/config.ts': "export default { themeConfig: { sidebar: [{ link: '/a' }] } }\n",
      'a.md': '',
      'b.md': '',
    },
    'b.md:1',
  ],
  anchors: [{ 'a.md': '[b](b.md#c)\n', 'b.md': '{{ macro() }}\n' }, 'a.md:1 b.md#c'],
  large: [{}, ''],
  syntax: [{ 'a.md': 'A\n', 'b.org': '* B\n' }, 'b.org:1'],
}

const isOfTree = (name: Reason): name is ReasonOfTree => !reasonsOfSources.some((other) => other === name)
const reasonsOfTree = reasonNames.filter(isOfTree)
for (const reason of reasonsOfTree.filter((name) => name !== 'large')) {
  test(`a place is not judged for the reason ${reason}, and counted`, async () => {
    const [files, example] = cases[reason]
    const result = await checkFiles(memoryTree(files))
    const { notJudged } = coverageOf(result)
    assert.deepEqual(
      notJudged.find((one) => one.reason === reason),
      { reason, count: 1, example },
    )
    const [, path = '', line = '', url = ''] = /^([^:]+):(\d+) ?(.*)$/.exec(example) ?? []
    assert.equal(reasonOf(result, { path, line: Number(line), url }), reason)
    assert.equal(reasonOf(result, { path: 'other.md', line: Number(line), url }), undefined)
  })
}

test('a link to a file that is gone does not lead back to its own page', async () => {
  const files = { 'mkdocs.yml': 'nav: []\n', 'docs/a/b.md': '# B\n\n[b](../b.md#b)\n', 'docs/b.md': '# B\n' }
  const [before, after] = [memoryTree(files), memoryTree(files, { 'docs/b.md': null })]
  assert.deepEqual((await checkFiles(before)).findings, [])
  assert.deepEqual(
    (await checkFiles(after)).findings.map(({ kind, target }) => [kind, target]),
    [['link', '../b.md#b']],
  )
})

test('a heading of a page that a program adds to is judged', async () => {
  const files = { 'a.md': '[b](b.md#part) [c](b.md#no)\n', 'b.md': '# Part\n\n{{ macro() }}\n' }
  const result = await checkFiles(memoryTree(files))
  assert.deepEqual(coverageOf(result), {
    judged: 1,
    notJudged: [{ reason: 'anchors', count: 1, example: 'a.md:1 b.md#no' }],
  })
  const changed = await checkFiles(memoryTree({ ...files, 'b.md': '# Other\n\n{{ macro() }}\n' }))
  assert.equal(coverageOf(changed).judged, 0)
})

test('a container leaves the anchors of its page judged, and a directive does not', async () => {
  const found = async (part: string) => {
    const result = await checkFiles(memoryTree({ ...vitepress, 'a.md': '[b](b.md#no)\n', 'b.md': `# B\n\n${part}\n` }))
    return result.findings.map(({ target }) => target).join()
  }
  for (const part of ['::: tip\nA.\n:::', ':::: details A\n\n::: info\n:::\n\n::::', ':::note\n\nA.\n\n:::'])
    assert.equal(await found(part), 'b.md#no', part)
  for (const part of ['::: acme.cli', '::: acme\n    options:\n      heading_level: 2'])
    assert.equal(await found(part), '', part)
})

test('ids by a slug function of VitePress are known if it is that of GitHub', async () => {
  const found = async (rule: string) => {
    const config = `import { slug } from '${rule}'\nexport default { markdown: { anchor: { slugify: slug } } }\n`
    const page = '# A\n\n## 1. Node.js & git\n\n[git](#1-nodejs--git) [usual](#_1-node-js-git)\n'
    const result = await checkFiles(memoryTree({ '.vitepress/config.ts': config, 'a.md': page }))
    return [result.findings.map(({ target }) => target).join(), coverageOf(result).notJudged.length]
  }
  assert.deepEqual(await found('github-slugger'), ['#_1-node-js-git', 0])
  assert.deepEqual(await found('./own.ts'), ['', 1])
})

test('links of a file that pages insert are counted, and named when their page is gone', async () => {
  const files = { ...vitepress, 'a.md': '<!--@include: ./p.md-->\n', 'b.md': '# B\n', 'p.md': '[b](/b)\n' }
  const config = { '.vitepress/config.ts': "export default { srcExclude: ['p.md'] }\n" }
  const check = async (change: Readonly<Record<string, string | null>>) => {
    const tree = memoryTree({ ...files, ...config }, change)
    return { tree, result: await checkFiles(tree) }
  }
  const before = await check({})
  assert.deepEqual(coverageOf(before.result).notJudged, [{ reason: 'context', count: 1, example: 'p.md:1 /b' }])
  const { references } = coverageOfChange(before, await check({ 'b.md': null }))
  assert.deepEqual(references, [{ path: 'p.md', line: 1, name: '/b' }])
})

test('a site without a fault is judged whole', async () => {
  const { judged, notJudged } = coverageOf(await checkFiles(memoryTree(mintlify.files)))
  assert.ok(judged > 20, String(judged))
  assert.deepEqual(notJudged, [])
})

test('a change answers for its own pages, and for places that may name what is gone', async () => {
  const redirects = { _redirects: '/old/* /new/:splat 301\n' }
  const files = { ...vitepress, ...redirects, 'a.md': '[b](/old/b)\n', 'b.md': '# B\n', 'c.md': '[c](/old/c)\n' }
  const check = async (change: Readonly<Record<string, string | null>>) => {
    const tree = memoryTree(files, change)
    return { tree, result: await checkFiles(tree) }
  }
  const before = await check({})
  const edited = coverageOfChange(before, await check({ 'c.md': '[c](/old/c) [b](b.md)\n' }))
  assert.deepEqual([edited.judged, countNotJudged(edited), edited.references], [1, 1, []])
  const deleted = coverageOfChange(before, await check({ 'b.md': null }))
  assert.deepEqual(deleted.references, [{ path: 'a.md', line: 1, name: '/old/b' }])
  assert.equal(countNotJudged(deleted), 1)
})
