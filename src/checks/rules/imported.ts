// The files that the imports and the include directives of a page name.

import { posix } from 'node:path'
import type { SitePage } from './site-page.ts'

const endings = [
  '',
  '.js',
  '.ts',
  '.jsx',
  '.tsx',
  '.mjs',
  '.mdx',
  '.md',
  '.json',
  '.astro',
  '.vue',
  '/index.js',
  '/index.ts',
  '/index.tsx',
]

/** Returns the file that an import names, a name without a file if it is missing, and undefined for a package or an alias. */
export function importedPath(index: { has(path: string): boolean }, page: SitePage, url: string): string | undefined {
  const name = importName(page, url.replace(/[?#].*$/, ''))
  if (name === undefined || name.startsWith('../')) return undefined
  const ending = endings.find((one) => index.has(name + one))
  return ending === undefined ? name : name + ending
}

function importName(page: SitePage, url: string): string | undefined {
  if (/^\.\.?\//.test(url)) return posix.join(posix.dirname(page.path), url)
  return page.site.importOf(url)
}

/** The files that any directive of the page may mean. */
export function includedBy(page: SitePage): string[] {
  return page.facts.includes.flatMap(({ url }) => includedPaths(page, url))
}

/** Returns the files that an include directive may mean, in the order in which the generator tries them. */
export function includedPaths({ path, site }: SitePage, url: string): string[] {
  const plain = url.replace(/[#:].*$/, '')
  const { prefix, folders = [] } = site.includes ?? {}
  return prefix !== undefined && plain.startsWith(prefix)
    ? folders.map((folder) => posix.join(folder, plain.slice(prefix.length)))
    : [posix.join(posix.dirname(path), plain)]
}
