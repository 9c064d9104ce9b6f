// The rules for a whole site: its navigation, the fields of its pages, and its addresses.

import { posix } from 'node:path'
import type { Finding } from '../finding.ts'
import type { Reason } from '../../sites/coverage.ts'
import type { Navigation, NavigationEntry, Site } from '../../sites/site.ts'
import { isPattern } from '../../sites/redirects/match.ts'
import { routeOf } from '../../sites/address.ts'
import { includedBy } from './imported.ts'
import { navigationEntries } from './navigation-entries.ts'
import { addressesOf } from './page-addresses.ts'
import { isPage, resolve, resolveRooted } from './resolve.ts'
import type { SiteIndex } from './site-index.ts'
import type { SitePage } from './site-page.ts'

/** A navigation counts as complete when it names this many pages of a folder, and all others but one in twenty. */
const fewestListed = 5
const mostUnlisted = 0.05
/** The pages of a folder that have a field, and their share, for the field to be expected of the others. */
const fewestWithField = 10
const shareWithField = 0.95
const hidden = ['hidden', 'draft', 'unlisted', 'sidebar_class_name', 'published', 'noindex', 'orphan']
/** Fields whose text readers meet. Others tune the site (`keywords`, `boost`, `sidebar`), and a page may well do without. */
const shownFields = ['title', 'description', 'summary', 'excerpt', 'author', 'authors', 'date']

export function checkSite(index: SiteIndex, site: Site): Finding[] {
  const pages = index.pages.filter((page) => page.site === site)
  const problems = site.problems.map(({ file, line, message }): Finding => {
    return { kind: 'config', path: file, line, target: message, message: `the file does not parse: ${message}` }
  })
  return [
    ...problems,
    ...checkNavigation(index, site, pages),
    ...checkFields(site, pages),
    ...checkRoutes(index, site, pages),
  ]
}

function checkNavigation(index: SiteIndex, site: Site, pages: readonly SitePage[]): Finding[] {
  const { lists, folders } = site.navigation
  const entries = navigationEntries(index, site)
  const listed = new Set<string>()
  const found: Finding[] = []
  for (const entry of entries) {
    const named = pagesOf(index, site, entry)
    if (typeof named === 'string') continue
    for (const path of named) listed.add(path)
    if (named.length > 0) continue
    const { file: path, line, name } = entry
    const message = `the navigation names ${name}, which does not exist`
    found.push({ kind: 'navigation', path, line, target: name, message })
  }
  if (lists === 'some' || entries.length === 0) return found
  // A page that others insert needs no entry.
  for (const page of pages) for (const path of includedBy(page)) listed.add(path)
  const groups = Map.groupBy(
    pages.filter((page) => canBeListed(page, lists)),
    ({ name }) => (lists === 'all' || !name.includes('/') ? '' : name.slice(0, name.indexOf('/'))),
  )
  const linked = once(() => findLinked(index, pages))
  for (const group of groups.values()) {
    const missing = group.filter(
      ({ path, name }) => !listed.has(path) && !folders.some((folder) => isBelow(folder, name)),
    )
    const lost = lists === 'all' ? missing : missing.filter(({ path }) => !linked().has(path))
    const isComplete =
      group.length - missing.length >= fewestListed && missing.length <= Math.max(1, group.length * mostUnlisted)
    if (lists !== 'all' && !isComplete) continue
    for (const { path } of lost) {
      found.push({ kind: 'unlisted', path, line: 1, target: '', message: 'the navigation does not name this page' })
    }
  }
  return found
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
  const found = resolveRooted(index, site, target.address)
  if (isPage(found)) return [found.path]
  // A file, or a page that is a component, is listed as well as a page.
  return typeof found === 'object' ? found.reason : found === 'missing' ? [] : [target.address]
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
    for (const [at, address] of addressesOf(page).entries()) {
      const kind = page.facts.links[at]?.kind
      const target = kind === 'link' || kind === 'doc' ? resolve(index, page, address) : 'elsewhere'
      if (isPage(target) && target !== page) found.add(target.path)
    }
  }
  return found
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

function isIndex(name: string): boolean {
  return /(?:^|\/)(?:_?index|readme)\.\w+$/i.test(name)
}

function isBelow(folder: string, name: string): boolean {
  return folder === '' || name.startsWith(`${folder}/`)
}

function checkFields(site: Site, pages: readonly SitePage[]): Finding[] {
  const missing = (page: SitePage, field: string, why: string): Finding[] => {
    const { frontmatter } = page.facts
    if (frontmatter?.problem || frontmatter?.names.includes(field)) return []
    const message = `the frontmatter has no ${field}, which ${why}`
    return [{ kind: 'field', path: page.path, line: frontmatter?.line ?? 1, target: field, message }]
  }
  const required = pages.flatMap((page) =>
    site.requiredFields.flatMap((field) => missing(page, field, 'every page of this site needs')),
  )
  if (!site.hasGenerator) return required
  const alike = pages.filter(({ name }) => !isIndex(name))
  const usual = [...Map.groupBy(alike, ({ path }) => posix.dirname(path)).values()].flatMap((group) =>
    usualFields(group)
      .filter((field) => shownFields.includes(field) && !site.requiredFields.includes(field))
      .flatMap((field) =>
        group
          // A heading takes the place of the title.
          .filter(({ facts }) => field !== 'title' || facts.headings.length === 0)
          // The name of a post has its date.
          .filter(({ path }) => field !== 'date' || !/^\d{4}-\d\d?-\d\d?-/.test(posix.basename(path)))
          .flatMap((page) => missing(page, field, 'the other pages of its folder have')),
      ),
  )
  return [...required, ...usual]
}

/** The fields that a page lacks although the others have them; a page does not count among the others. */
function usualFields(pages: readonly SitePage[]): string[] {
  const counts = new Map<string, number>()
  for (const { facts } of pages)
    for (const name of new Set(facts.frontmatter?.names)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const others = pages.length - 1
  return [...counts].flatMap(([name, count]) =>
    count <= others && count >= fewestWithField && count / others >= shareWithField ? [name] : [],
  )
}

function stemOf({ name }: SitePage): string {
  return name.replace(/\.\w+$/, '')
}

function checkRoutes(index: SiteIndex, site: Site, pages: readonly SitePage[]): Finding[] {
  const duplicates = pages.flatMap((page): Finding[] => {
    const [route = ''] = page.routes
    const same = index
      .at(site, route)
      .filter((one) => one.mount === page.mount && (!site.keepsFileNames || stemOf(one) === stemOf(page)))
    if (same.length < 2 || same[0] === page) return []
    const message = `the page has the address ${route || '/'}, as ${same[0]?.path} has`
    return [{ kind: 'duplicate-route', path: page.path, line: 1, target: route, message }]
  })
  const shadows = site.redirects.flatMap(({ file, line, source }): Finding[] => {
    const page = isPattern(source) ? undefined : index.at(site, routeOf(source))[0]
    const isOther = site.keepsFileNames && source.endsWith('/index.html') && page && !isIndex(page.name)
    if (!page || isOther) return []
    const message = `the redirect from ${source} hides ${page.path}`
    return [{ kind: 'redirect', path: file, line, target: source, message }]
  })
  return [...duplicates, ...shadows]
}
