// Everything that is known of the pages of a repository, in the form in which the rules ask for it: the page at a path, the
// page at an address of a site, and the anchors of a page. Built once for a check; reads nothing.

import { posix } from 'node:path'
import type { PageLink } from '../facts/page-facts.ts'
import type { Site } from '../sites/site.ts'
import { importedPath, includedPaths } from './imported.ts'
import { ownAnchors, withNormalised } from './own-anchors.ts'
import type { SitePage } from './site-page.ts'

export type SiteIndex = {
  readonly pages: readonly SitePage[]
  /** All files. */
  readonly paths: readonly string[]
  has(path: string): boolean
  /** Whether there is a file below the folder. */
  hasFolder(folder: string): boolean
  /** Whether git ignores the path: a program makes the file. */
  isUntracked(path: string): boolean
  page(path: string): SitePage | undefined
  /** Returns the pages at an address of the site; more than one if they have the same address. */
  at(site: Site, route: string): readonly SitePage[]
  withId(site: Site, id: string): readonly SitePage[]
  /** Undefined: a program adds to the page, so it may have any anchor. */
  anchors(page: SitePage): ReadonlySet<string> | undefined
}

export type Files = { readonly paths: readonly string[]; readonly isUntracked: (path: string) => boolean }

export function createSiteIndex({ paths, isUntracked }: Files, pages: readonly SitePage[]): SiteIndex {
  const files = new Set(paths)
  const folders = foldersOf(paths)
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const byRoute = groupBySite(pages, ({ routes }) => routes)
  const byId = groupBySite(pages, ({ ids }) => ids)
  const anchors = new Map<SitePage, ReadonlySet<string> | undefined>()
  const index: SiteIndex = {
    pages,
    paths,
    has: (path) => files.has(path),
    hasFolder: (folder) => folders.has(folder),
    isUntracked,
    page: (path) => byPath.get(path),
    at: (site, route) => byRoute.get(site)?.get(route) ?? [],
    withId: (site, id) => byId.get(site)?.get(id) ?? [],
    anchors: (page) => {
      const known = anchors.get(page)
      // A page that includes itself gets an empty set meanwhile.
      if (known || anchors.has(page)) return known
      anchors.set(page, new Set()).set(page, collectAnchors(index, page))
      return anchors.get(page)
    },
  }
  return index
}

function groupBySite(pages: readonly SitePage[], keysOf: (page: SitePage) => readonly string[]) {
  const groups = new Map<Site, Map<string, SitePage[]>>()
  for (const page of pages) {
    const group = groups.get(page.site) ?? new Map<string, SitePage[]>()
    groups.set(page.site, group)
    for (const key of new Set(keysOf(page))) {
      const known = group.get(key)
      if (known) known.push(page)
      else group.set(key, [page])
    }
  }
  return groups
}

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>([''])
  for (const path of paths) {
    for (let folder = posix.dirname(path); folder !== '.' && !folders.has(folder); folder = posix.dirname(folder)) {
      folders.add(folder)
    }
  }
  return folders
}

function collectAnchors(index: SiteIndex, page: SitePage): ReadonlySet<string> | undefined {
  const { facts, site } = page
  if (facts.isOpen || site.addsAnchors) return undefined
  const own = ownAnchors(facts, site.slugs)
  const parts = partsOf(index, page)
  if (parts.length === 0) return own
  const found = new Set(own)
  for (const part of parts) {
    const inner = part && index.anchors(part)
    if (!inner) return undefined
    for (const anchor of inner) found.add(anchor)
  }
  return withNormalised(found, site.slugs)
}

/** The pages whose content the page contains; undefined for a component, whose content is not known. */
function partsOf(index: SiteIndex, page: SitePage): (SitePage | undefined)[] {
  const imports = page.facts.links.filter(isImport).flatMap(({ url }) => {
    const path = importedPath(index, page, url)
    return path === undefined || /\.(?:css|json|svg|png|jpe?g|webp)$/i.test(path) ? [] : [index.page(path)]
  })
  const includes = page.facts.includes.flatMap((include) => {
    if (page.site.includes?.style !== include.style) return []
    return [
      includedPaths(page, include.url)
        .map((path) => index.page(path))
        .find((one) => one !== undefined),
    ]
  })
  return [...imports, ...includes]
}

function isImport({ kind }: PageLink): boolean {
  return kind === 'import'
}
