// Sites whose generators run in Node.js.

import { fields, type NamedSite, text } from './named-site.ts'

export const javascriptSites: readonly NamedSite[] = [
  [
    'Docusaurus',
    {
      'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: {} }]] }\n",
      'versions.json': '["1.0"]',
    },
    [
      ['docs/index.md', text, '/docs/next', 'index'],
      ['docs/guides/index.md', fields('id: overview'), '/docs/next/guides', 'guides/overview'],
      ['docs/guides/README.mdx', text, '/docs/next/guides', 'guides/README'],
      ['docs/guides/guides.md', text, '/docs/next/guides', 'guides/guides'],
      ['docs/01-intro/02-a.md', text, '/docs/next/intro/a', 'intro/a'],
      ['docs/x.md', fields('id: y'), '/docs/next/y', 'y'],
      ['docs/x/a.md', fields('slug: /custom'), '/docs/next/custom', 'x/a'],
      ['docs/x/b.md', fields('slug: other'), '/docs/next/x/other', 'x/b'],
      ['docs/x/_part.md', text, undefined],
      ['versioned_docs/version-1.0/a.md', text, '/docs/a', 'a'],
      ['src/pages/about.md', text, '/about', 'about'],
    ],
  ],
  [
    'Docusaurus with another folder and route, below a folder',
    {
      'website/docusaurus.config.ts':
        "export default { baseUrl: '/p/', presets: [['classic', { docs: { path: 'manual', routeBasePath: '/' } }]] }\n",
    },
    [
      ['website/manual/a.md', text, '/a', 'a'],
      ['website/manual/guides/index.md', text, '/guides', 'guides/index'],
      ['docs/a.md', text, undefined],
    ],
  ],
  [
    'Docusaurus with the short names of plugins, and one without options',
    {
      'docusaurus.config.js':
        "export default { presets: [['classic', { docs: { path: 'manual' } }]], plugins: ['x', ['content-docs', { id: 'a', path: 'a', routeBasePath: 'a-docs' }], ['content-docs', { id: 'b', path: 'b', routeBasePath: '/b/' }], ['content-blog', { id: 'n', path: 'n', routeBasePath: 'news' }]] }\n",
    },
    [
      ['manual/x.md', text, '/docs/x', 'x'],
      ['a/x.md', text, '/a-docs/x', 'x'],
      ['b/x.md', text, '/b/x', 'x'],
      ['n/2024-01-02-x.md', text, '/news/2024/01/02/x'],
      ['blog/2024-1-2-x.md', text, '/blog/2024/1/2/x'],
    ],
  ],
  [
    'VitePress',
    { '.vitepress/config.ts': 'export default {}\n' },
    [
      ['index.md', text, '/'],
      ['a/index.md', text, '/a'],
      ['a/README.md', text, '/a/README'],
      ['a/b.md', text, '/a/b'],
      ['a/[name].md', text, undefined],
      ['[name]/a.md', text, undefined],
    ],
  ],
  [
    'VitePress with its configuration in several files',
    {
      'docs/.vitepress/config/index.ts': "import { shared } from './shared'\nexport default shared\n",
      'docs/.vitepress/config/shared.ts':
        "export const shared = { srcDir: 'content', themeConfig: { sidebar: [{ text: 'A', link: '/a' }] } }\n",
    },
    [
      ['docs/content/a.md', text, '/a'],
      ['docs/content/g/index.md', text, '/g'],
    ],
  ],
  [
    'Starlight',
    {
      'astro.config.mjs':
        "import s from '@astrojs/starlight'\nexport default { integrations: [s({ defaultLocale: 'en' })] }\n",
    },
    [
      ['src/content/docs/index.mdx', text, '/', 'index'],
      ['src/content/docs/en/Guides/My Page.md', text, '/en/guides/my-page', 'guides/my-page'],
      ['src/content/docs/de/a.md', text, '/de/a', 'de/a'],
      ['src/content/docs/x.md', fields('slug: guides/other'), '/guides/other', 'guides/other'],
    ],
  ],
  [
    'Mintlify below a folder',
    { 'docs/docs.json': '{"theme":"mint","navigation":{"pages":["a"]}}' },
    [
      ['docs/a.mdx', text, '/a'],
      ['docs/g/index.mdx', text, '/g'],
      ['docs/snippets/a.mdx', text, undefined],
      ['a.mdx', text, undefined],
    ],
  ],
  [
    'Fumadocs',
    {
      'source.config.ts':
        "import { defineDocs, defineCollections } from 'fumadocs-mdx/config'\nexport const docs = defineDocs({ dir: 'content/manual' })\nexport const blog = defineCollections({ type: 'doc', dir: 'content/blog' })\nexport const notes = defineCollections({ type: 'doc', dir: 'content/notes' })\n",
      'src/lib/source.ts':
        "const base = '/manual'\nexport const source = loader({ baseUrl: base, source: docs.toFumadocsSource() })\nexport const posts = loader({ baseUrl: '/blog', source: toFumadocsSource(blog, []) })\n",
    },
    [
      ['content/manual/index.mdx', text, '/manual'],
      ['content/manual/(start)/install.mdx', text, '/manual/install'],
      ['content/manual/g/index.mdx', text, '/manual/g'],
      ['content/manual/g/README.md', text, '/manual/g/README'],
      ['content/manual/g/a.mdx', fields('slug: other'), '/manual/g/a'],
      ['content/blog/a.mdx', text, '/blog/a'],
    ],
  ],
  [
    'Fumadocs with languages by suffix',
    {
      'source.config.ts': "import { defineDocs } from 'fumadocs-mdx/config'\nexport const docs = defineDocs()\n",
      'lib/i18n.ts': "export const i18n = defineI18n({ defaultLanguage: 'en', languages: ['cn', 'en'] })\n",
      'lib/source.ts': "export const source = loader({ baseUrl: '/', i18n, source: docs.toFumadocsSource() })\n",
    },
    [
      ['content/docs/index.mdx', text, '/en'],
      ['content/docs/index.cn.mdx', text, '/cn'],
      ['content/docs/g/a.cn.mdx', text, '/cn/g/a'],
    ],
  ],
  [
    'Fumadocs with a folder for each language',
    {
      'source.config.ts': "import { defineDocs } from 'fumadocs-mdx/config'\nexport const docs = defineDocs()\n",
      'lib/i18n.ts':
        "export const i18n: I18nConfig = {\n  defaultLanguage: 'en',\n  languages: ['cn', 'en'],\n  parser: 'dir',\n  hideLocale: 'default-locale',\n}\n",
      'lib/source.ts':
        "export const source = loader({ baseUrl: '/docs', i18n, source: docs.toFumadocsSource(), slugs: slugsFromData() })\n",
    },
    [
      ['content/docs/en/index.mdx', text, '/docs'],
      ['content/docs/en/g/a.mdx', fields('slug: x/y'), '/docs/x/y'],
      ['content/docs/cn/g/a.mdx', text, '/cn/docs/g/a'],
    ],
  ],
  [
    'Nextra',
    { 'next.config.mjs': "import nextra from 'nextra'\nexport default nextra({})\n" },
    [
      ['content/index.mdx', text, '/'],
      ['content/g/a.mdx', text, '/g/a'],
    ],
  ],
  [
    'VuePress 1',
    {
      'docs/.vuepress/config.js':
        "module.exports = { base: '/p/', locales: { '/zh/': { lang: 'zh' } }, patterns: ['**/*.md', '!x/**'] }\n",
    },
    [
      ['docs/README.md', text, '/'],
      ['docs/g/index.md', text, '/g'],
      ['docs/g/_x.md', text, '/g/_x'],
      ['docs/p.md', fields('permalink: /own/place/'), '/own/place'],
      ['docs/zh/q.md', fields('permalink: own/file.html'), '/zh/own/file'],
      ['docs/x/a.md', text, undefined],
      ['docs/.vuepress/a.md', text, undefined],
    ],
  ],
  [
    'VuePress 2',
    {
      'docs/.vuepress/config.ts':
        "import { defineUserConfig } from 'vuepress'\nexport default defineUserConfig({ locales: { '/zh/': { lang: 'zh' } } })\n",
    },
    [
      ['docs/g/_x.md', text, '/g/x'],
      ['docs/zh/q.md', fields('permalink: /own/file.html'), '/own/file'],
    ],
  ],
]
