// Configurations of sites of all kinds, and the names that their generators give to pages.

type Files = Readonly<Record<string, string>>

/** `address` and `ids`: undefined for a file that no site serves. */
type Row = readonly [path: string, text: string, address: string | undefined, id?: string]

const text = '# A\n'
/** A page with this frontmatter. */
export const fields = (yaml: string) => `---\n${yaml}\n---\n\n# A\n`

export const namedSites: readonly (readonly [name: string, config: Files, rows: readonly Row[]])[] = [
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
    'Sphinx',
    {
      'doc/conf.py': "project = 'Acme'\nextensions = ['myst_parser']\nexclude_patterns = ['old']\n",
      'doc/index.rst': 'A\n=\n',
    },
    [
      ['doc/index.rst', 'A\n=\n', '/'],
      ['doc/a/b.rst', 'A\n=\n', '/a/b'],
      ['doc/a/index.md', text, '/a'],
      ['doc/old/a.rst', 'A\n=\n', undefined],
      ['README.rst', 'A\n=\n', undefined],
    ],
  ],
  [
    'Jekyll',
    {
      '_config.yml':
        'permalink: pretty\ncollections:\n  docs:\n    output: true\n  notes: {}\ndefaults:\n- scope: { path: _docs/api }\n  values: { permalink: "/api/:name/" }\n',
    },
    [
      ['index.md', fields('title: A'), '/'],
      ['about.md', fields('title: A'), '/about'],
      ['guides/index.md', fields('title: A'), '/guides'],
      ['own.md', fields('permalink: /custom/'), '/custom'],
      ['_docs/a/b.md', fields('title: A'), '/docs/a/b'],
      ['_docs/api/run.md', fields('title: A'), '/api/run'],
      ['_posts/2024-02-03-big-news.md', fields('title: A'), '/2024/02/03/big-news'],
      ['_posts/2024-02-03-news.md', fields('categories: [a, b]'), '/a/b/2024/02/03/news'],
      ['_posts/2024-02-03-zone.md', fields('date: 2024-02-03 00:30:00 +0200'), '/2024/02/02/zone'],
      ['_notes/a.md', fields('title: A'), undefined],
      ['_drafts/a.md', fields('title: A'), undefined],
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
    'Jekyll in another time zone',
    { '_config.yml': 'permalink: pretty\ntimezone: America/Los_Angeles\n' },
    [['_posts/2024-02-03-zone.md', fields('date: 2024-02-03 07:30:00 +0000'), '/2024/02/02/zone']],
  ],
  [
    'VitePress',
    { '.vitepress/config.ts': 'export default {}\n' },
    [
      ['index.md', text, '/'],
      ['a/index.md', text, '/a'],
      ['a/README.md', text, '/a/README'],
      ['a/b.md', text, '/a/b'],
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
    'MkDocs',
    { 'mkdocs.yml': 'docs_dir: documentation\n' },
    [
      ['documentation/index.md', text, '/'],
      ['documentation/g/README.md', text, '/g'],
      ['documentation/g/a.md', text, '/g/a'],
      ['docs/a.md', text, undefined],
    ],
  ],
  [
    'Zensical, with a configuration of MkDocs that is not read',
    {
      'zensical.toml': "[project]\nsite_name = 'A'\ndocs_dir = 'text'\nnav = [{ 'A' = 'a.md' }]\n",
      'mkdocs.yml': 'docs_dir: docs\n',
    },
    [
      ['text/index.md', text, '/'],
      ['text/g/README.md', text, '/g'],
      ['text/g/a.md', text, '/g/a'],
      ['docs/a.md', text, undefined],
    ],
  ],
  [
    'mdBook with single quotes',
    { 'book.toml': "[book]\nsrc = 'text'\n", 'text/SUMMARY.md': '- [A](a.md)\n' },
    [
      ['text/a.md', text, '/a'],
      ['text/g/README.md', text, '/g'],
      ['text/SUMMARY.md', text, undefined],
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
    'Hugo',
    {
      'hugo.toml':
        "baseURL = 'https://a.example/b/'\ndefaultContentLanguage = 'en'\n[languages.en]\n[languages.de]\n[permalinks]\nblog = '/:year/:month/:title/'\n",
      'content/_index.md': text,
    },
    [
      ['content/docs/Sub/Page One.md', text, '/docs/sub/page-one', 'ref page one'],
      ['content/docs/url.md', fields('url: /x/y'), '/x/y'],
      ['content/docs/url.de.md', fields('url: x/y.html'), '/de/x/y'],
      ['content/docs/section/_index.md', fields('slug: no'), '/docs/section'],
      ['content/docs/leaf/index.md', fields('slug: own'), '/docs/own'],
      ["content/docs/a(b)&c,d'e.md", text, '/docs/abcde'],
      ['content/blog/sub/q.md', fields('title: "Über & Co, x"\ndate: 2024-03-05'), '/2024/03/über-co-x'],
      ['content/blog/toml.md', '+++\ntitle = "T M"\ndate = 2024-03-05\n+++\n', '/2024/03/t-m'],
      ['content/docs/json.md', '{\n"title": "A",\n"slug": "s"\n}\n\n# A\n', '/docs/s'],
      ['layouts/_shortcodes/a.md', text, undefined],
    ],
  ],
  [
    'Hugo with mounts and bundles',
    {
      'site/config/_default/hugo.yaml': 'languages: { en: {}, pt-BR: {} }\ndisablePathToLower: true\n',
      'site/config/_default/module.yaml':
        'mounts:\n  - { source: content/en, target: content }\n  - { source: content/pt, target: content, lang: pt-br }\n  - { source: ../guides, target: content/guides, excludeFiles: "x/**" }\n',
      'site/content/en/leaf/index.md': text,
    },
    [
      ['site/content/en/A.md', text, '/A'],
      ['site/content/pt/A.md', text, '/pt-br/A'],
      ['site/content/en/leaf/part.md', text, undefined],
      ['guides/a.md', text, '/guides/a'],
      ['guides/x/a.md', text, undefined],
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
]
