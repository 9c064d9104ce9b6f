import { join } from 'node:path'
import { installed, runBuild } from '../generator.ts'
import { type BuiltSite, fields, headings } from './site.ts'

export const vuepressBuilt: BuiltSite = {
  kind: 'vuepress',
  package: 'vuepress',
  build: (folder) => {
    const command = join(installed, 'vuepress/bin/vuepress.js')
    return runBuild('docs/.vuepress/dist', folder, [process.execPath, command, 'build', 'docs'])
  },
  files: {
    'docs/.vuepress/config.js': `import { viteBundler } from '@vuepress/bundler-vite'
import { defineUserConfig } from 'vuepress'
export default defineUserConfig({
  bundler: viteBundler(),
  theme: { name: 'acme', clientConfigFile: import.meta.dirname + '/client.js' },
  base: '/p/',
  locales: { '/': { lang: 'en' }, '/zh/': { lang: 'zh' } },
  pagePatterns: ['**/*.md', '!.vuepress', '!parts/**'],
})
`,
    'docs/.vuepress/client.js': `import { Content, defineClientConfig } from 'vuepress/client'
import { h } from 'vue'
const Layout = { render: () => h(Content) }
export default defineClientConfig({ layouts: { Layout, NotFound: { render: () => h('p', '404') } } })
`,
    'docs/README.md': headings,
    'docs/a.md': `${headings}\n## Two {#own}\n\n## C++ / C# — dash\n\n## 中文 (2.0)\n`,
    'docs/g/README.md': headings,
    'docs/g/b.md': headings,
    'docs/g/_b.c.md': headings,
    'docs/h/index.md': headings,
    'docs/p.md': fields('permalink: /own/place/'),
    'docs/q.md': fields('permalink: /own/file.html'),
    'docs/zh/r.md': fields('permalink: /zh/own/'),
    'docs/zh/a.md': headings,
    'docs/Upper Case.md': headings,
    'docs/.hidden/a.md': headings,
    'docs/parts/x.md': headings,
  },
}
