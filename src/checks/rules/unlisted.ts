// Finds the pages that the navigation of a site leaves out, and whether it names nearly all others of their folder.

import { inside } from '../../docs-syntax/links.ts'
import type { Navigation, Site } from '../../sites/site.ts'
import { includedBy } from './imported.ts'
import { keptBySite, navigationEntries, pagesOf } from './navigation-entries.ts'
import { addressesOf } from './page-addresses.ts'
import { isPage, resolve } from './resolve.ts'
import type { SiteIndex } from './site-index.ts'
import type { SitePage } from './site-page.ts'

/** `isExpected`: the navigation names nearly all others of the folder. Otherwise nobody knows whether it should name the page. */
export type Unlisted = { readonly path: string; readonly isExpected: boolean }

/** A navigation counts as complete when it names this many pages of a folder, and all others but one in twenty. */
const fewestListed = 5
const mostUnlisted = 0.05
const hidden = ['hidden', 'draft', 'unlisted', 'sidebar_class_name', 'published', 'noindex', 'orphan', 'template']

export const unlistedPages = keptBySite(findUnlisted)

function findUnlisted(index: SiteIndex, site: Site): readonly Unlisted[] {
  const { lists, folders } = site.navigation
  const entries = navigationEntries(index, site)
  if (lists === 'some' || entries.length === 0) return []
  const pages = index.pages.filter((page) => page.site === site)
  const named = entries.map((entry) => pagesOf(index, site, entry))
  // A page that others insert needs no entry.
  const listed = new Set([...named.filter((one) => typeof one !== 'string'), ...pages.map(includedBy)].flat())
  const groups = Map.groupBy(
    pages.filter((page) => canBeListed(page, lists)),
    ({ name }) => (lists === 'all' || !name.includes('/') ? '' : name.slice(0, name.indexOf('/'))),
  )
  const found = [...groups.values()].flatMap((group) => {
    const missing = group.filter(
      ({ path, name }) => !listed.has(path) && folders.every((folder) => inside(folder, name) === undefined),
    )
    const isComplete =
      group.length - missing.length >= fewestListed && missing.length <= Math.max(1, group.length * mostUnlisted)
    return missing.map(({ path }) => ({ path, isExpected: lists === 'all' || isComplete }))
  })
  if (lists === 'all' || found.length === 0) return found
  const linked = findLinked(index, pages)
  return found.filter(({ path }) => !linked.has(path))
}

function canBeListed({ name, site, routes, facts, mount }: SitePage, lists: Navigation['lists']): boolean {
  // The first page of a folder is often reached by the name of its group alone.
  const isFirst = lists !== 'all' && isIndex(name)
  const isPart =
    isFirst ||
    mount.isCopy === true ||
    site.isTranslation(name) ||
    (routes[0] ?? '') === '' ||
    /(?:^|\/)404\./.test(name) ||
    mount.isApart === true
  return !isPart && !hidden.some((field) => facts.frontmatter?.names.includes(field))
}

/** The pages that other pages link to: readers reach them without the navigation. */
function findLinked(index: SiteIndex, pages: readonly SitePage[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const page of pages) {
    if (index.unjudged?.has(page)) continue
    for (const [at, address] of addressesOf(page).entries()) {
      const kind = page.facts.links[at]?.kind
      const target = kind === 'link' || kind === 'doc' ? resolve(index, page, address) : 'elsewhere'
      if (isPage(target) && target !== page) found.add(target.path)
    }
  }
  return found
}

export function isIndex(name: string): boolean {
  return /(?:^|\/)(?:_?index|readme)\.\w+$/i.test(name)
}
