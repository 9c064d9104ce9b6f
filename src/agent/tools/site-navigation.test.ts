import assert from 'node:assert/strict'
import { test } from 'node:test'
import { docsSite } from '../../../test/support/docs-sites.ts'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import { createDeleteFileTool } from './delete-file.ts'
import { createMoveFileTool } from './move-file.ts'

const signal = new AbortController().signal
const page = '---\ntitle: P\n---\n'

type Files = Readonly<Record<string, string>>

async function moveIn(files: Files, from: string, to: string) {
  const workspace = createMemoryWorkspace(files)
  const { text } = await createMoveFileTool().run({ from, to }, { workspace, signal })
  return { text, texts: workspace.texts() }
}

async function removeIn(files: Files, path: string, removeLinks = true) {
  const workspace = createMemoryWorkspace(files)
  const { text } = await createDeleteFileTool().run({ path, removeLinks }, { workspace, signal })
  return { text, texts: workspace.texts() }
}

const starlight = "import starlight from '@astrojs/starlight'\n"
const content = 'src/content/docs'
const docusaurus = { 'docusaurus.config.js': 'module.exports = {}\n' }

type Case = readonly [name: string, files: Files, from: string, to: string, after: Files]

const moves: readonly Case[] = [
  [
    'Starlight: slug, link and short form',
    {
      [`${content}/guides/a.mdx`]: page,
      'astro.config.mjs': `${starlight}export default { integrations: [starlight({ title: 'guides/a', sidebar: [\n 'guides/a',\n { slug: 'guides/a', label: 'guides/a' },\n { label: 'A', link: '/guides/a/#x' },\n { label: 'G', items: ['guides/a'] } ] })] }\n`,
    },
    `${content}/guides/a.mdx`,
    `${content}/manual/b.mdx`,
    {
      'astro.config.mjs': `${starlight}export default { integrations: [starlight({ title: 'guides/a', sidebar: [\n 'manual/b',\n { slug: 'manual/b', label: 'guides/a' },\n { label: 'A', link: '/manual/b/#x' },\n { label: 'G', items: ['manual/b'] } ] })] }\n`,
    },
  ],
  [
    'Starlight: a sidebar of its own, below the folder of a language',
    {
      [`${content}/en/a.mdx`]: page,
      [`${content}/de/a.mdx`]: page,
      'astro.config.ts': `${starlight}import { sidebar } from './astro.sidebar'\nexport default { integrations: [starlight({ defaultLocale: 'en', sidebar })] }\n`,
      'astro.sidebar.ts': "export const sidebar: string[] = ['a', 'x'] satisfies string[]\n",
    },
    `${content}/en/a.mdx`,
    `${content}/en/b/index.mdx`,
    { 'astro.sidebar.ts': "export const sidebar: string[] = ['b', 'x'] satisfies string[]\n" },
  ],
  [
    'Starlight: a translation is not what the sidebar names',
    {
      [`${content}/en/a.mdx`]: page,
      [`${content}/de/a.mdx`]: page,
      'astro.config.mjs': `${starlight}export default { integrations: [starlight({ defaultLocale: 'en', sidebar: ['a', { link: '/de/a' }] })] }\n`,
    },
    `${content}/de/a.mdx`,
    `${content}/de/b.mdx`,
    {
      'astro.config.mjs': `${starlight}export default { integrations: [starlight({ defaultLocale: 'en', sidebar: ['a', { link: '/de/b' }] })] }\n`,
    },
  ],
  [
    'Docusaurus: ids without a folder, ids of their own, numbers, addresses',
    {
      'docs/01-intro.md': '---\nid: start\n---\n',
      'docs/x.md': page,
      'docusaurus.config.js':
        "module.exports = { baseUrl: '/', themeConfig: { navbar: [{ type: 'doc', docId: 'start' }, { to: '/docs/start' }] } }\n",
      'sidebars.ts': "export default { docs: ['start', 'x', { type: 'doc', id: 'start', label: 'start' }] }\n",
    },
    'docs/01-intro.md',
    'docs/guides/01-intro.md',
    {
      'docusaurus.config.js':
        "module.exports = { baseUrl: '/', themeConfig: { navbar: [{ type: 'doc', docId: 'guides/start' }, { to: '/docs/guides/start' }] } }\n",
      'sidebars.ts':
        "export default { docs: ['guides/start', 'x', { type: 'doc', id: 'guides/start', label: 'start' }] }\n",
    },
  ],
  [
    'Docusaurus: a base, with or without it in the address',
    {
      'manual/a.md': page,
      'docusaurus.config.ts':
        "export default { baseUrl: '/docs/', docs: { path: 'manual' }, x: [{ to: '/docs/a' }, { href: '/docs/docs/a/' }, { to: '/a' }] }\n",
    },
    'manual/a.md',
    'manual/b.md',
    {
      'docusaurus.config.ts':
        "export default { baseUrl: '/docs/', docs: { path: 'manual' }, x: [{ to: '/docs/b' }, { href: '/docs/docs/b/' }, { to: '/a' }] }\n",
    },
  ],
  [
    'VitePress: objects, bases, and a site folder with any name',
    {
      'website/guide/a.md': page,
      'website/b.md': '[a](/guide/a)\n',
      'website/.vitepress/config.mts':
        "export default { base: '/p/', themeConfig: { nav: [{ text: 'A', link: '/guide/a' }], sidebar: { '/guide/': { base: '/guide/', items: [{ text: '/guide/a', link: 'a' }, { text: 'A', link: '/a.html#x' }] } } } }\n",
    },
    'website/guide/a.md',
    'website/guide/c.md',
    {
      'website/b.md': '[a](/guide/c)\n',
      'website/.vitepress/config.mts':
        "export default { base: '/p/', themeConfig: { nav: [{ text: 'A', link: '/guide/c' }], sidebar: { '/guide/': { base: '/guide/', items: [{ text: '/guide/a', link: 'c' }, { text: 'A', link: '/c.html#x' }] } } } }\n",
    },
  ],
]

