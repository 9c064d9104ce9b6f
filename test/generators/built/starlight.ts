import { join } from 'node:path'
import { installed, runBuild } from '../generator.ts'
import { type BuiltSite, fields } from './site.ts'

const title = fields('title: A')

export const starlightBuilt: BuiltSite = {
  kind: 'starlight',
  package: '@astrojs/starlight',
  build: (folder) => runBuild('dist', folder, [process.execPath, join(installed, 'astro/bin/astro.mjs'), 'build']),
  files: {
    'package.json': '{ "type": "module", "dependencies": { "astro": "*", "@astrojs/starlight": "*" } }\n',
    'astro.config.mjs': `import starlight from '@astrojs/starlight'
export default {
  site: 'https://site.test',
  base: '/p',
  integrations: [
    starlight({
      title: 'Acme',
      locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch' }, 'zh-cn': { label: 'Chinese', lang: 'zh-CN' } },
    }),
  ],
}
`,
    'src/content.config.ts': `import { defineCollection } from 'astro:content'
import { docsLoader } from '@astrojs/starlight/loaders'
import { docsSchema } from '@astrojs/starlight/schema'
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }
`,
    'src/content/docs/index.mdx': title,
    'src/content/docs/a.md': title,
    'src/content/docs/Guides/My Page.md': title,
    'src/content/docs/Guides/v1.2.md': title,
    'src/content/docs/guides/index.md': title,
    'src/content/docs/tools/README.md': title,
    'src/content/docs/sub/INDEX.md': title,
    'src/content/docs/x.md': fields('title: A\nslug: guides/other'),
    'src/content/docs/y.md': fields('title: A\nslug: Guides/Upper'),
    'src/content/docs/_part.md': title,
    'src/content/docs/_parts/a.md': title,
    'src/content/docs/m/_a.md': title,
    'src/content/docs/de/a.md': title,
    'src/content/docs/de/index.mdx': title,
    'src/content/docs/zh-cn/a.md': title,
  },
}
