import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applySplices } from '../../../docs-syntax/text.ts'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { outlinesOf } from '../../../sites/site-map.ts'
import { openSites } from '../../tools/links/open-sites.ts'
import { planEntry } from './entry.ts'

type Case = readonly [name: string, file: string, text: string, after: string, where: string]

/** The new page is `g/n` in the folder of the pages. */
const cases: readonly Case[] = [
  [
    'after the last neighbour on its line',
    'docs.json',
    '{"pages": ["g/a", "g/b", "c"]}',
    '{"pages": ["g/a", "g/b", "g/n", "c"]}',
    '',
  ],
  ['after the only one', 'docs.json', '{"pages": ["g/a"]}', '{"pages": ["g/a", "g/n"]}', ''],
  [
    'on a line of its own',
    'docs.json',
    '{"group": "G", "pages": [\r\n\t"g/a"\r\n]}',
    '{"group": "G", "pages": [\r\n\t"g/a",\r\n\t"g/n"\r\n]}',
    ' under “G”',
  ],
  [
    'with a slash and an extension where they have them',
    'docs.json',
    '{"pages": ["/g/a.mdx"]}',
    '{"pages": ["/g/a.mdx", "/g/n.md"]}',
    '',
  ],
  [
    'in the list with most neighbours',
    'docs.json',
    '[{"pages": ["g/a"]}, {"pages": ["g/b", "g/c"]}]',
    '[{"pages": ["g/a"]}, {"pages": ["g/b", "g/c", "g/n"]}]',
    '',
  ],
  [
    'beside the pages of the folder above, when its own has no other',
    'docs.json',
    '[{"pages": ["c"]}, {"pages": ["g/h/a"]}]',
    '[{"pages": ["c"]}, {"pages": ["g/h/a", "g/n"]}]',
    '',
  ],
  [
    'in no list of redirects or of links at the top',
    'docs.json',
    '{"redirects": [{"source": "/x", "destination": "/g/a"}], "pages": ["g/a"]}',
    '{"redirects": [{"source": "/x", "destination": "/g/a"}], "pages": ["g/a", "g/n"]}',
    '',
  ],
  [
    'in a sidebar of Docusaurus',
    'sidebars.js',
    "module.exports = { docs: ['c', { type: 'category', label: 'G', items: ['g/a', 'g/b'] }] }",
    "module.exports = { docs: ['c', { type: 'category', label: 'G', items: ['g/a', 'g/b', 'g/n'] }] }",
    ' under “G”',
  ],
  [
    'as an object where they are objects',
    'sidebars.ts',
    "export default { docs: [\n  { type: 'doc', id: 'g/a', label: 'A' },\n  { type: 'doc', id: 'g/b', label: 'B', className: 'x' },\n] }",
    "export default { docs: [\n  { type: 'doc', id: 'g/a', label: 'A' },\n  { type: 'doc', id: 'g/b', label: 'B', className: 'x' },\n  { type: 'doc', id: 'g/n', label: 'It\\'s new' },\n] }",
    '',
  ],
  [
    'with a link and a text in VitePress, not at the top',
    '.vitepress/config.ts',
    "export default { themeConfig: { nav: [{ text: 'A', link: '/g/a' }], sidebar: [{ text: 'G', items: [{ text: 'A', link: '/g/a' }, { text: 'B', link: '/g/b' }] }] } }",
    "export default { themeConfig: { nav: [{ text: 'A', link: '/g/a' }], sidebar: [{ text: 'G', items: [{ text: 'A', link: '/g/a' }, { text: 'B', link: '/g/b' }, { text: 'It\\'s new', link: '/g/n' }] }] } }",
    ' under “G”',
  ],
  [
    'by its slug in Starlight',
    'astro.config.mjs',
    "export default defineConfig({ integrations: [starlight({ sidebar: [{ label: 'G', items: [{ slug: 'g/a' }, { label: 'B', link: '/g/b/' }] }] })] })",
    "export default defineConfig({ integrations: [starlight({ sidebar: [{ label: 'G', items: [{ slug: 'g/a' }, { label: 'B', link: '/g/b/' }, { slug: 'g/n' }] }] })] })",
    ' under “G”',
  ],
  [
    'with a title in MkDocs where they have one',
    'mkdocs.yml',
    'nav:\n  - Home: c.md\n  - G:\n      - A: g/a.md\n      - B: g/b.md\nplugins:\n  - search\n',
    "nav:\n  - Home: c.md\n  - G:\n      - A: g/a.md\n      - B: g/b.md\n      - It's new: g/n.md\nplugins:\n  - search\n",
    ' under “G”',
  ],
  [
    'without a title in MkDocs where they have none',
    'mkdocs.yml',
    'nav:\n  - c.md\n  - g/a.md\n',
    'nav:\n  - c.md\n  - g/a.md\n  - g/n.md\n',
    '',
  ],
  [
    'after the pages below its neighbour in mdBook',
    'SUMMARY.md',
    '# Summary\n\n- [C](c.md)\n- [A](g/a.md)\n  - [B](g/h/a.md)\n- [D](d.md)\n',
    "# Summary\n\n- [C](c.md)\n- [A](g/a.md)\n  - [B](g/h/a.md)\n- [It's new](g/n.md)\n- [D](d.md)\n",
    ' under “Summary”',
  ],
]

