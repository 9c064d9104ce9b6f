// Everything that is known of the pages of a repository, in the form in which the rules ask for it: the page at a path, the
// page at an address of a site, and the anchors of a page. Built once for a check; reads nothing.

import { posix } from 'node:path'
import { isAsciidocPath } from '../../docs-syntax/asciidoc/asciidoc.ts'
import type { PageLink } from '../facts/page-facts.ts'
import type { Address } from '../../sites/address.ts'
import type { Site } from '../../sites/site.ts'
import type { FileIndex } from './file-index.ts'
import { importedPath, includedBy, includedPaths } from './imported.ts'
import { ownAnchors, withNormalised } from './own-anchors.ts'
import { addressesOf } from './page-addresses.ts'
import type { SitePage } from './site-page.ts'

export type SiteIndex = FileIndex & {
  readonly pages: readonly SitePage[]
  /** The pages by path, address and id. An index of the same pages at the same addresses has the same object. */
  readonly routing: Routing
  /** Whether git ignores the path: a program makes the file. */
  isUntracked(path: string): boolean
  page(path: string): SitePage | undefined
  /** Returns the pages at an address of the site; more than one if they have the same address. */
  at(site: Site, route: string): readonly SitePage[]
  withId(site: Site, id: string): readonly SitePage[]
  anchors(page: SitePage): Anchors
  /** Those of all pages of the site. */
  sharedAnchors(site: Site): Anchors
  /** Whether the page contains others, so that its anchors depend on them. */
  hasParts(page: SitePage): boolean
  /** Whether the page is part of others, which then decide what its links are relative to, and where its anchors are. */
  isInserted(page: SitePage): boolean
  /** Whether a page of the repository inserts it by a name that is known. */
  isInsertedHere(page: SitePage): boolean
  /** Whether a page inserts a file that is no page, whose labels are not known. */
  insertsOthers(): boolean
  /** Undefined: all pages are judged. */
  readonly unjudged: UnjudgedPages | undefined
}

/**
 * Pages that are not judged, because a change leaves their findings as they are. Of most of them only the frontmatter is known,
 * and that they insert no page. A rule that asks for more of one finds nothing, and the page is noted: the answer does not count
 * until the page was read.
 */
export type UnjudgedPages = {
  has(page: SitePage): boolean
  /** Notes all pages whose text has these words, to be judged: one of them may say otherwise. */
  noteMentions(words: string): void
}

/** `isOpen`: a program adds to the page, so it may have any other anchor, too. */
export type Anchors = { readonly known: ReadonlySet<string>; readonly isOpen: boolean }

/** Positions in the list of pages. */
type Groups = ReadonlyMap<Site, ReadonlyMap<string, readonly number[]>>
type Routing = { readonly byPath: ReadonlyMap<string, number>; readonly byRoute: Groups; readonly byId: Groups }

export type Files = {
  readonly files: FileIndex
  readonly isUntracked: (path: string) => boolean
  readonly unjudged?: UnjudgedPages | undefined
}

/** `previous`: an index of the same files and sites, whose pages may have been others. */
export function createSiteIndex(
  { files, isUntracked, unjudged }: Files,
  pages: readonly SitePage[],
  previous?: SiteIndex,
): SiteIndex {
  const routing = previous && areAlike(previous.pages, pages) ? previous.routing : createRouting(pages)
  const pagesOf = (groups: Groups, site: Site, key: string) =>
    (groups.get(site)?.get(key) ?? nowhere).flatMap((at) => pages[at] ?? [])
  const anchors = new Map<SitePage, Anchors>()
  const shared = new Map<Site, Anchors>()
  const parts = new Map<SitePage, boolean>()
  let made: ReadonlySet<string> | undefined
  const inserted = () => (made ??= findInserted(index))
  let hasOthers: boolean | undefined
  const index: SiteIndex = {
    ...files,
    pages,
    routing,
    isUntracked,
    unjudged,
    page: (path) => pages[routing.byPath.get(path) ?? -1],
    at: (site, route) => pagesOf(routing.byRoute, site, route),
    withId: (site, id) => pagesOf(routing.byId, site, id),
    anchors: (page) => {
      const kept = anchors.get(page)
      if (kept) return kept
      // A page that includes itself has no anchors meanwhile.
      anchors.set(page, { known: noAnchors, isOpen: false })
      const found = collectAnchors(index, page)
      anchors.set(page, found)
      return found
    },
    sharedAnchors: (site) => {
      const found =
        shared.get(site) ?? unite(pages.filter((page) => page.site === site).map((page) => index.anchors(page)))
      shared.set(site, found)
      return found
    },
    // A page without an address of its own is a template, or a part of others.
    isInserted: ({ path, mount, routes }) =>
      mount.isPart === true || routes.length === 0 || inserted().has(path) || inserted().has(posix.basename(path)),
    isInsertedHere: ({ path }) => inserted().has(path),
    insertsOthers: () =>
      (hasOthers ??= pages.some((page) => includedBy(page).some((path) => index.has(path) && !index.page(path)))),
    hasParts: (page) => {
      const known = parts.get(page) ?? partsOf(index, page).length > 0
      parts.set(page, known)
      return known
    },
  }
  return index
}

