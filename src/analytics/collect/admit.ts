// Decides whether a reported page view counts: a page, of this project, at a time that the project keeps. The first
// reason against it wins. Pure: knows no store, and no clock except the time that it gets.

import { normalisePath } from './path.ts'
import { type DropReason, type RawPageView, type Representation, statusCounted } from '../page-view.ts'
import { asksForMarkdown } from '../classify/markdown.ts'

export type Admission = {
  /** Milliseconds: the oldest time that is kept, and now. */
  readonly keptSince: number
  readonly now: number
  /** Hosts of the project's sites, lower case; empty: it has no sites, and any host will do. */
  readonly hosts: ReadonlySet<string>
  /** Those of sites that honour Global Privacy Control and Do Not Track. */
  readonly hostsWithOptOut: ReadonlySet<string>
}

/** A page view as far as it goes without knowing who saw it. */
export type Page = {
  readonly path: string
  readonly representation: Representation
  readonly status: number
}

export type Admitted = { readonly page: Page } | { readonly dropped: DropReason }

/** Clocks differ: this far ahead of ours a time is taken as it is. */
const maxAheadMs = 5 * 60_000

export function admit(view: RawPageView, rules: Admission): Admitted {
  const dropped = findReason(view, rules)
  if (dropped) return { dropped }
  const path = normalisePath(view.path)
  if (path === undefined) return { dropped: 'path_too_long' }
  const representation = asksForMarkdown(view) ? 'markdown' : 'html'
  return { page: { path, representation, status: view.status ?? 200 } }
}

function findReason(view: RawPageView, { keptSince, now, hosts, hostsWithOptOut }: Admission): DropReason | undefined {
  if (view.time < keptSince) return 'too_old'
  if (view.time > now + maxAheadMs) return 'in_future'
  if (view.host !== undefined && hosts.size > 0 && !hosts.has(view.host)) return 'foreign_host'
  if (view.optedOut && isHonoured(view, hostsWithOptOut)) return 'opted_out'
  if (isPrefetch(view)) return 'prefetch'
  const reason = findRequestReason(view)
  // A page in a browser reports itself: what it is called is its own business.
  return reason === 'not_a_page' && view.source === 'browser' ? undefined : reason
}

/** Of a view that names no host, nobody knows of which site it is: then one that honours it is enough. */
function isHonoured({ host }: RawPageView, hostsWithOptOut: ReadonlySet<string>): boolean {
  return host === undefined ? hostsWithOptOut.size > 0 : hostsWithOptOut.has(host)
}

type Request = Pick<RawPageView, 'method' | 'status' | 'path'>

/** What the request says by itself, whatever the project: so are logs judged where they lie. */
export function findRequestReason({ method, status, path }: Request): 'method' | 'status' | 'not_a_page' | undefined {
  if (method !== undefined && method !== 'GET') return 'method'
  if (status !== undefined && !statusCounted(status)) return 'status'
  return isAsset(path) ? 'not_a_page' : undefined
}

/** `Sec-Purpose: prefetch;prerender`, `Purpose: prefetch`, `X-Moz: prefetch`. */
function isPrefetch({ signals }: RawPageView): boolean {
  return (['sec-purpose', 'purpose', 'x-moz'] as const).some((name) => /prefetch|prerender/i.test(signals[name] ?? ''))
}

const assets =
  /\.(?:avif|atom|bmp|br|cjs|css|csv|eot|gif|gz|ico|jpe?g|js|json|jsonld|map|mjs|mp3|mp4|ogg|otf|pdf|png|rss|svg|tar|tgz|tiff?|ts|ttf|txt|wasm|wav|webm|webmanifest|webp|woff2?|xml|xsl|ya?ml|zip)$/i
const textsForAgents = /(?:^|\/)llms(?:-[\w-]+)?\.txt$/i
/** Of the server itself, never of its author. */
const machinery = /^\/(?:\.well-known|cdn-cgi|_next\/(?:static|data|image)|_nuxt|_astro|_app\/immutable)(?:\/|$)/

function isAsset(raw: string): boolean {
  const [path = ''] = raw.split(/[?#]/, 1)
  return machinery.test(path) || (assets.test(path) && !textsForAgents.test(path))
}
