// Parses the address of a link into the form in which it is looked up.

import { posix } from 'node:path'
import { decodePercent } from '../lib/plain-text.ts'
import type { Reason } from './coverage.ts'

export type RootedAddress = {
  readonly kind: 'rooted'
  /** From the root of the site, with a leading slash. */
  readonly name: string
  readonly route: string
  readonly fragment: string
}

export type RelativeAddress = {
  readonly kind: 'relative'
  /** Seen from the folder of the page; it begins with `..` outside of the repository. */
  readonly path: string
  readonly written: string
  readonly fragment: string
}

/** A file that the page names by its path in the repository, or by an id of a page. One of them must exist. */
export type NamedAddress = {
  readonly kind: 'named'
  readonly paths: readonly string[]
  /** Files that only an entry of the navigation may name in this way. */
  readonly listed?: readonly string[]
  readonly ids: readonly string[]
  readonly fragment: string
  /** Why it may be there all the same. */
  readonly otherwise?: Reason | undefined
  /** Whether it means the same in every page that inserts it. */
  readonly isFixed?: boolean
}

export type Address =
  /** An address of another site, or nothing at all. */
  | { readonly kind: 'foreign' }
  /** A template, a word in the place of an address, or an alias of the build. */
  | { readonly kind: 'unread'; readonly reason: Reason }
  /** A place on the page itself. */
  | { readonly kind: 'self'; readonly fragment: string }
  | RootedAddress
  | RelativeAddress
  | NamedAddress

const foreign: Address = { kind: 'foreign' }

/** The page that has the address. */
type Place = { readonly site: { readonly base: string }; readonly path: string }

export function parseAddress({ site: { base }, path }: Place, url: string): Address {
  const address = url.trim()
  const at = address.indexOf('#')
  const [before = ''] = (at === -1 ? address : address.slice(0, at)).split('?', 1)
  const fragment = at === -1 ? '' : address.slice(at + 1)
  if (/^(?:[a-z][\w+.-]*:|\/\/)/i.test(before)) return foreign
  const reason = unreadReason(before)
  if (reason) return { kind: 'unread', reason }
  if (before === '') return at === -1 ? foreign : { kind: 'self', fragment }
  const written = decodePercent(before)
  if (!written.startsWith('/')) {
    return { kind: 'relative', path: trimSlash(posix.join(posix.dirname(path), written)), written, fragment }
  }
  const isInBase = base !== '' && isBelow(base, written)
  const name = posix.normalize(`/${isInBase ? written.slice(base.length) : written}`)
  return { kind: 'rooted', name, route: routeOf(name), fragment }
}

function unreadReason(written: string): Reason | undefined {
  if (/^[@~]/.test(written)) return 'alias'
  const isWord = /^(?:[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|url)$/.test(written)
  const isText = /\s/.test(written) && !/\.\w{2,5}$/.test(written)
  return isWord || isText || /[{}<>$`|\\]|%7B/i.test(written) ? 'template' : undefined
}

/** `/guides/a` for `/guides/a/`, `/guides/a.html` and `/guides/a.md`; a folder may be named `index`. */
export function routeOf(name: string): string {
  const plain = trimSlash(name).replace(/\.(?:html|mdx?|rst)$/i, '')
  return (name.endsWith('/') ? plain : plain.replace(/(?:^|\/)index$/i, '')).replace(/^(?!\/|$)/, '/')
}

/** Whether the route is that of the prefix, or below it. */
export function isBelow(prefix: string, route: string): boolean {
  return `${route}/`.startsWith(`${prefix}/`)
}

export function trimSlash(path: string): string {
  return path.endsWith('/') ? path.replace(/\/+$/, '') : path
}
