// The usual layout of each kind of site: where its pages are, and the configuration that names them all.

import type { SiteKind } from '../../src/sites/site.ts'
import { createAstroLayout } from './astro-layout.ts'

/** The first page of the site is apart from these. */
export const pageNames = [
  'install',
  'guides/deploy',
  'guides/webhooks',
  'guides/domains',
  'guides/teams',
  'guides/billing',
  'reference/cli',
  'reference/api',
  'reference/errors',
  'reference/limits',
  'reference/events',
] as const

type Layout = {
  readonly folder: string
  readonly extension: 'md' | 'mdx' | 'adoc'
  readonly first: string
  readonly assets: string
  readonly config: Readonly<Record<string, string>>
  /** The navigation, where the first page holds it. */
  readonly list?: string
}

const guides = pageNames.filter((name) => name.startsWith('guides/'))
const reference = pageNames.filter((name) => name.startsWith('reference/'))
export const openApi = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Acme', version: '1' },
  paths: { '/plants': { get: { responses: { 200: { $ref: '#/components/responses/Plants' } } } } },
  components: { responses: { Plants: { description: 'Plants' } } },
})

export const layouts: Readonly<Record<SiteKind, Layout>> = {
  mintlify: {
    folder: '',
    extension: 'mdx',
    first: 'index',
    assets: '',
    config: {
      'docs.json': JSON.stringify(
        {
          theme: 'mint',
          navigation: {
            groups: [
              { group: 'Start', pages: ['index', 'install'] },
              { group: 'Guides', pages: guides },
              { group: 'Reference', pages: reference },
            ],
          },
          redirects: [{ source: '/old', destination: '/install' }],
        },
        null,
        2,
      ),
      'snippets/note.mdx': 'A note.\n',
    },
  },
  docusaurus: {
    folder: 'docs/',
    extension: 'md',
    first: 'index',
    assets: 'static/',
    config: {
      'docusaurus.config.js': `module.exports = {
  baseUrl: '/',
  presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]],
  plugins: [['@docusaurus/plugin-client-redirects', { redirects: [{ from: '/docs/old', to: '/docs/install' }] }]],
}
`,
      'sidebars.js': `module.exports = {
  docs: [
    'index',
    'install',
    { type: 'category', label: 'Guides', items: ${JSON.stringify(guides)} },
    { type: 'category', label: 'Reference', items: ${JSON.stringify(reference)} },
  ],
}
`,
    },
  },
  vitepress: {
    folder: 'docs/',
    extension: 'md',
    first: 'index',
    assets: 'docs/public/',
    config: {
      'docs/.vitepress/config.ts': `import { defineConfig } from 'vitepress'
export default defineConfig({
  themeConfig: {
    sidebar: [
      { text: 'Install', link: '/install' },
      { text: 'Guides', items: ${entries(guides)} },
      { text: 'Reference', items: ${entries(reference)} },
    ],
  },
})
`,
      'docs/public/_redirects': '/old /install 301\n',
    },
  },
  starlight: {
    folder: 'src/content/docs/',
    extension: 'mdx',
    first: 'index',
    assets: 'public/',
    config: {
      'astro.config.mjs': `import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'
export default defineConfig({
  redirects: { '/old': '/install' },
  integrations: [
    starlight({
      title: 'Acme',
      sidebar: [
        'install',
        { label: 'Guides', items: ${JSON.stringify(guides)} },
        { label: 'Reference', items: [${reference.map((slug) => `{ slug: '${slug}' }`).join(', ')}] },
      ],
    }),
  ],
})
`,
    },
  },
  mkdocs: {
    folder: 'docs/',
    extension: 'md',
    first: 'index',
    assets: 'docs/',
    config: {
      'mkdocs.yml': `site_name: Acme
nav:
  - Home: index.md
  - Install: install.md
  - Guides:
${guides.map((name) => `      - ${name}.md`).join('\n')}
  - Reference:
${reference.map((name) => `      - ${name}.md`).join('\n')}
plugins:
  - redirects:
      redirect_maps:
        old.md: install.md
`,
      'docs/parts/note.txt': 'A note.\n',
    },
  },
  mdbook: {
    folder: 'src/',
    extension: 'md',
    first: 'README',
    assets: 'src/',
    config: {
      'book.toml': '[book]\ntitle = "Acme"\n\n[output.html.redirect]\n"/old.html" = "install.html"\n',
      'src/SUMMARY.md': `# Summary\n\n[Acme](README.md)\n\n${pageNames.map((name) => `- [${name}](${name}.md)`).join('\n')}\n`,
    },
  },
  nextra: {
    folder: 'content/',
    extension: 'mdx',
    first: 'index',
    assets: 'public/',
    config: {
      'next.config.mjs': "import nextra from 'nextra'\nexport default nextra({})()\n",
      'content/_meta.js': "export default { index: 'Acme', install: 'Install' }\n",
      'vercel.json': '{ "redirects": [{ "source": "/old", "destination": "/install" }] }\n',
    },
  },
  antora: {
    folder: 'modules/ROOT/pages/',
    extension: 'adoc',
    first: 'index',
    assets: 'modules/ROOT/images/',
    config: {
      'antora.yml': "name: acme\nversion: '1.0'\ntitle: Acme\nnav:\n  - modules/ROOT/nav.adoc\n",
      'modules/ROOT/nav.adoc': `* xref:index.adoc[Acme]\n${pageNames.map((name) => `* xref:${name}.adoc[${name}]`).join('\n')}\n`,
      'modules/ROOT/partials/note.adoc': 'A note.\n',
    },
  },
  jekyll: {
    folder: '',
    extension: 'md',
    first: 'index',
    assets: '',
    config: {
      '_config.yml': 'title: Acme\npermalink: pretty\n',
      '_data/navigation.yml': ['install', ...guides, ...reference]
        .map((name) => `- title: ${name}\n  url: /${name}/\n`)
        .join(''),
      _redirects: '/old /install 301\n',
    },
  },
  fumadocs: {
    folder: 'content/docs/',
    extension: 'mdx',
    first: 'index',
    assets: 'public/',
    config: {
      'source.config.ts':
        "import { defineDocs } from 'fumadocs-mdx/config'\nexport const docs = defineDocs({ dir: 'content/docs' })\n",
      'lib/source.ts': `import { docs } from '@/.source'
import { loader } from 'fumadocs-core/source'
export const source = loader({ baseUrl: '/docs', source: docs.toFumadocsSource() })
`,
      'app/docs/[[...slug]]/page.tsx': 'export default function Page() {}\n',
      'next.config.mjs': "import { createMDX } from 'fumadocs-mdx/next'\nexport default createMDX()({})\n",
      'content/docs/meta.json': JSON.stringify({ pages: ['index', ...pageNames] }, null, 2),
      'vercel.json': '{ "redirects": [{ "source": "/docs/old", "destination": "/docs/install" }] }\n',
    },
  },
  gitbook: {
    folder: 'docs/',
    extension: 'md',
    first: 'README',
    assets: 'docs/',
    config: {
      '.gitbook.yaml': 'root: ./docs/\n\nredirects:\n  old: install.md\n',
      'docs/SUMMARY.md': `# Table of contents\n\n* [Acme](README.md)\n${links('.md')}`,
    },
  },
  docsify: {
    folder: 'docs/',
    extension: 'md',
    first: 'README',
    assets: 'docs/',
    config: {
      'docs/index.html': `<script>
  window.$docsify = { loadSidebar: true, relativePath: true }
</script>
<script src="//cdn.jsdelivr.net/npm/docsify@4"></script>
`,
      'docs/_sidebar.md': links(''),
    },
  },
  vuepress: {
    folder: 'docs/',
    extension: 'md',
    first: 'README',
    assets: 'docs/.vuepress/public/',
    config: {
      'docs/.vuepress/config.js': `module.exports = {
  themeConfig: {
    nav: [{ text: 'Install', link: '/install.html' }],
    sidebar: {
      '/guides/': ${JSON.stringify(guides.map((name) => `/${name}`))},
      '/': ['/install', ${reference.map((name) => `['/${name}', '${name}']`).join(', ')}],
    },
  },
}
`,
      'docs/.vuepress/public/_redirects': '/old /install 301\n',
    },
  },
  sphinx: {
    folder: 'docs/',
    extension: 'md',
    first: 'index',
    assets: 'docs/',
    config: {
      'docs/conf.py':
        "project = 'Acme'\nextensions = ['myst_parser', 'sphinxext.rediraffe']\nrediraffe_redirects = {'old.md': 'install.md'}\n",
    },
    list: `\n\`\`\`{toctree}\n${pageNames.join('\n')}\n\`\`\`\n`,
  },
  astro: createAstroLayout(pageNames),
  hugo: {
    folder: 'content/',
    extension: 'md',
    first: '_index',
    assets: 'static/',
    config: {
      'hugo.toml': `baseURL = 'https://acme.example/'\ntitle = 'Acme'\n\n${pageNames
        .map((name) => `[[menus.main]]\nname = 'The ${name} page'\npageRef = '/${name}'\n`)
        .join('\n')}`,
      'static/_redirects': '/old /install 301\n',
      'layouts/_default/single.html': '{{ .Content }}\n',
    },
  },
  plain: { folder: 'docs/', extension: 'md', first: 'README', assets: 'docs/', config: {} },
}

function entries(names: readonly string[]): string {
  return `[${names.map((name) => `{ text: '${name}', link: '/${name}' }`).join(', ')}]`
}

function links(ending: string): string {
  return pageNames.map((name) => `* [${name}](${name}${ending})\n`).join('')
}
