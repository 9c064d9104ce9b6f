// The addresses that the files of Next.js make, for the kinds of sites that are built with it: pages that are components,
// and everything below a dynamic segment, except the route that serves the pages of the site.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import type { ConfigString } from '../config-strings.ts'
import { outermost, readStrings } from '../found-strings.ts'
import type { Redirect, Site, SiteFiles } from '../site.ts'

export type NextConfig = {
  readonly text: string
  readonly strings: readonly ConfigString[]
  readonly base: string
  readonly redirects: readonly Redirect[]
}

const language = /^\/\[(?:lang|locale|language|lng)\]/

/** Whether the address leaves it to the language of the reader which page it leads to, and names a heading of it. */
export function leavesLanguageOpen(url: string, languages: readonly string[]): boolean {
  return /^\/[^/][^#]*#/.test(url) && !languages.includes(url.split('/', 2)[1] ?? '')
}

export async function readNextConfig(root: string, files: SiteFiles): Promise<NextConfig> {
  const names = ['mjs', 'ts', 'js', 'mts', 'cjs'].map((ending) => posix.join(root, `next.config.${ending}`))
  const config = names.find((name) => files.has(name))
  if (config === undefined) return { text: '', strings: [], base: '', redirects: [] }
  const strings = await readStrings([config], files)
  // Rewrites too: something is at the address.
  const redirects = strings.flatMap(({ keys, value, file, line }): Redirect[] =>
    keys.at(-1) === 'source' && value.startsWith('/') ? [{ file, line, source: value, isConditional: true }] : [],
  )
  const text = (await files.text(config)) ?? ''
  const base = outermost(strings, 'basePath') ?? /\bbasePath:\s*['"](\/[^'"]*)['"]/.exec(text)?.[1] ?? ''
  return { text, strings, base: base.replace(/\/$/, ''), redirects }
}

/** `served`: the addresses below which a catch-all route serves the pages of the site. */
export function createNextMadeAt(root: string, paths: readonly string[], served: readonly string[]): Site['madeAt'] {
  const routes = paths.flatMap((path) => routeOf(inside(root, path) ?? '') ?? [])
  const exact = new Set(routes.filter((route) => !route.includes('[')))
  const open = routes.flatMap((route) => {
    const at = route.indexOf('[')
    const start = route.slice(0, at)
    const isOwn = /^\[\[?\.\.\.\w+\]\]?$/.test(route.slice(at)) && served.includes(start.replace(/\/$/, ''))
    return at === -1 || isOwn ? [] : [start]
  })
  return (route) => {
    if (exact.has(route || '/')) return 'page'
    return open.some((start) => `${route}/`.startsWith(start)) ? 'code' : undefined
  }
}

/** The address of a component or of a route handler; a segment for the language is left out. */
function routeOf(name: string): string | undefined {
  const app = /^(?:src\/)?app\/((?:.*\/)?)(?:page\.(?:[jt]sx?|mdx?)|route\.[jt]s)$/.exec(name)?.[1]
  const page = /^(?:src\/)?pages\/(.*?)(?:(?:^|(?<=\/))index)?\.[jt]sx?$/.exec(name)?.[1]
  const written = app ?? page
  if (written === undefined || (page !== undefined && /^(?:_|api\/)/.test(page))) return undefined
  const parts = written.split('/').filter((part) => part !== '' && !/^(?:\(.*\)|@.*)$/.test(part))
  if (parts.some((part) => part.startsWith('_'))) return undefined
  return `/${parts.join('/')}`.replace(language, '').replace(/^(?!\/)/, '/')
}