const paths = ['c.md', 'd.md', 'g/a.md', 'g/b.md', 'g/c.md', 'g/h/a.md', 'g/n.md']
const title = "It's new"

for (const [name, file, text, after, where] of cases) {
  test(`a new page is listed ${name}`, () => {
    for (const folder of file.startsWith('.') ? ['', 'site/'] : ['']) {
      const files = [{ path: folder + file, text }]
      const all = paths.map((path) => folder + path)
      // A page of the folder below is listed in one case only.
      const known = text.includes('g/h/a') ? all : all.filter((path) => !path.includes('/h/'))
      const near = name.includes('the folder above') ? known.filter((path) => !/g\/[abc]\.md$/.test(path)) : known
      const entry = planEntry({ path: `${folder}g/n.md`, title }, files, { paths: near, sites: [] })
      assert.ok(entry.kind === 'entry', JSON.stringify(entry))
      assert.equal(applySplices(text, [entry.splice]), after)
      assert.equal(entry.where, where)
    }
  })
}

test('a new page is not listed where it does not belong', () => {
  for (const [text, kind] of [
    ['{', 'none'],
    ['{"pages": ["g/n"]}', 'listed'],
    ['{"pages": ["/g/n.mdx"]}', 'listed'],
    ['{"pages": ["c"]}', 'none'],
    ['{"pages": "g/a"}', 'none'],
    ['{"items": ["g/a"]}', 'none'],
  ] as const)
    assert.equal(
      planEntry({ path: 'g/n.md', title }, [{ path: 'docs.json', text }], { paths, sites: [] }).kind,
      kind,
      text,
    )
})

test('a site that lists the pages of a folder by itself needs no entry', async () => {
  const page = '# A\n'
  for (const files of [
    {
      'docs/g/a.md': page,
      'docusaurus.config.js': 'module.exports = {}',
      'sidebars.js': "export default { docs: [{ type: 'autogenerated', dirName: '.' }] }",
    },
    {
      'src/content/docs/g/a.md': page,
      'astro.config.mjs':
        "import s from '@astrojs/starlight'\nexport default { sidebar: [{ label: 'G', autogenerate: { directory: 'g' } }] }",
    },
    { 'docs/g/a.md': page, 'mkdocs.yml': 'site_name: Acme\n' },
  ]) {
    const { sites, paths: present } = await openSites({ workspace: createMemoryWorkspace(files) })
    const near = (Object.keys(files)[0] ?? '').replace('a.md', 'n.md')
    const layout = { paths: [...present, near], sites: outlinesOf(sites) }
    assert.equal(planEntry({ path: near, title }, [], layout).kind, 'automatic', near)
  }
})
