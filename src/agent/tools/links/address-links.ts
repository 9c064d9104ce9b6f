// Links of sites whose links are addresses, as browsers read them: they lead to the page at the address, seen from the address
// of their own page, whatever the names of the files are.

import { posix } from 'node:path'
import { isPagePath } from '../../../docs-syntax/markdown.ts'
import type { PageLink } from '../../../docs-syntax/page.ts'
import { isBelow, parseAddress, routeOf } from '../../../sites/address.ts'
import { namesIn, type NamedPage, type OpenedSites } from './open-sites.ts'
import type { Reference } from './reference.ts'

type Opened = Pick<OpenedSites, 'placeOf' | 'paths'>
/** `page`: the page with the link. `wanted`: a page whose fields are known, too. */
type Written = Pick<PageLink, 'kind' | 'url' | 'start' | 'end'>
type Place = { readonly page: NamedPage; readonly wanted?: NamedPage | undefined }

/** The addresses that the paths give, by site. */
const routes = new WeakMap<readonly string[], ReadonlyMap<string, string>>()

/** Undefined: no page of the site is at the address. */
export function addressReference(opened: Opened, link: Written, { page, wanted }: Place): Reference | undefined {
  const site = opened.placeOf(page.path)?.site
  if (site?.linksAre !== 'addresses' || link.kind === 'image') return undefined
  // A template in HTML has no address of its own.
  const own = namesIn(opened, page)?.address ?? ''
  const address = parseAddress({ site, path: page.path }, link.url)
  if (address.kind !== 'rooted' && (address.kind !== 'relative' || own === '')) return undefined
  if (address.kind === 'relative' && /\.(?:md|markdown)$/i.test(address.written)) return undefined
  const route = address.kind === 'rooted' ? address.route : routeOf(posix.join(own, address.written))
  const isWanted = wanted && opened.placeOf(wanted.path)?.site === site && namesIn(opened, wanted)?.address === route
  const path = isWanted ? wanted.path : routesOf(opened).get(`${site.root} ${route}`)
  if (path === undefined) return undefined
  const [, written = '', suffix = ''] = /^([^?#]*)([^]*)$/.exec(link.url) ?? []
  const isRooted = address.kind === 'rooted'
  const fields = path === wanted?.path ? wanted.fields : null
  const rewrite = (to: string, from = page.path): string => {
    const next = to === path ? route : namesIn(opened, { path: to, fields })?.address
    const start = isRooted ? '/' : namesIn(opened, { ...page, path: from })?.address
    if (next === undefined || start === undefined) return link.url
    const isBased = site.base !== '' && isBelow(site.base, written)
    const name = isRooted ? (isBased ? site.base : '') + next : posix.relative(start, next) || '.'
    return inStyle(written, name) + suffix
  }
  const target = { path, form: 'page', base: '', route: '', isRooted, suffix } as const
  return { start: link.start, end: link.end, target, address: link.url, rewrite }
}

/** With the slash, the ending and the dots of the address before. */
function inStyle(written: string, name: string): string {
  const dots = written.startsWith('./') && !name.startsWith('.') ? './' : ''
  const ending = written.endsWith('/') && !name.endsWith('/') ? '/' : (/\.html$/.exec(written)?.[0] ?? '')
  const encoded = written.includes('%') ? encodeURI(name) : name
  return dots + encoded + (encoded.endsWith('/') && ending !== '/' ? '' : ending)
}

function routesOf(opened: Opened): ReadonlyMap<string, string> {
  const known = routes.get(opened.paths)
  if (known) return known
  const found = new Map<string, string>()
  for (const path of opened.paths.filter(isPagePath)) {
    const address = namesIn(opened, { path, fields: null })?.address
    const root = opened.placeOf(path)?.site.root
    if (address !== undefined && !found.has(`${root} ${address}`)) found.set(`${root} ${address}`, path)
  }
  routes.set(opened.paths, found)
  return found
}
