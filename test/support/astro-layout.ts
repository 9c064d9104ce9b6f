// An Astro project with its pages in a collection: the route of the collection, a redirect, and a list of links.

export function createAstroLayout(pages: readonly string[]) {
  const links = pages.map((name) => `{ text: '${name}', href: '/docs/${name}' }`)
  const config = {
    'astro.config.mjs': "export default { redirects: { '/docs/old': '/docs/install' } }\n",
    'src/nav.ts': `export const nav = [${links.join(', ')}]\n`,
    'src/content.config.ts': `const docs = defineCollection({ loader: glob({ pattern: '**/*.mdx', base: './src/content/docs' }) })
export const collections = { docs }
`,
    'src/pages/docs/[...slug].astro': `---
export async function getStaticPaths() {
  return (await getCollection('docs')).map((entry) => ({ params: { slug: entry.id }, props: { entry } }))
}
---
`,
  }
  return { folder: 'src/content/docs/', extension: 'mdx' as const, first: 'index', assets: 'public/', config }
}
