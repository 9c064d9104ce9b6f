import { vitepress } from '../vitepress.ts'
import { type BuiltSite, headings } from './site.ts'

export const vitepressBuilt: BuiltSite = {
  kind: 'vitepress',
  package: 'vitepress',
  build: vitepress.build,
  files: {
    '.vitepress/config.mjs': `export default {
  title: 'Acme',
  srcDir: 'content',
  cleanUrls: true,
  ignoreDeadLinks: true,
  srcExclude: ['**/README.md', 'parts/*.md'],
  rewrites: {
    'packages/one/intro.md': 'one/index.md',
    'packages/:name/docs/:slug*': ':name/:slug*',
    'en/:rest*': ':rest*',
  },
  locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch', lang: 'de' } },
}
`,
    'content/index.md': headings,
    'content/a.md': '# A {#first}\n\n## Two {#own}\n',
    'content/g/index.md': headings,
    'content/g/README.md': headings,
    'content/readme.md': headings,
    'content/parts/x.md': headings,
    'content/parts/deep/x.md': headings,
    'content/packages/one/intro.md': headings,
    'content/packages/two/docs/a.md': headings,
    'content/packages/two/docs/b/c.md': headings,
    'content/en/guide.md': headings,
    'content/en/x/index.md': headings,
    'content/de/guide.md': headings,
    'content/Upper Case.md': headings,
    'content/.hidden/a.md': headings,
  },
}

export const vitepressPlain: BuiltSite = {
  kind: 'vitepress',
  package: 'vitepress',
  build: vitepress.build,
  files: {
    '.vitepress/config.mjs': "export default { title: 'Acme', base: '/p/', ignoreDeadLinks: true }\n",
    'index.md': headings,
    'README.md': headings,
    'a/README.md': headings,
    'a/b.md': headings,
  },
}
