import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles, showFindings } from '../../../../test/support/check-files.ts'
import { memoryTree } from '../../../../test/support/docs-sites.ts'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { createDeleteFileTool } from '../../../agent/tools/delete-file.ts'
import { createMoveFileTool } from '../../../agent/tools/move-file.ts'
import { coverageOf } from '../../../checks/coverage.ts'

const signal = new AbortController().signal

function siteWith(settings: string, page: string) {
  return {
    'docs/index.html': `<script>window.$docsify = { loadSidebar: true, ${settings} }</script>\n`,
    'docs/_sidebar.md': '* [Home](/)\n* [A](g/a.md "A title")\n* [B](g/b)\n',
    'docs/README.md': '# Home\n',
    'docs/g/a.md': `# A\n\n${page}\n`,
    'docs/g/b.md': "# B\n\n## 1. What's `new` & *old*?\n",
    'docs/g/i.png': '',
  }
}

async function check(files: Readonly<Record<string, string>>) {
  const result = await checkFiles(memoryTree(files))
  const { notJudged } = coverageOf(result)
  return {
    findings: result.findings.map(({ kind, path, target }) => `${kind} ${path} ${target}`),
    notJudged: notJudged.map(({ reason, example }) => `${reason} ${example}`),
  }
}

test('docsify: addresses, ids of headings in the forms of 4 and 5, and files', async () => {
  const links = [
    '/g/b',
    'g/b.md',
    '#/g/b?id=b',
    '/g/b?id=_1-what39s-new-amp-old',
    'g/b#_1-Whats-new--old',
    '/',
    'g/i.png',
    '#a',
    '/g/b?id=gone',
    'g/gone',
    '/gone.md',
    '#gone',
  ]
  const page = `${links.map((link) => `[x](${link})`).join(' ')} ![i](i.png) ![no](gone.png)`
  const { findings } = await check(siteWith('', page))
  assert.deepEqual(
    findings.map((one) => one.replace('docs/g/a.md ', '')),
    ['anchor #gone', 'anchor /g/b?id=gone', 'image gone.png', 'link /gone.md', 'link g/gone'],
  )
})

test('docsify: an alias or a language that falls back hides no other missing page', async () => {
  const settings =
    "alias: { '/.*/_navbar.md': '/n.md', '.*?/log': 'https://a.example/LOG.md' }, fallbackLanguages: ['de']"
  assert.deepEqual(await check(siteWith(settings, '[l](/de/log) [b](/de/g/b) [c](/de/g/c)')), {
    findings: ['link docs/g/a.md /de/g/c'],
    notJudged: ['redirect docs/g/a.md:3 /de/log'],
  })
})

test('docsify: a site without a README has the lists that its settings name', async () => {
  const settings =
    "homepage: 'a.md', loadSidebar: 'side.md', coverpage: 'cover.md', alias: { '.*?/log': 'https://a.example/LOG.md' }"
  const pages = ['a', 'b', 'c', 'd', 'e', 'f']
  const tree = memoryTree({
    'index.html': `<script>window.$docsify = { ${settings} }</script>`,
    'side.md': `${pages.map((name) => `- [A](${name}.md)\n`).join('')}- [Log](log)\n- [G](gone)\n`,
    'cover.md': '# Cover\n',
    ...Object.fromEntries(pages.map((name) => [`${name}.md`, '# A\n'])),
  })
  const { findings, sites } = await checkFiles(tree)
  assert.deepEqual(
    [sites.map(({ kind }) => kind), showFindings(findings)],
    [['docsify', 'plain'], 'side.md:8 navigation gone'],
  )
})

test('docsify: another page, or one of another host, is no site', async () => {
  const kinds = async (html: string) =>
    (await checkFiles(memoryTree({ 'README.md': '# A\n', 'index.html': html }))).sites.map(({ kind }) => kind)
  assert.deepEqual(await kinds('<p>A</p>'), ['plain'])
  assert.deepEqual(await kinds("<script>$docsify = { basePath: 'https://a.example/' }</script>"), ['plain'])
  assert.deepEqual(await kinds("<script>$docsify = { basePath: '/docs/' }</script>"), ['docsify', 'plain'])
})

test('docsify: a moved page keeps its links from the root, in their form', async () => {
  const links = '[a](g/a.md) [b](#/g/a?id=x) [c](/g/a#y) ![i](i.png)\n'
  const move = async (settings: string, text: string) => {
    const workspace = createMemoryWorkspace({ ...siteWith(settings, '![i](i.png) [b](/g/b)'), 'docs/g/b.md': text })
    const { text: said } = await createMoveFileTool().run(
      { from: 'docs/g/a.md', to: 'docs/other/new page.md' },
      { workspace, signal },
    )
    return { said, texts: workspace.texts(), workspace }
  }
  const { said, texts, workspace } = await move('', links)
  assert.equal(
    texts['docs/g/b.md'],
    '[a](other/new%20page.md) [b](#/other/new%20page?id=x) [c](/other/new%20page#y) ![i](i.png)\n',
  )
  assert.equal(texts['docs/other/new page.md'], '# A\n\n![i](../g/i.png) [b](/g/b)\n')
  assert.equal(texts['docs/_sidebar.md'], '* [Home](/)\n* [A](other/new%20page.md "A title")\n* [B](g/b)\n')
  assert.match(said, /no redirect from/)
  const near = await move('relativePath: true', '[a](a) [b](./a.md#x)\n')
  assert.equal(near.texts['docs/g/b.md'], '[a](../other/new%20page) [b](../other/new%20page.md#x)\n')
  await createDeleteFileTool().run({ path: 'docs/g/b.md', removeLinks: true }, { workspace, signal })
  assert.doesNotMatch(workspace.texts()['docs/_sidebar.md'] ?? '', /g\/b/)
})
