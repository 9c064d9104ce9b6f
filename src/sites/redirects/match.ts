// Whether a redirect covers an address, as its host matches it: Netlify and Cloudflare (`*`, `:name`), Vercel and Mintlify
// (`:path*`, `:path+`, `:id(\\d+)`, `(regex)`). A group is never run as the expression that it is: it covers one part of an
// address if it clearly does, and otherwise anything.

import { escapePattern } from '../../lib/plain-text.ts'
import { routeOf, trimSlash } from '../address.ts'
import type { Made, Redirect, Site } from '../site.ts'

const one = '\u0001'
const any = '\u0002'
/** With more of them a match could take long: the rest of the pattern counts as anything. */
const mostAny = 2
/** A pattern may cover any longer address. */
const maxAddress = 300
/** Groups that cover a part of an address: `\d+`, `[^/]+`, `\w{2}`, `en|de`, `(?!en|de)[^/]+`. */
const onePart =
  /^(?:\?:)?(?:\(\?![\w|-]+\))?(?:(?:\\{1,2}[dw]|\[\^?[\w/-]*\])(?:[+*]|\{\d+(?:,\d*)?\})?|[\w-]+(?:\|[\w-]+)*)$/

export function isPattern(source: string): boolean {
  return /[:*(]/.test(source)
}

/**
 * Returns the target that the redirects of a site give to a missing page. One that names the address itself leads somewhere; one with a
 * pattern or a condition may. The page that a host shows for all that is missing, such as `/* /index.html 200`, leads nowhere.
 */
export function redirectedAt({ redirects, base }: Pick<Site, 'redirects' | 'base'>, name: string): Made | undefined {
  const names = base === '' ? [name] : [name, base + name]
  const found = redirects.filter((redirect) => !isFallback(redirect) && names.some((at) => covers(redirect, at)))
  if (found.some(({ source, isConditional }) => !isPattern(source) && isConditional !== true)) return 'page'
  return found.length > 0 ? 'redirect' : undefined
}

function covers({ source }: Redirect, name: string): boolean {
  const route = routeOf(name)
  if (!isPattern(source)) return routeOf(source) === route
  const words = /^[^(]*\(([\w-]+(?:\|[\w-]+)*)\)(?![?*])[^(]*$/.exec(source)?.[1]?.toLowerCase().split('|')
  if (words?.every((word) => !name.toLowerCase().includes(word))) return false
  const pattern = toExpression(source)
  return [trimSlash(name), route].some((at) => at.length > maxAddress || pattern.test(at))
}

/** The page for what is missing, and the only page of an app. */
function isFallback({ source, destination = '', status }: Redirect): boolean {
  if (status === 404) return true
  const isOwn = destination.startsWith('/') && !/[:$]/.test(destination)
  return status === 200 && isOwn && toTokens(source) === `/${any}`
}

function toExpression(source: string): RegExp {
  const parts = trimSlash(toTokens(source)).split(any)
  const isShort = parts.length > mostAny + 1
  const kept = isShort ? [...parts.slice(0, mostAny), ''] : parts
  const [first = '', ...others] = kept.map((part) => part.split('/').map(toPart).join('/'))
  const rest = others.map((part) => `[^]*${part}`).join('')
  // `/old/*` covers `/old`, too.
  const isBelow = first.endsWith('/') && rest === '[^]*'
  return new RegExp(isBelow ? `^${first.slice(0, -1)}(?:/[^]*)?$` : `^${first}${rest}$`, 'i')
}

/** Two placeholders in one part of an address cover what one covers. */
function toPart(text: string): string {
  const [before, ...others] = text.split(one)
  if (before === undefined || others.length === 0) return escapePattern(text)
  return `${escapePattern(before)}[^/]+${escapePattern(others.at(-1) ?? '')}`
}

/** The pattern with a mark for each placeholder: of one part, or of anything. */
function toTokens(source: string): string {
  let found = ''
  for (let at = 0; at < source.length;) {
    const name = /^:\w+/.exec(source.slice(at, at + 100))?.[0] ?? ''
    const group = groupAt(source, at + name.length)
    const written = name + group
    const repeat =
      written === '' ? undefined : /^[*+?]/.exec(source.slice(at + written.length, at + written.length + 1))
    if (written === '') found += source[at] === '*' ? any : (source[at] ?? '')
    else if (repeat && repeat[0] !== '?') found += any
    else found += repeat || (group !== '' && !onePart.test(group.slice(1, -1))) ? any : one
    at += Math.max(1, written.length + (repeat ? 1 : 0))
  }
  return found.replace(new RegExp(`${any}{2,}`, 'g'), any)
}

/** A group with the groups in it; the rest of the text if it does not end. */
function groupAt(source: string, start: number): string {
  if (source[start] !== '(') return ''
  let depth = 0
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '(') depth += 1
    else if (source[at] === ')') depth -= 1
    if (depth === 0) return source.slice(start, at + 1)
  }
  return source.slice(start)
}
