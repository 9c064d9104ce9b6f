// The entries of the navigation of a site: those of its configuration, and those of toctrees, which pages hold.

import { createGlobMatcher } from '../../docs-syntax/glob.ts'
import type { NavigationEntry, Site } from '../../sites/site.ts'
import type { PageEntry } from '../facts/page-facts.ts'
import type { SiteIndex } from './site-index.ts'
import type { SitePage } from './site-page.ts'

/** By the pages of a check, which the rules, the coverage and each suggestion ask about. */
const kept = new WeakMap<readonly SitePage[], Map<Site, readonly NavigationEntry[]>>()

export function navigationEntries(index: SiteIndex, site: Site): readonly NavigationEntry[] {
  const known = kept.get(index.pages) ?? new Map<Site, readonly NavigationEntry[]>()
  kept.set(index.pages, known)
  const found = known.get(site) ?? findEntries(index, site)
  known.set(site, found)
  return found
}

function findEntries(index: SiteIndex, site: Site): readonly NavigationEntry[] {
  const own = index.pages.filter((page) => page.site === site)
  const held = own.flatMap((page) =>
    (page.facts.rst?.entries ?? []).flatMap((entry) => {
      const target = entry.isGlob ? matching(own, page, entry) : targetOf(index, page, entry)
      const { line, start, end, name } = entry
      return target ? [{ file: page.path, line, start, end, name, target }] : []
    }),
  )
  return held.length === 0 ? site.navigation.entries : [...site.navigation.entries, ...held]
}

/** Undefined: it names no page of the site, such as the index that Sphinx makes. */
function targetOf(index: SiteIndex, page: SitePage, { name }: PageEntry): NavigationEntry['target'] | undefined {
  const address = page.site.addressOf({ kind: 'doc', url: name }, page.path)
  if (address?.kind === 'unread') return { reason: address.reason }
  if (address?.kind !== 'named') return undefined
  const { paths, otherwise } = address
  return otherwise && !paths.some((path) => index.has(path)) ? { reason: otherwise } : { paths }
}

function matching(
  pages: readonly SitePage[],
  { site, path: from }: SitePage,
  { name }: PageEntry,
): NavigationEntry['target'] | undefined {
  const address = site.addressOf({ kind: 'doc', url: name }, from)
  const pattern = address?.kind === 'named' ? address.paths.at(-1) : undefined
  const fits = createGlobMatcher(pattern === undefined ? [] : [pattern])
  const paths = pages.flatMap(({ path }) => (fits(path.replace(/\.\w+$/, '')) ? [path] : []))
  return paths.length === 0 ? undefined : { paths }
}
