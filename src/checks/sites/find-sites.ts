// Finds the sites of a repository by their configurations. Every page belongs to the site whose folder of pages is nearest,
// and otherwise to a plain site: the repository itself.

import { inside } from '../../docs-syntax/links.ts'
import { docusaurus } from './docusaurus.ts'
import { mdbook } from './mdbook.ts'
import { mintlify } from './mintlify.ts'
import { mkdocs } from './mkdocs.ts'
import { createPlainSite, nextra } from './plain.ts'
import { readRedirectFiles } from './redirects.ts'
import type { Site, SiteFiles, SiteOpener } from './site.ts'
import { starlight } from './starlight.ts'
import { vitepress } from './vitepress.ts'

const openers: readonly SiteOpener[] = [mintlify, docusaurus, vitepress, starlight, mkdocs, mdbook, nextra]
const elsewhere = /(?:^|\/)(?:node_modules|vendor|(?:__)?(?:fixtures?|tests?|templates?)(?:__)?)\//i
const maxSites = 50

/** The plain site is the last one. */
export async function findSites(files: SiteFiles): Promise<readonly Site[]> {
  const found: Site[] = []
  for (const opener of openers) {
    const configs = files.paths.filter((path) => opener.config.test(path) && !elsewhere.test(path))
    for (const config of configs.slice(0, maxSites)) {
      const site = await opener.open(config, files)
      if (site) found.push({ ...site, redirects: [...site.redirects, ...(await readRedirectFiles(site, files))] })
    }
  }
  return [...found, createPlainSite()]
}

/** Returns the site that a page belongs to, and its place below one of the site's folders. */
export function createSiteOf(sites: readonly Site[]) {
  const mounts = sites.flatMap((site) => site.mounts.map((mount) => ({ site, mount })))
  const nearest = mounts.toSorted((a, b) => b.mount.folder.length - a.mount.folder.length)
  return (path: string) => {
    for (const { site, mount } of nearest) {
      const name = inside(mount.folder, path)
      if (name !== undefined) return { site, mount, name }
    }
    return undefined
  }
}
