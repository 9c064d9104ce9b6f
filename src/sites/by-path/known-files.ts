// The files of generators that their names tell, for programs that follow names through a whole repository, whether or not
// a site was recognised.

import { posix } from 'node:path'

/** Data that lists pages: a plain word in it may name a page. */
export const listData = /(?:^|\/)(?:docs|mint|_category_|sidebars?|meta(?:\.[\w-]+)?)\.json$|(?:^|\/)mkdocs\.ya?ml$/
export const listScript =
  /(?:^|\/)(?:(?:sidebars?|docusaurus\.config|astro\.config|_meta)|\.v(?:ite|ue)press\/config)\.[cm]?[jt]sx?$/
/** Data whose names begin at its own folder. */
export const hasOwnNames = /(?:^|\/)(?:docs|mint|meta(?:\.[\w-]+)?)\.json$/
/** Data whose lists with the key `pages` name pages, and no other list. */
export const listsPagesAlone = /(?:^|\/)(?:docs|mint)\.json$/
/** It names pages without the numbers of their files. */
export const omitsNumbers = /sidebars?\.\w+$/
/** Data with labels that readers see. */
export const labelData = /(?:^|\/)(?:docs|mint|_category_|_meta)\.json$/
/** Data whose keys name the pages of its folder, and whose values are their labels. */
export const keyedData = '_meta.json'

/** The data files in which sites keep their navigation and redirects. */
export const siteData =
  /(?:^|\/)(?:docs|mint|redirects|_category_)\.json$|(?:^|\/)(?:mkdocs|zensical|\.pages|book|openapi)\.(?:ya?ml|toml|json)$|(?:^|\/)(?:_redirects|\.pages)$|(?:^|\/)[^/]*sidebars?\.[cm]?(?:[jt]s|json)$/i

/** Files that a text search needs besides the usual ones, as globs. */
export const scriptGlobs = ['_meta*.{jsx,tsx}', 'conf.py']
/** Scripts that configure a site, and data whose single words may name pages. */
export const configuring =
  /_meta|(?:^|\/)\.v(?:ite|ue)press\/|(?:^|\/)(?:docs|mint|_category_)\.json$|(?:^|\/)mkdocs\.ya?ml$|(?:^|\/)(?:book|zensical)\.toml$/i
/** Folders of tools and hosts, except those that contain a site, and what was built. */
export const toolFolder =
  /(?:^|\/)(?:\.(?!v(?:ite|ue)press\/)[^/]*|node_modules)\/|(?:^|\/)\.v(?:ite|ue)press\/(?:cache|dist)\//

/** The folders with a dot that contain a site, as a pattern. */
export const siteFolders = 'vitepress|vuepress'

/** Languages that run in the pages of a repository with such a file. `mdx`: Markdown is read as MDX. */
export const runsInPages = [
  [/(?:^|\/)(?:docusaurus\.config\.[cm]?[jt]s|(?<!data\/)docs\.json|mint\.json)$/, 'mdx'],
  [/(?:^|\/)\.(?:vitepress|vuepress)\//, 'vue'],
  [/(?:^|\/)_config\.ya?ml$/, 'liquid'],
  [/(?:^|\/)(?:mkdocs\.ya?ml|zensical\.toml)$/, 'jinja'],
] as const
/** The setting by which MkDocs sees all fences. */
export const superFences = {
  config: /(?:^|\/)mkdocs\.ya?ml$/,
  setting: /^[^#\n]*\bpymdownx\.(?:superfences|extra)\b/m,
} as const

/** Notes for agents at the place of a generator. */
export const notesForAgents = /^\.mintlify\/agents\.md$/i

/** `install: 'Install it'` in a script `_meta` of the same folder, or in the one for all folders. */
export function isKeyOf(page: string, script: string, line: string): boolean {
  // Next.js names the folder after the page.
  const named = /\/page\.mdx?$/.test(page) && /(?:^|\/)app\//.test(page) ? posix.dirname(page) : page
  const isGlobal = /^_meta\.global\.\w+$/.test(posix.basename(script))
  const isNear = /^_meta\.\w+$/.test(posix.basename(script)) && posix.dirname(script) === posix.dirname(named)
  if (!isGlobal && !isNear) return false
  const keys = Array.from(line.matchAll(/(?:^|[{,\s])["']?([\w-]+)["']?\s*:/g), (found) => found[1])
  return keys.includes(posix.parse(named).name)
}
