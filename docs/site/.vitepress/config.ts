// The documentation of Docent as a site. The pages are the Markdown of `docs`, as it is; this folder adds only how they are
// shown.

import { readFileSync } from 'node:fs'
import { slug } from 'github-slugger'
import { defineConfig, type Plugin } from 'vitepress'
import { writeForModels } from './llms.ts'
import { asPlainMarkdown, repository } from './markdown.ts'
import { sidebar } from './sidebar.ts'

const icon = readFileSync(new URL('../../../dashboard/src/icon.svg', import.meta.url)).toString('base64')
const description = 'Agent jobs that end in pull requests, and exact visitor analytics, for documentation sites'

/** The pages are not below the folder of the packages, so Vite does not find Vue from them when it renders. */
const vueOfThisFolder: Plugin = {
  name: 'vue-of-this-folder',
  enforce: 'pre',
  resolveId: (id, _, { ssr }) => (ssr && /^vue(?:\/|$)/.test(id) ? { id, external: true } : undefined),
}

export default defineConfig({
  title: 'Docent',
  description,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `data:image/svg+xml;base64,${icon}` }]],
  srcDir: '..',
  rewrites: {
    'README.md': 'index.md',
    'decisions/README.md': 'decisions/index.md',
  },
  // Links between the pages have the ids of hosts of repositories.
  markdown: { config: asPlainMarkdown, anchor: { slugify: slug }, languageAlias: { haproxy: 'ini' } },
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Concepts', link: '/concepts' },
      { text: 'Page views', link: '/guides/page-views' },
      { text: 'Operations', link: '/operations' },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
    ...(repository ? { socialLinks: [{ icon: 'git', link: repository }] } : {}),
  },
  vite: { plugins: [vueOfThisFolder], build: { chunkSizeWarningLimit: 1500 } },
  buildEnd: (site) => writeForModels(site, description),
})