for (const [name, files, from, to, after] of moves) {
  test(`the navigation follows a move: ${name}`, async () => {
    const { texts } = await moveIn(files, from, to)
    const { [from]: moved = '', ...others } = files
    assert.deepEqual(texts, { ...others, [to]: moved, ...after })
  })
}

const kinds = ['mintlify', 'docusaurus', 'vitepress', 'starlight', 'mkdocs', 'mdbook'] as const

for (const kind of kinds) {
  test(`${kind}: no file names a page after its move or deletion`, async () => {
    const site = docsSite(kind)
    const from = site.page('guides/webhooks')
    const moved = await moveIn(site.files, from, site.page('manual/hooks'))
    const rest = Object.entries(moved.texts).filter(([path]) => !path.endsWith('_redirects'))
    // A redirect has the old address, and headings and descriptions the old title.
    const text = rest
      .map(([, one]) => one)
      .join('\n')
      .replace(/^(?:title|description|#).*$/gm, '')
      .replace(/"source": "[^"]*"|guides\/webhooks\.md: .*|text: '[^']*'|\[guides\/webhooks\]/g, '')
    assert.doesNotMatch(text, /guides\/webhooks/)
    assert.match(text, /manual\/hooks/)
    assert.doesNotMatch(moved.text, /still name/)
    const removed = await removeIn(site.files, from)
    const left = Object.entries(removed.texts).filter(([path]) => !/\.mdx?$/.test(path))
    assert.doesNotMatch(left.map(([, one]) => one).join('\n'), /guides\/webhooks/)
    assert.doesNotMatch(removed.text, /still name/)
  })
}

test('a deletion takes items out of lists in scripts, and lists what it leaves', async () => {
  const config = `export default {
  themeConfig: {
    sidebar: [
      { text: 'B', link: '/b' },
      { text: 'A', link: '/a', badge: { text: 'new' } },
      { text: 'C', items: [{ text: 'A', link: '/a' }, { text: 'B', link: '/b' }] },
      { text: 'A', link: '/a', items: [{ text: 'B', link: '/b' }] },
    ],
  },
}
`
  const { texts, text } = await removeIn({ 'w/a.md': page, 'w/b.md': page, 'w/.vitepress/config.ts': config }, 'w/a.md')
  const after = config
    .replace("      { text: 'A', link: '/a', badge: { text: 'new' } },\n", '')
    .replace("[{ text: 'A', link: '/a' }, {", '[{')
  assert.equal(texts['w/.vitepress/config.ts'], after)
  assert.match(text, /^w\/\.vitepress\/config\.ts: still names it at line 6$/m)
})

test('a redirect in a script stays when the page that it leads to is deleted', async () => {
  const config = "module.exports = { plugins: [['x', { redirects: [{ from: '/docs/old', to: '/docs/a' }] }]] }\n"
  const { texts, text } = await removeIn({ 'docs/a.md': page, 'docusaurus.config.js': config }, 'docs/a.md')
  assert.equal(texts['docusaurus.config.js'], config)
  assert.match(text, /^docusaurus\.config\.js: still names it at line 1$/m)
})

test('an id that a moved page keeps is no mention of its old address', async () => {
  const files = { ...docusaurus, 'docs/g/a.md': page, 'sidebars.js': "module.exports = { x: ['g/a'] }\n" }
  const { texts, text } = await moveIn(files, 'docs/g/a.md', 'docs/g/01-a.md')
  assert.equal(texts['sidebars.js'], files['sidebars.js'])
  assert.doesNotMatch(text, /still name/)
})

test('the last items of lists in scripts go with the comma before them', async () => {
  const files = {
    ...docusaurus,
    'docs/a.md': page,
    'sidebars.js': "module.exports = { x: ['b', 'a'], y: ['a'], z: [\n  'b',\n  'a'\n] }\n",
  }
  const { texts } = await removeIn(files, 'docs/a.md')
  assert.equal(texts['sidebars.js'], "module.exports = { x: ['b'], y: [], z: [\n  'b',\n] }\n")
})

test('places that may still name a page are listed, never counted as zero', async () => {
  const files = {
    [`${content}/guides/a.mdx`]: page,
    'astro.config.mjs': `${starlight}const name = \`guides/\${x}\`\nexport default starlight({ sidebar: [group('guides/a')] })\n`,
    'data/menu.yaml': 'first: guides/a\nother: guides/ab\nthird: x/guides/a\n',
    'public/_redirects': '/guides/a /guides/old\n/x https://acme.com/guides/a/#x\n',
    'src/app.ts': "const page = 'guides/a'\n",
    'package.json': '{ "a": "guides/a" }',
    'links.toml': 'a = "/guides/a"\n',
  }
  const line = /^\[may still name it: astro\.config\.mjs:3, data\/menu\.yaml:1, links\.toml:1, public\/_redirects:2\]$/m
  const removed = await removeIn(files, `${content}/guides/a.mdx`, false)
  assert.match(removed.text, line)
  assert.match(removed.text, /^\[deleted src\/content\/docs\/guides\/a\.mdx; no other file changed\]$/m)
  assert.doesNotMatch(removed.text, /\b0 references/)
})

test('a single word is a mention only where pages are listed', async () => {
  const files = {
    'docs/install.md': page,
    'docusaurus.config.js': 'module.exports = {}\n',
    'nav.yml': 'nav:\n  - install\n  - title: install\n',
    'data.json': '["install"]',
    'docs/_meta.js': "export default { install: 'Install' }\n",
  }
  const { text } = await removeIn(files, 'docs/install.md')
  assert.match(text, /\[may still name it: docs\/_meta\.js:1, nav\.yml:2\]/)
})
