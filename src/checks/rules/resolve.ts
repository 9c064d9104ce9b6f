// Finds what an address on a page leads to. A site may resolve it as a path of the repository or as an address of the
// browser, so both are tried: an address is missing only if it leads nowhere in either way.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { decodeAddress, pagePaths } from '../sites/names.ts'
import type { Redirect, Site } from '../sites/site.ts'
import type { SiteIndex } from './site-index.ts'
import type { SitePage } from './site-page.ts'

export type Resolved =
  | { readonly kind: 'page'; readonly page: SitePage; readonly fragment: string }
  | { readonly kind: 'file' }
  /** Another site, a template, or a page that a program makes. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'missing' }

type Place = Pick<SitePage, 'site' | 'mount' | 'path' | 'routes'>

const unknown: Resolved = { kind: 'unknown' }
const missing: Resolved = { kind: 'missing' }
const file: Resolved = { kind: 'file' }
/** Files that builds and plugins write beside the pages. */
const madeFile = /\/(?:llms[^/]*\.txt|sitemap[^/]*\.xml|(?:rss|atom|feed|index)\.(?:xml|json|rss)|robots\.txt)$/

export function resolve(index: SiteIndex, from: Place, url: string): Resolved {
  const { written, fragment } = split(url)
  if (isForeign(written)) return unknown
  const found = written === '' ? self(index, from, url) : find(index, from, decodeAddress(written))
  return typeof found === 'string' ? { kind: 'page', page: pageAt(index, found), fragment } : found
}

/** Resolves an address that begins at the root of the site. */
export function resolveRooted(index: SiteIndex, site: Site, url: string): Resolved {
  const mount = site.mounts[0] ?? { folder: site.root, routes: [''] }
  return resolve(index, { site, mount, path: posix.join(mount.folder, '-'), routes: [''] }, url)
}

function split(url: string): { readonly written: string; readonly fragment: string } {
  const address = url.trim()
  const at = address.indexOf('#')
  const before = at === -1 ? address : address.slice(0, at)
  const query = before.indexOf('?')
  return { written: query === -1 ? before : before.slice(0, query), fragment: at === -1 ? '' : address.slice(at + 1) }
}

/** An address of another site, an alias, a template, or a word in the place of an address. */
function isForeign(written: string): boolean {
  if (/^(?:[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|url)$/.test(written)) return true
  return /^(?:[a-z][\w+.-]*:|\/\/|[@~])|[{}<>$`|\\]|%7B|\s/i.test(written)
}

function self(index: SiteIndex, { path }: Place, url: string): string | Resolved {
  return url.includes('#') && index.page(path) ? path : unknown
}

function pageAt(index: SiteIndex, path: string): SitePage {
  const page = index.page(path)
  if (!page) throw new Error('A path was found that is no page.')
  return page
}

/** Returns the path of a page, or what else was found. */
function find(index: SiteIndex, from: Place, written: string): string | Resolved {
  if (!written.startsWith('/')) return findRelative(index, from, written)
  const { site } = from
  const bare = site.base !== '' && `${written}/`.startsWith(`${site.base}/`) ? written.slice(site.base.length) : written
  const name = posix.normalize(`/${bare}`)
  const found = findRoute(index, site, name) ?? findFile(index, site, name.slice(1))
  if (found) return found
  return isMade(index, from, name, true) ? unknown : missing
}

/** Whether the address may be served although no file of the repository has it. */
function isMade(index: SiteIndex, { site, mount }: Place, name: string, isRooted: boolean): boolean {
  if (madeFile.test(name) || isRedirected(site, name) || site.isGenerated(routeOf(name), isRooted)) return true
  return [mount.folder, ...site.assets].some((folder) => index.isUntracked(posix.join(folder, trimSlash(name))))
}

function findRelative(index: SiteIndex, from: Place, written: string): string | Resolved {
  const { site, mount, path, routes } = from
  const target = trimSlash(posix.join(posix.dirname(path), written))
  const byPath = target.startsWith('..') ? undefined : findPath(index, target)
  if (byPath) return byPath
  const [route = ''] = routes
  // A page may be served with or without a slash at its end, and what is relative to it changes with that.
  for (const folder of [route === '' ? '/' : route, posix.dirname(route === '' ? '/' : route)]) {
    const name = posix.join(folder, written)
    const found = findRoute(index, site, name) ?? findFile(index, site, name.replace(/^\//, ''))
    if (found) return found
    if (isMade(index, from, name, false)) return unknown
  }
  // Docusaurus also looks for a file from the folder of its pages, and a program makes HTML from the files of a plain site.
  const fromMount = site.kind === 'docusaurus' && /\.mdx?$/i.test(written) && posix.join(mount.folder, written)
  const byMount = fromMount ? findPath(index, fromMount) : undefined
  if (byMount) return byMount
  if (index.isUntracked(target) || (site.kind === 'plain' && /\.html?$/i.test(written))) return unknown
  // Another program serves the files above the pages.
  if (target.startsWith('..') || (site.kind !== 'plain' && inside(mount.folder, target) === undefined)) return unknown
  return missing
}

function findPath(index: SiteIndex, target: string): string | Resolved | undefined {
  for (const path of [target, ...pagePaths(target)]) {
    if (index.page(path)) return path
    if (index.has(path)) return file
  }
  return index.hasFolder(target) ? file : undefined
}

function findRoute(index: SiteIndex, site: Site, name: string): string | undefined {
  const route = routeOf(name)
  const found = index.at(site, route)[0] ?? site.fallbacks(route).flatMap((other) => index.at(site, other))[0]
  return found?.path
}

function findFile(index: SiteIndex, site: Site, name: string): string | Resolved | undefined {
  for (const folder of [...site.assets, ...site.mounts.map((mount) => mount.folder)]) {
    const path = posix.join(folder, trimSlash(name))
    if (index.page(path)) return path
    if (path !== '.' && index.has(path)) return file
  }
  return undefined
}

/** `/guides/a` for `/guides/a/`, `/guides/a.html` and `/guides/a.md`. */
export function routeOf(name: string): string {
  return trimSlash(name)
    .replace(/\.(?:html|mdx?)$/i, '')
    .replace(/(?:^|\/)index$/i, '')
    .replace(/^(?!\/|$)/, '/')
}

function isRedirected({ redirects }: Site, name: string): boolean {
  const route = routeOf(name)
  return redirects.some((redirect) => covers(redirect, route))
}

function covers({ source }: Redirect, route: string): boolean {
  const at = source.search(/[:*(]/)
  if (at === -1) return routeOf(source) === route
  if (/[*(]/.test(source)) return route.startsWith(trimSlash(source.slice(0, at)))
  // `:name` is one part of an address.
  const [wanted, parts] = [routeOf(source).split('/'), route.split('/')]
  return wanted.length === parts.length && wanted.every((part, index) => part.startsWith(':') || part === parts[index])
}

function trimSlash(path: string): string {
  return path.endsWith('/') ? path.replace(/\/+$/, '') : path
}
