// The entries of the navigation of a site: those of its configuration, and those of toctrees, which pages hold.

import { posix } from 'node:path'
import { createGlobMatcher } from '../../docs-syntax/glob.ts'
import type { Reason } from '../../sites/coverage.ts'
import type { NavigationEntry, Site } from '../../sites/site.ts'
import type { PageEntry } from '../facts/page-facts.ts'
import { isPage, resolveOf } from './resolve.ts'
import type { SiteIndex } from './site-index.ts'
import type { SitePage } from './site-page.ts'

/** Keeps what is found for a site of a check: the rules, the coverage and each suggestion ask for it. */
export function keptBySite<Found>(find: (index: SiteIndex, site: Site) => Found): typeof find {
  const kept = new WeakMap<readonly SitePage[], Map<Site, Found>>()
  return (index, site) => {
    const known = kept.get(index.pages) ?? new Map<Site, Found>()
    kept.set(index.pages, known)
    const found = known.has(site) ? (known.get(site) as Found) : find(index, site)
    known.set(site, found)
    return found
  }
}

export const navigationEntries = keptBySite(findEntries)

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
  const { otherwise } = address
  const paths = [...address.paths, ...(address.listed ?? [])]
  return otherwise && !paths.some((path) => index.has(path)) ? { reason: otherwise } : { paths }
}

function matching(
  pages: readonly SitePage[],
  { site, path: from }: SitePage,
  { name }: PageEntry,
): NavigationEntry['target'] | undefined {
  const address = site.addressOf({ kind: 'doc', url: name }, from)
  const pattern = address?.kind === 'named' ? address.listed?.[0] : undefined
  const fits = createGlobMatcher(pattern === undefined ? [] : [pattern])
  const paths = pages.flatMap(({ path }) => (fits(path.replace(/\.\w+$/, '')) ? [path] : []))
  return paths.length === 0 ? undefined : { paths }
}

/** The pages that an entry names: an empty list if there is no such page. A reason: it may name something else. */
export function pagesOf(index: SiteIndex, site: Site, { target }: NavigationEntry): readonly string[] | Reason {
  if ('reason' in target) return target.reason
  if ('paths' in target) {
    const files = target.paths.filter((path) => index.has(path))
    const found =
      files.length > 0 ? files : (target.ids ?? []).flatMap((id) => index.withId(site, id).map(({ path }) => path))
    return found.length === 0 && target.paths.some((path) => index.isUntracked(path)) ? 'ignored' : found
  }
  if ('id' in target) {
    const found = index.withId(site, target.id).map(({ path }) => path)
    const folder = posix.dirname(target.id)
    if (found.length > 0) return found
    const made = site.madeAt(`/${target.id}`, true)
    if (made) return made === 'page' ? [target.id] : made
    const isElsewhere =
      folder !== '.' && !site.mounts.some((mount) => index.hasFolder(posix.join(mount.folder, folder)))
    return isElsewhere ? 'generated' : found
  }
  const found = resolveOf(index, site, target.address)
  if (isPage(found)) return [found.path]
  // A file, or a page that is a component, is listed as well as a page.
  return typeof found === 'object' ? found.reason : found === 'missing' ? [] : [target.address]
}
