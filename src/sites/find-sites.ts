// Finds the sites of a repository: those that the settings name, and those that their configurations show. Every page
// belongs to the site whose folder of pages is nearest, and otherwise to a plain site: the repository itself.

import { posix } from 'node:path'
import { inside } from '../docs-syntax/links.ts'
import { antora } from './kinds/antora.ts'
import { astro } from './kinds/astro.ts'
import { docusaurus } from './kinds/docusaurus.ts'
import { fumadocs } from './kinds/fumadocs.ts'
import { hugo } from './kinds/hugo.ts'
import { docsify } from './kinds/listed/docsify.ts'
import { gitbook } from './kinds/listed/gitbook.ts'
import { jekyll } from './kinds/jekyll.ts'
import { mdbook } from './kinds/listed/mdbook.ts'
import { mintlify } from './kinds/mintlify.ts'
import { mkdocs } from './kinds/mkdocs.ts'
import { elsewhere, toFolder } from './names.ts'
import { readTheDocsSites } from './hosts/read-the-docs.ts'
import { nextra } from './kinds/nextra.ts'
import { createPlainSite } from './kinds/plain.ts'
import { readRedirectFiles } from './redirects/files.ts'
import { hasPage } from './site-files.ts'
import type { Site, SiteFiles, SiteKind, SiteOpener } from './site.ts'
import { starlight } from './kinds/starlight.ts'
import { sphinx } from './kinds/sphinx.ts'
import { vitepress } from './kinds/vitepress.ts'
import { vuepress } from './kinds/vuepress.ts'

/** A site that the settings name. `path`: its folder, `.` for the root of the repository. */
export type NamedSite = { readonly kind: SiteKind; readonly path: string }

const openers: readonly SiteOpener[] = [
  mintlify,
  docusaurus,
  vitepress,
  starlight,
  astro,
  mkdocs,
  mdbook,
  fumadocs,
  nextra,
  antora,
  jekyll,
  sphinx,
  hugo,
  gitbook,
  docsify,
  vuepress,
]
const maxSites = 50

/** A named site takes the place of those that are recognised in the same folder. The last one is usually the plain site. */
export async function findSites(files: SiteFiles, named: readonly NamedSite[] = []): Promise<readonly Site[]> {
  const found: Site[] = []
  for (const one of named.slice(0, maxSites)) {
    const site = await openNamed(one, files)
    if (site) found.push(site)
  }
  const taken = new Set(found.map(({ root }) => root))
  for (const { kind, config } of await readTheDocsSites(files)) {
    const site = await openers.find((one) => one.kind === kind)?.open(config, files, true)
    if (site && !taken.has(site.root)) found.push(site)
    if (site) taken.add(site.root)
  }
  for (const opener of openers) {
    const configs = files.paths.filter((path) => opener.config.test(path) && !elsewhere.test(path))
    for (const config of configs.slice(0, maxSites)) {
      const site = await opener.open(config, files, false)
      if (site && !taken.has(site.root)) found.push(site)
    }
  }
  const withRedirects = await Promise.all(
    found.map(async (site) => ({
      ...site,
      redirects: [...site.redirects, ...(await readRedirectFiles(site, found, files))],
    })),
  )
  const isPlain = found.some(({ hasGenerator, root }) => !hasGenerator && root === '')
  return isPlain ? withRedirects : [...withRedirects, createPlainSite('')]
}

async function openNamed({ kind, path }: NamedSite, files: SiteFiles): Promise<Site | undefined> {
  const root = toFolder(path)
  const opener = openers.find((one) => one.kind === kind)
  if (!opener) return createPlainSite(root)
  const configs = files.paths.filter((file) => {
    const name = inside(root, file)
    return name !== undefined && opener.config.exec(name)?.[0] === name
  })
  const config = configs.toSorted()[0] ?? posix.join(root, opener.usual)
  const site = await opener.open(config, files, true)
  if (!site || files.has(config)) return site
  const hasPages = site.mounts.some(({ folder }) => hasPage(folder, files))
  const mounts = hasPages ? site.mounts : [{ folder: root, routes: [''] }]
  return { ...site, config: undefined, mounts, assets: hasPages ? site.assets : [...site.assets, root] }
}
