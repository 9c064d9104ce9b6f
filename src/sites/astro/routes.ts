// The addresses that files in `src/pages` make. A dynamic route is known if it asks for one collection, and gives the id of
// each entry as its only parameter; otherwise nobody knows what is below it.

import { inside } from '../../docs-syntax/links.ts'
import { escapePattern } from '../../lib/plain-text.ts'
import { type FoundString, outermost } from '../found-strings.ts'
import type { Redirect, Site } from '../site.ts'
import { withoutComments } from './collections.ts'

/** `address`: `/docs/[...slug]`. */
export type Route = { readonly path: string; readonly address: string }

export function findRoutes(pages: string, paths: readonly string[]): Route[] {
  return paths.flatMap((path) => {
    const name = inside(pages, path)
    if (name === undefined || /(?:^|\/)[_.]/.test(name) || !/\.(?:astro|html|mdx?|markdown|[jt]s)$/.test(name))
      return []
    return [{ path, address: `/${name.replace(/(?:(?:^|\/)index)?\.\w+$/, '')}` }]
  })
}

/** `others`: addresses that something else serves. Only a route in a script makes images: the others make HTML. */
export function createMadeAt(routes: readonly Route[], others: readonly string[]): Site['madeAt'] {
  const [fixed, open] = [routes.filter(isFixed), routes.filter((route) => !isFixed(route))]
  const exact = new Set([...fixed.map(({ address }) => address), ...others])
  const patterns = open.map(({ path, address }) => ({
    isPage: path.endsWith('.astro'),
    pattern: toExpression(address),
  }))
  return (route) => {
    if (exact.has(route || '/')) return 'page'
    const isImage = /\.(?:png|jpe?g|gif|svg|webp|avif|ico)$/i.test(route)
    return patterns.some(({ isPage, pattern }) => !(isImage && isPage) && pattern.test(route)) ? 'code' : undefined
  }
}

/** `first`: the id of the entry that is served at the address before the parameter itself. */
export type Serves = { readonly name: string; readonly below: string; readonly first: string }

/** The collection whose entries the route serves, each at its id below the address before the parameter. */
export function collectionOf({ address }: Route, written: string): Serves | undefined {
  const [, below, parameter = ''] = /^((?:\/[^/[]+)*)\/\[(?:\.\.\.)?(\w+)\]$/.exec(address) ?? []
  if (below === undefined) return undefined
  const text = withoutComments(written).replaceAll('`', "'")
  const found = text.includes('getStaticPaths') ? listed(text, parameter) : asked(text, parameter)
  return found && { below, ...found }
}

type Found = Pick<Serves, 'name' | 'first'> | undefined

/** `params: { slug: entry.id }` for the entries of one collection. */
function listed(text: string, parameter: string): Found {
  const start = text.indexOf('getStaticPaths')
  const end = text.indexOf('\n}', start)
  const body = text.slice(start, end === -1 ? text.length : end)
  const [name, ...others] = new Set(namesIn(body, /\bgetCollection\(\s*['"]([\w-]{1,60})['"]/g))
  const [params, ...more] = namesIn(body, /\bparams\s*:\s*\{([^{}]*)\}/g)
  const isComputed = /\.(?:id|slug)\s*=[^=]|\b(?:Set|Map|flatMap|reduce|paginate)\(/.test(body)
  if (name === undefined || params === undefined || isComputed || others.length + more.length > 0) return undefined
  const [key = '', value = key] = params
    .replace(/,\s*$/, '')
    .split(/:(.*)/s, 2)
    .map((one) => one.trim())
  if (key !== parameter) return undefined
  const [, id, first = 'index'] =
    /^((?:\w+\.)?(?:id|slug))(?: *(?:\|\||\?\?) *undefined| *===? *['"]([\w/-]+)['"] *\? *undefined *: *\1)?$/.exec(
      value,
    ) ?? []
  // Without an object before it, the id is a part of the entry, and not another constant.
  const isOfEntry =
    id?.includes('.') || new RegExp(String.raw`\(\{[^(){}]{0,200}\b${id}\b[^(){}]{0,200}\}\)\s*=>`).test(body)
  return id !== undefined && isOfEntry ? { name, first } : undefined
}

/** A page that a server makes: `getEntry('docs', slug)`. */
function asked(text: string, parameter: string): Found {
  const asks = new RegExp(
    String.raw`\bgetEntry(?:BySlug)?\(\s*['"]([\w-]{1,60})['"]\s*,\s*(?:Astro\.params\.)?${parameter}!?\s*,?\s*\)`,
    'g',
  )
  const [name, ...others] = new Set(namesIn(text, asks))
  return name !== undefined && others.length === 0 && text.includes('Astro.params')
    ? { name, first: 'index' }
    : undefined
}

export function baseOf(strings: readonly FoundString[]): string {
  const base = (outermost(strings, 'base') ?? '').replace(/^\/|\/$/g, '')
  return base === '' ? '' : `/${base}`
}

/** The entry of `redirects` that the string is the destination of: `/old/[...slug]`. `isWhole`: the file has nothing else. */
export function toRedirect({ keys, file, line }: FoundString, isWhole = false): Redirect[] {
  const source = keys[isWhole ? keys.findIndex((key) => key.startsWith('/')) : keys.indexOf('redirects') + 1]
  if (!source?.startsWith('/') || !(isWhole || keys.includes('redirects'))) return []
  return [{ file, line, source: source.replace(/\[\.\.\.(\w+)\]/g, ':$1*').replace(/\[(\w+)\]/g, ':$1') }]
}

function isFixed({ address }: Route): boolean {
  return !address.includes('[')
}

/** `/docs/[...slug]` fits `/docs`, too. Each part has one placeholder, and the address two, so that no match takes long. */
function toExpression(address: string): RegExp {
  let rests = 0
  const parts = address
    .split('/')
    .slice(1)
    .map((part) => {
      const isRest = part.includes('[...')
      rests += isRest ? 1 : 0
      if (rests > 1) return isRest ? '.*' : ''
      const [before = '', after = '', ...more] = part.split(/\[[^\]]*\]/).map(escapePattern)
      if (!part.includes('[')) return `/${before}`
      const any = isRest ? '.*' : '[^/]+'
      const one = more.length > 0 ? `/${any}` : `/${before}${any}${after}`
      return isRest && before + after === '' ? `(?:${one})?` : one
    })
  return new RegExp(`^${parts.join('')}$`)
}

function namesIn(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, name = '']) => name)
}
