// A small site of each generator of the guide: two pages, and a link from the first to the second.

import { join } from 'node:path'
import { type Built, installed, runBuild } from '../generator.ts'
import { snippets } from './guide.ts'

export type Recipe = {
  /** Puts the addresses of a tag into code of the guide. */
  readonly tag: (code: string) => string
  /** Puts the address of the service into code of the guide. */
  readonly proxy: (code: string) => string
  /** The origin of the site. */
  readonly origin: string
  readonly policy: string
}

export type RecipeSite = {
  /** Its row in the table of policies. */
  readonly name: string
  readonly files: (recipe: Recipe) => Readonly<Record<string, string>>
  readonly build: (folder: string) => Promise<Built>
  /** The folder below `test/generators` that has its packages. */
  readonly packages: string
  /** Whether the second page is shown without a page load. */
  readonly isSinglePage: boolean
}

export const nextBin = join(installed, '../next/node_modules/next/dist/bin/next')

const code = (heading: string, at = 0) => snippets(heading)[at] ?? ''
const node = (html: string, folder: string, bin: string, ...args: string[]) =>
  runBuild(html, folder, [process.execPath, join(installed, bin), ...args])
const pages = (folder: string, link: string, head = '') => ({
  [`${folder}index.md`]: `${head}# First\n\n[Second](${link})\n`,
  [`${folder}second.md`]: `${head}# Second\n`,
})
const manifest = { 'package.json': '{ "name": "acme", "private": true, "type": "module" }\n' }

const docusaurus = `title: 'Acme', url: 'https://site.test', baseUrl: '/',
  plugins: [['@docusaurus/plugin-content-docs', { routeBasePath: '/', sidebarPath: false }]],
  themes: ['@docusaurus/theme-classic'],`

export const recipeSites: readonly RecipeSite[] = [
  {
    name: 'Docusaurus',
    packages: '',
    isSinglePage: true,
    files: ({ tag }) => ({
      'package.json': '{ "name": "acme", "private": true }\n',
      'docusaurus.config.js': `export default { ${docusaurus}\n${tag(code('Docusaurus'))} }\n`,
      ...pages('docs/', './second.md', '---\ntitle: A\n---\n'),
    }),
    build: (folder) => node('build', folder, '@docusaurus/core/bin/docusaurus.mjs', 'build', '--no-minify'),
  },
  {
    name: 'VitePress',
    packages: '',
    isSinglePage: true,
    files: ({ tag }) => ({
      ...manifest,
      '.vitepress/config.js': `export default { title: 'Acme', ${tag(code('VitePress'))} }\n`,
      ...pages('', './second.md'),
    }),
    build: (folder) => node('.vitepress/dist', folder, 'vitepress/bin/vitepress.js', 'build'),
  },
  {
    name: 'Starlight',
    packages: '',
    isSinglePage: false,
    files: ({ tag }) => ({
      // Astro bundles the packages that are named.
      'package.json': '{ "type": "module", "dependencies": { "astro": "*", "@astrojs/starlight": "*" } }\n',
      'astro.config.mjs': `import starlight from '@astrojs/starlight'
export default { integrations: [starlight({ title: 'Acme', ${tag(code('Starlight'))} })] }
`,
      'src/content.config.js': `import { defineCollection } from 'astro:content'
import { docsLoader } from '@astrojs/starlight/loaders'
import { docsSchema } from '@astrojs/starlight/schema'
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }
`,
      ...pages('src/content/docs/', '/second/', '---\ntitle: A\n---\n'),
    }),
    build: (folder) => node('dist', folder, 'astro/bin/astro.mjs', 'build'),
  },
  {
    name: 'MkDocs with Material',
    packages: '',
    isSinglePage: true,
    files: ({ tag, origin }) => ({
      'mkdocs.yml': `site_name: Acme
site_url: ${origin}/
${code('MkDocs', 1)}  font: false
  features: [navigation.instant]
`,
      'overrides/main.html': tag(code('MkDocs')),
      ...pages('docs/', 'second.md'),
    }),
    build: (folder) => runBuild('site', folder, ['mkdocs', 'build', '--quiet']),
  },
  {
    name: 'Hugo',
    packages: '',
    isSinglePage: false,
    files: ({ tag }) => ({
      'hugo.toml': "baseURL = '/'\ndisableKinds = ['taxonomy', 'term', 'RSS', 'sitemap']\n",
      'layouts/_default/baseof.html': `<!doctype html><html><head><title>{{ .Title }}</title>
${tag(code('Hugo'))}</head><body>{{ block "main" . }}{{ end }}</body></html>
`,
      'layouts/_default/single.html': '{{ define "main" }}{{ .Content }}{{ end }}\n',
      'layouts/index.html': '{{ define "main" }}{{ .Content }}{{ end }}\n',
      'content/_index.md': '# First\n\n[Second](/second/)\n',
      'content/second.md': '# Second\n',
    }),
    build: (folder) => runBuild('public', folder, ['hugo', '--quiet']),
  },
]

/** Next.js serves it, with the policy. */
export const nextSite: RecipeSite = {
  name: 'Next.js',
  packages: 'next',
  isSinglePage: true,
  files: ({ tag, proxy, policy }) => ({
    ...manifest,
    'next.config.mjs': `export default { ${proxy(code('Next.js as the server'))}
headers: async () => [{ source: '/:path*', headers: [{ key: 'Content-Security-Policy', value: ${JSON.stringify(policy)} }] }],
}
`,
    'app/layout.jsx': `export default function Layout({ children }) {
  return <html><head>
${tag(code('Next.js'))}</head><body>{children}</body></html>
}
`,
    'app/page.jsx': `import Link from 'next/link'
export default function Page() { return <Link href="/second">Second</Link> }
`,
    'app/second/page.jsx': 'export default function Page() { return <h1>Second</h1> }\n',
  }),
  build: (folder) => runBuild('.', folder, [process.execPath, nextBin, 'build']),
}
