import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from '../../../test/support/check-files.ts'
import { memoryTree } from '../../../test/support/docs-sites.ts'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import { createMoveFileTool } from '../../agent/tools/move-file.ts'
import { coverageOf } from '../../checks/coverage.ts'

const pages = {
  'docs/README.md': '# A\n',
  'docs/g/README.md': '# G\n',
  'docs/g/a.md': '# A\n\n## Twice\n\n### Twice\n\n## 1. A – b\n',
  'docs/own.vue': '',
}

async function check(files: Readonly<Record<string, string>>) {
  const result = await checkFiles(memoryTree({ ...pages, ...files }))
  return {
    findings: result.findings.map(({ kind, path, target }) => `${kind} ${path} ${target}`),
    notJudged: coverageOf(result).notJudged.map(({ reason, count, example }) => `${count} ${reason} ${example}`),
  }
}

const links = '[a](a.md#twice-1) [b](./a.html#twice-2) [c](/g/a.html#_1-a-b) [d](/own.html) [e](/p/g/) [f](../x.md)\n'

const includes = '<<< @/gone.js\n\n```md\n<<< @/shown.js\n```\n\n<!-- @include: @a.md -->\n'

test('VuePress 1: entries of the navigation, and ids of headings', async () => {
  const config = `module.exports = {
  base: '/p/',
  themeConfig: {
    nav: [{ text: 'G', link: '/g/' }, { text: 'Out', link: 'https://a.example' }],
    sidebar: { '/g/': ['', 'a', ['gone', 'Gone'], { title: 'T', children: ['/no', ['/own', 'Own']] }], '/': ['/', 'x'] },
  },
}
`
  assert.deepEqual(await check({ 'docs/.vuepress/config.js': config, 'docs/g/README.md': `# G\n\n${links}` }), {
    findings: [
      'navigation docs/.vuepress/config.js /no',
      'navigation docs/.vuepress/config.js gone',
      'navigation docs/.vuepress/config.js x',
      'anchor docs/g/README.md a.md#twice-1',
      'link docs/g/README.md ../x.md',
    ],
    notJudged: [],
  })
})

test('VuePress 2: names that a function or a prefix completes are counted', async () => {
  const files = {
    'docs/.vuepress/config.ts':
      "import { defineUserConfig } from 'vuepress'\nimport { sidebar } from './sidebar.js'\nexport default defineUserConfig({ base: '/p/', theme: defaultTheme({ sidebar, navbar: ['/g/README.md', '/no.md'] }) })\n",
    'docs/.vuepress/sidebar.ts':
      "export const sidebar = { '/g/': [{ text: 'A', prefix: 'sub/', children: ['b.md'] }], '/zh/': createList('zh') }\n",
    'docs/g/README.md': `# G\n\n${links}`,
  }
  assert.deepEqual(await check(files), {
    findings: [
      'navigation docs/.vuepress/config.ts /no.md',
      'anchor docs/g/README.md ./a.html#twice-2',
      'anchor docs/g/README.md /g/a.html#_1-a-b',
      'link docs/g/README.md ../x.md',
    ],
    notJudged: ['2 code docs/.vuepress/sidebar.ts:1 b.md'],
  })
})

test('VuePress: a slug function, patterns of addresses and aliases are not judged', async () => {
  const own = "module.exports = { markdown: { slugify: (a) => a }, permalinkPattern: '/:slug/' }\n"
  const { findings, notJudged } = await check({
    'docs/.vuepress/config.js': own,
    'docs/g/README.md': `${links}\n${includes}`,
  })
  assert.deepEqual(findings, ['include docs/g/README.md @/gone.js'])
  assert.deepEqual(notJudged, [
    '3 anchors docs/g/README.md:1 a.md#twice-1',
    '2 code docs/g/README.md:1 /p/g/',
    '1 alias docs/g/README.md:9 @a.md',
  ])
})

test('VuePress: the navigation follows a move', async () => {
  const path = 'docs/.vuepress/config.js'
  const text =
    "module.exports = { themeConfig: { nav: [{ text: 'a', link: '/g/a.html' }], sidebar: { '/g/': ['', 'a', ['a', 'a'], '/g/a'] } } }\n"
  const workspace = createMemoryWorkspace({ ...pages, [path]: text, 'docs/g/README.md': '[a](a.md) [b](./a.html)\n' })
  const { signal } = new AbortController()
  await createMoveFileTool().run({ from: 'docs/g/a.md', to: 'docs/g/new.md' }, { workspace, signal })
  const texts = workspace.texts()
  assert.equal(
    texts[path],
    "module.exports = { themeConfig: { nav: [{ text: 'a', link: '/g/new.html' }], sidebar: { '/g/': ['', 'new', ['new', 'a'], '/g/new'] } } }\n",
  )
  assert.equal(texts['docs/g/README.md'], '[a](new.md) [b](./new.html)\n')
})
