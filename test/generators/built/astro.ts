import { starlightBuilt } from './starlight.ts'
import { type BuiltSite, fields, headings } from './site.ts'

/** The route of a collection. */
function route(name: string, parameter: string): string {
  return `---
import { getCollection, render } from 'astro:content'
export async function getStaticPaths() {
  return (await getCollection('${name}')).map((entry) => ({ params: { ${parameter}: entry.id }, props: { entry } }))
}
const { Content } = await render(Astro.props.entry)
---
<html><body><Content /></body></html>
`
}

export const astroBuilt: BuiltSite = {
  kind: 'astro',
  package: 'astro',
  build: starlightBuilt.build,
  files: {
    'package.json': '{ "type": "module", "dependencies": { "astro": "*" } }\n',
    'astro.config.mjs': "export default { site: 'https://site.test', base: '/p' }\n",
    'src/content.config.ts': `import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'
const manual = defineCollection({ loader: glob({ pattern: '**/*.{md,mdx}', base: './src/content/docs' }) })
export const collections = {
  docs: manual,
  'big-news': defineCollection({ loader: glob({ pattern: ['**/[^_]*.md', '!drafts/**'], base: 'news' }) }),
  top: defineCollection({ loader: glob({ pattern: 'top/*.md' }) }),
}
`,
    'src/pages/docs/[...slug].astro': route('docs', 'slug'),
    'src/pages/news/[id].astro': route('big-news', 'id'),
    'src/pages/[...path].astro': route('top', 'path'),
    'src/content/docs/a.md': `${headings}\n## Use --force now\n\n## --dry-run\n\n## \`a --b\`\n`,
    'src/content/docs/Guides/My Page.md': headings,
    'src/content/docs/Guides/v1.2.md': headings,
    'src/content/docs/guides/index.md': headings,
    'src/content/docs/tools/README.md': headings,
    'src/content/docs/sub/INDEX.md': headings,
    'src/content/docs/x.md': fields('slug: guides/other'),
    'src/content/docs/y.md': fields('slug: Guides/Upper'),
    'src/content/docs/_part.md': headings,
    'src/content/docs/_parts/a.md': headings,
    'src/content/docs/.hidden/a.md': headings,
    'src/content/docs/a.markdown': headings,
    'src/content/docs/a.b/c_d (e).md': headings,
    'news/post.md': headings,
    'news/_post.md': headings,
    'news/drafts/a.md': headings,
    'top/a.md': headings,
    'top/deep/a.md': headings,
    'src/pages/index.md': headings,
    'src/pages/Guides/My Page.md': headings,
    'src/pages/guides/README.md': headings,
    'src/pages/guides/v1.2.md': fields('slug: other'),
    'src/pages/guides/index.md': headings,
    'src/pages/_part.md': headings,
    'src/pages/_parts/a.md': headings,
  },
}