const nowhere: readonly number[] = []
const noAnchors: ReadonlySet<string> = new Set()

function unite(all: readonly Anchors[]): Anchors {
  return { known: new Set(all.flatMap(({ known }) => [...known])), isOpen: all.some(({ isOpen }) => isOpen) }
}

/** Whether the same pages are at the same addresses. */
function areAlike(some: readonly SitePage[], others: readonly SitePage[]): boolean {
  if (some.length !== others.length) return false
  return some.every((one, at) => {
    const other = others[at]
    if (one === other) return true
    if (one.path !== other?.path || one.site !== other.site || one.mount !== other.mount) return false
    return areEqual(one.routes, other.routes) && areEqual(one.ids, other.ids)
  })
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at])
}

function createRouting(pages: readonly SitePage[]): Routing {
  return {
    byPath: new Map(pages.map(({ path }, at) => [path, at])),
    byRoute: groupBySite(pages, ({ routes }) => routes),
    byId: groupBySite(pages, ({ ids }) => ids),
  }
}

function groupBySite(pages: readonly SitePage[], keysOf: (page: SitePage) => readonly string[]): Groups {
  const groups = new Map<Site, Map<string, number[]>>()
  for (const [at, page] of pages.entries()) {
    const group = groups.get(page.site) ?? new Map<string, number[]>()
    groups.set(page.site, group)
    for (const key of new Set(keysOf(page))) {
      const known = group.get(key)
      if (known) known.push(at)
      else group.set(key, [at])
    }
  }
  return groups
}

function collectAnchors(index: SiteIndex, page: SitePage): Anchors {
  const { facts, site } = page
  const own = site.addsAnchors === 'all' ? noAnchors : ownAnchors(facts, site.slugs)
  const parts = partsOf(index, page).map((part) => part && index.anchors(part))
  const isOpen = facts.isOpen || site.addsAnchors !== undefined || parts.some((part) => part?.isOpen !== false)
  if (parts.length === 0) return { known: own, isOpen }
  const found = new Set([...own, ...parts.flatMap((part) => [...(part?.known ?? [])])])
  return { known: withNormalised(found, site.slugs), isOpen }
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
  return [...imports, ...includes, ...insertedBy(index, page)]
}

/** The pages that a page of AsciiDoc inserts; undefined for one that is not known, such as a symbolic link. Other files have no anchors. */
function insertedBy(index: SiteIndex, page: SitePage): (SitePage | undefined)[] {
  return includesOf(page).flatMap(({ address }) => {
    if (address.kind === 'self') return []
    const path = address.kind === 'named' ? address.paths.find((one) => index.has(one)) : undefined
    const part = path === undefined ? undefined : index.page(path)
    return part || path === undefined || isAsciidocPath(path) ? [part] : []
  })
}

/** Paths, and the last names of those with an attribute in them. */
function findInserted(index: SiteIndex): ReadonlySet<string> {
  const found = new Set<string>()
  for (const page of index.pages) {
    if (index.unjudged?.has(page)) continue
    for (const path of insertedFromElsewhere(index, page)) found.add(path)
    for (const { address, url } of includesOf(page))
      for (const path of address.kind === 'named' ? address.paths : [posix.basename(url)]) found.add(path)
  }
  return found
}

/** The includes of AsciiDoc, which are links. */
function includesOf(page: SitePage): { readonly address: Address; readonly url: string }[] {
  const { links } = page.facts
  if (!links.some(isInclude)) return []
  return addressesOf(page).flatMap((address, at) => {
    const link = links[at]
    return link && isInclude(link) ? [{ address, url: link.url }] : []
  })
}

/** A file outside the site, such as a README or a changelog, that a page of the site inserts: its names are those of the site. */
function insertedFromElsewhere(index: SiteIndex, page: SitePage): string[] {
  return page.facts.includes
    .filter(({ style }) => style === page.site.includes?.style)
    .flatMap(({ url }) => includedPaths(page, url))
    .filter((path) => (index.page(path)?.site ?? page.site) !== page.site)
}

function isInclude({ kind }: PageLink): boolean {
  return kind === 'include'
}

function isImport({ kind }: PageLink): boolean {
  return kind === 'import'
}
