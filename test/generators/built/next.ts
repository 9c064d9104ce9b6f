// Nextra and Fumadocs, which Next.js builds.

import { join } from 'node:path'
import { type Built, installed, runBuild } from '../generator.ts'
import { type BuiltSite, fields, headings } from './site.ts'

const packages = 'next'
const next = join(installed, '..', packages, 'node_modules/next/dist/bin/next')

function build(folder: string): Promise<Built> {
  return runBuild('out', folder, [process.execPath, next, 'build'])
}

const layout = 'export default function Layout({ children }) { return <html><body>{children}</body></html> }\n'
const manifest = '{ "name": "acme", "private": true, "type": "module" }\n'
const plain = '# A\n\n## Install it\n\n## Install it\n'
const more = `${headings}
## Own one [#own]

## Own [#Other_One] end

## 日本 語

## [Link](https://site.test) & more

## A -- b --- c...

## <span>In</span> a tag
`

export const nextraBuilt: BuiltSite = {
  kind: 'nextra',
  package: 'nextra',
  folder: packages,
  build,
  files: {
    'package.json': manifest,
    'next.config.mjs': `import nextra from 'nextra'
export default nextra({ contentDirBasePath: '/docs', search: false })({ output: 'export', trailingSlash: true })
`,
    'app/layout.jsx': layout,
    'app/docs/[[...mdxPath]]/page.jsx': `import { generateStaticParamsFor, importPage } from 'nextra/pages'
export const generateStaticParams = generateStaticParamsFor('mdxPath')
export default async function Page(props) {
  const { mdxPath } = await props.params
  const { default: Content } = await importPage(mdxPath)
  return <Content />
}
`,
    'mdx-components.jsx': "export { useMDXComponents } from 'nextra/mdx-components'\n",
    'content/index.mdx': more,
    'content/a.md': plain,
    'content/v1.2.mdx': headings,
    'content/Upper Case.mdx': headings,
    'content/guides/index.mdx': headings,
    'content/guides/README.md': plain,
    'content/guides/_part.mdx': headings,
    'content/_parts/a.mdx': headings,
    'content/x.mdx': headings,
    'content/x/b.mdx': headings,
    'content/y/own.mdx': fields('title: Own\nasIndexPage: true'),
    'content/slug.mdx': fields('slug: other\npermalink: /other'),
  },
}

export const fumadocsBuilt: BuiltSite = {
  kind: 'fumadocs',
  package: 'fumadocs-mdx',
  folder: packages,
  build,
  files: {
    'package.json': manifest,
    'next.config.mjs': `import { createMDX } from 'fumadocs-mdx/next'
export default createMDX()({ output: 'export', trailingSlash: true })
`,
    'source.config.ts': `import { defineDocs } from 'fumadocs-mdx/config'
export const docs = defineDocs({ dir: 'content/docs' })
`,
    'lib/source.js': `import { loader } from 'fumadocs-core/source'
import { docs } from '../.source/server.ts'
export const source = loader({ baseUrl: '/docs', source: docs.toFumadocsSource() })
`,
    'app/layout.jsx': layout,
    'app/docs/[[...slug]]/page.jsx': `import { source } from '../../../lib/source'
export const generateStaticParams = () => source.generateParams()
export default async function Page(props) {
  const { slug } = await props.params
  const { body: Content } = source.getPage(slug?.map(decodeURIComponent)).data
  return <Content />
}
`,
    'content/docs/index.mdx': more.replace('# Title', '---\ntitle: A\n---\n\n# Title'),
    'content/docs/a.md': `---\ntitle: A\n---\n\n${plain}`,
    'content/docs/v1.2.mdx': fields('title: A'),
    'content/docs/Upper Case.mdx': fields('title: A'),
    'content/docs/guides/index.mdx': fields('title: A'),
    'content/docs/guides/README.mdx': fields('title: A'),
    'content/docs/guides/_part.mdx': fields('title: A'),
    'content/docs/(group)/b.mdx': fields('title: A'),
    'content/docs/(group)/deep/(inner)/index.mdx': fields('title: A'),
    'content/docs/x.mdx': fields('title: A'),
    'content/docs/x/index.mdx': fields('title: A'),
    'content/docs/slug.mdx': fields('title: A\nslug: other'),
  },
}
