// Finds what an address on a page leads to. A site may resolve it as a path of the repository or as an address of the
// browser, so both are tried: an address is missing only if it leads nowhere in either way.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { pagePaths } from '../../sites/names.ts'
import type { Reason } from '../../sites/coverage.ts'
import { redirectedAt } from '../../sites/redirects/match.ts'
import type { Made, Site } from '../../sites/site.ts'
import {
  type Address,
  isBelow,
  type NamedAddress,
  parseAddress,
  type RelativeAddress,
  type RootedAddress,
  routeOf,
  trimSlash,
} from '../../sites/address.ts'
import type { SiteIndex } from './site-index.ts'
import type { SitePage } from './site-page.ts'

/** `elsewhere`: on another site. A reason: whether it leads somewhere is not judged. */
export type Resolved = SitePage | 'file' | 'elsewhere' | 'missing' | NotJudged
export type NotJudged = { readonly reason: Reason }

type Place = Pick<SitePage, 'site' | 'mount' | 'path' | 'routes'>

/** Files that builds and plugins write beside the pages. */
const madeFile = /\/(?:llms[^/]*\.txt|sitemap[^/]*\.xml|(?:rss|atom|feed|index)\.(?:xml|json|rss)|robots\.txt)$/

export function resolve(index: SiteIndex, from: Place, address: Address): Resolved {
  switch (address.kind) {
    case 'foreign':
      return 'elsewhere'
    case 'unread':
      return { reason: address.reason }
    case 'self':
      return index.page(from.path) ?? 'elsewhere'
    case 'named':
      return findNamed(index, address)
    case 'rooted':
      return findRooted(index, from, address)
    case 'relative':
    default:
      return findRelative(index, from, address)
  }
}

/** Whether the address leads to a page. */
export function isPage(found: Resolved): found is SitePage {
  return typeof found === 'object' && 'path' in found
}

/** Resolves an address that the configuration has. A string: it begins at the root of the site. */
export function resolveOf(index: SiteIndex, site: Site, address: string | Address): Resolved {
  const mount = site.mounts[0] ?? { folder: site.root, routes: [''] }
  const place = { site, mount, path: posix.join(mount.folder, '-'), routes: [''] }
  return resolve(index, place, typeof address === 'string' ? parseAddress(place, address) : address)
}

function findNamed(index: SiteIndex, { paths, ids, otherwise }: NamedAddress): Resolved {
  const path = paths.find((one) => index.has(one))
  if (path !== undefined) return index.page(path) ?? 'file'
  const page = [...index.routing.byId.keys()].flatMap((site) => ids.flatMap((id) => index.withId(site, id)))[0]
  if (page) return page
  if (paths.some((one) => index.isUntracked(one))) return { reason: 'ignored' }
  return otherwise ? { reason: otherwise } : 'missing'
}

function findRooted(index: SiteIndex, from: Place, { name, route }: RootedAddress): Resolved {
  const { site } = from
  const file =
    site.looksBelowMount && /\.mdx?$/i.test(name) ? findPath(index, posix.join(site.root, name.slice(1))) : undefined
  const found = findRoute(index, site, route) ?? findFile(index, from, name.slice(1)) ?? file
  return found ?? toResolved(madeAt(index, from, name, true)) ?? 'missing'
}

function toResolved(made: Made | undefined): Resolved | undefined {
  return made === undefined ? undefined : made === 'page' ? 'file' : { reason: made }
}

function findRelative(index: SiteIndex, from: Place, address: RelativeAddress): Resolved {
  const byPath = findPath(index, address.path)
  if (byPath && (from.site.linksAre === 'paths' || /\.(?:mdx?|markdown)$/i.test(address.written))) return byPath
  const byRoute = findByRoute(index, from, address)
  return byPath && (byRoute === 'missing' || !(isPage(byRoute) || byRoute === 'file')) ? byPath : byRoute
}

/** Says whether something is served at the address although no file of the repository has it. */
function madeAt(index: SiteIndex, { site, mount }: Place, name: string, isRooted: boolean): Made | undefined {
  if (madeFile.test(name)) return 'generated'
  const route = routeOf(name)
  const made = redirectedAt(site, name) ?? site.madeAt(route, isRooted, name)
  if (made) return made
  if (
    site.mounts.some(({ folder, routes }) => folder.startsWith('..') && routes.some((start) => isBelow(start, route)))
  )
    return 'outside'
  const isIgnored = [mount.folder, ...site.assets].some((folder) =>
    index.isUntracked(posix.join(folder, trimSlash(name))),
  )
  return isIgnored ? 'ignored' : undefined
}

/** Resolves an address that is no path of the repository, as a browser does. */
function findByRoute(index: SiteIndex, from: Place, { path, written }: RelativeAddress): Resolved {
  const { site, mount, routes } = from
  const [route = ''] = routes
  // A page may be served with or without a slash at its end, and what is relative to it changes with that.
  for (const folder of [route === '' ? '/' : route, posix.dirname(route === '' ? '/' : route)]) {
    const name = posix.join(folder, written)
    const page = findRoute(index, site, routeOf(name))
    // A link to a file that is gone, `../a.md` in `b/a.md`, does not lead back to its own page.
    const isBack = page?.path === from.path && /\.mdx?$/i.test(written)
    const found = isBack ? undefined : (page ?? findFile(index, from, name.replace(/^\//, '')))
    const made = found ?? toResolved(madeAt(index, from, name, false))
    if (made) return made
  }
  const rest = mount.original === undefined ? undefined : inside(mount.folder, path)
  const untranslated = rest === undefined ? undefined : findPath(index, posix.join(mount.original ?? '', rest))
  if (untranslated) return untranslated
  const fromMount = site.looksBelowMount && /\.mdx?$/i.test(written) && posix.join(mount.folder, written)
  const byMount = fromMount ? findPath(index, fromMount) : undefined
  if (byMount) return byMount
  if (index.isUntracked(path)) return { reason: 'ignored' }
  // A program makes HTML from files without a generator.
  if (!site.hasGenerator && /\.html?$/i.test(written)) return { reason: 'generated' }
  if (site.linksAre === 'addresses' && !posix.join(route.slice(1), written).startsWith('..')) return 'missing'
  // Another program serves the files above the pages, unless they are the site's own.
  const isOwn = [mount.folder, ...site.assets].some((folder) => inside(folder, path) !== undefined)
  return path.startsWith('..') || (site.hasGenerator && !isOwn) ? { reason: 'outside' } : 'missing'
}

function findPath(index: SiteIndex, target: string): Resolved | undefined {
  const exact = index.page(target)
  if (exact || target.startsWith('..')) return exact
  if (index.has(target)) return 'file'
  for (const path of pagePaths(target)) {
    const page = index.page(path)
    if (page) return page
    if (index.has(path)) return 'file'
  }
  return index.hasFolder(target) ? 'file' : undefined
}

function findRoute(index: SiteIndex, site: Site, route: string): SitePage | undefined {
  return index.at(site, route)[0] ?? site.fallbacks(route).flatMap((other) => index.at(site, other))[0]
}

/** A translation or an earlier version has its files below an address of its own, so only its own pages find them without. */
function findFile(index: SiteIndex, { site, mount: own }: Place, name: string): Resolved | undefined {
  const mounts = site.mounts.filter((mount) => mount.isCopy !== true || mount === own)
  for (const folder of [...site.assets, ...mounts.map((mount) => mount.folder)]) {
    const path = posix.join(folder, trimSlash(name))
    const page = index.page(path)
    if (page) return page
    if (path !== '.' && index.has(path)) return 'file'
  }
  return undefined
}
