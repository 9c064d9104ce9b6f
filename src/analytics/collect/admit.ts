// Decides whether a reported page view counts: a page, of this project, at a time that the project keeps. Returns the
// first reason against it. Pure: knows no store, and no clock except the time that it gets.

import { kindOfRequest } from './target/file-kind.ts'
import { isHealthCheck } from './health.ts'
import { normalisePath } from './path.ts'
import { type DropReason, type RawPageView, type Representation, statusCounted } from '../page-view.ts'
import { asksForMarkdown } from '../classify/markdown.ts'

export type AdmissionRules = {
  /** In milliseconds: the oldest time that the project keeps, and the current time. */
  readonly keptSince: number
  readonly now: number
  /** Hosts of the project's sites, in lower case. Empty: the project has no sites, and any host is accepted. */
  readonly hosts: ReadonlySet<string>
  /** `strict`: opt-outs are honoured on every host. */
  readonly privacy: 'standard' | 'strict'
  /** Hosts of the sites that honour Global Privacy Control and Do Not Track. */
  readonly hostsWithOptOut: ReadonlySet<string>
}

/** The part of a page view that doesn't depend on the visitor. */
export type Page = {
  readonly path: string
  readonly representation: Representation
  readonly status: number
  readonly isDownload: boolean
  readonly referrerPath: string
}

export type AdmissionResult = { readonly page: Page } | { readonly dropped: DropReason }

/** How far in the future a time may be, since clocks differ. */
const maxAheadMs = 5 * 60_000

export function admit(view: RawPageView, rules: AdmissionRules): AdmissionResult {
  const dropped = findReason(view, rules)
  if (dropped) return { dropped }
  const path = normalisePath(view.path)
  if (path === undefined) return { dropped: 'path_too_long' }
  const representation = asksForMarkdown(view) ? 'markdown' : 'html'
  const isDownload = view.source !== 'browser' && kindOfRequest(view) === 'download'
  const referrerPath = view.referrerPath === undefined ? '' : toOwnPath(view.referrerPath, view.referrer, rules)
  return { page: { path, representation, status: view.status ?? 200, isDownload, referrerPath } }
}

/** The pages of other sites are not stored. Without a host, the referring page is of the same site. */
function toOwnPath(path: string, host: string | undefined, { hosts }: AdmissionRules): string {
  return host === undefined || hosts.has(host) ? (normalisePath(path) ?? '') : ''
}

function findReason(
  view: RawPageView,
  { keptSince, now, hosts, privacy, hostsWithOptOut }: AdmissionRules,
): DropReason | undefined {
  if (view.time < keptSince) return 'too_old'
  if (view.time > now + maxAheadMs) return 'in_future'
  if (view.host !== undefined && hosts.size > 0 && !hosts.has(view.host)) return 'foreign_host'
  if (view.optedOut && (privacy === 'strict' || isHonoured(view, hostsWithOptOut))) return 'opted_out'
  if (isPrefetch(view)) return 'prefetch'
  const reason = findRequestReason(view)
  // A page in a browser reports itself, so it is a page even if its name looks like a file or a probe.
  return view.source === 'browser' && (reason === 'not_a_page' || reason === 'health_check') ? undefined : reason
}

/** Checks opt-outs. A page view without a host could be of any site, so one site that honours opt-outs is enough. */
function isHonoured({ host }: RawPageView, hostsWithOptOut: ReadonlySet<string>): boolean {
  return host === undefined ? hostsWithOptOut.size > 0 : hostsWithOptOut.has(host)
}

type Request = Pick<RawPageView, 'method' | 'status' | 'path' | 'userAgent' | 'representation'> & {
  readonly signals?: RawPageView['signals']
}
type RequestReason = 'method' | 'health_check' | 'status' | 'not_a_page'

/** Finds reasons that depend only on the request, so that an import can check lines locally. */
export function findRequestReason(request: Request): RequestReason | undefined {
  const { method, status, path, userAgent } = request
  if (method !== undefined && method !== 'GET') return 'method'
  if (isHealthCheck(path, userAgent)) return 'health_check'
  if (status !== undefined && !statusCounted(status)) return 'status'
  const kind = kindOfRequest(request)
  // A missing file is no broken page.
  return kind === 'asset' || (kind === 'download' && status === 404) ? 'not_a_page' : undefined
}

/** `Sec-Purpose: prefetch;prerender`, `Purpose: prefetch` or `preview`, `X-Moz: prefetch`. */
function isPrefetch({ signals }: RawPageView): boolean {
  return (['sec-purpose', 'purpose', 'x-moz'] as const).some((name) =>
    /prefetch|prerender|preview/i.test(signals[name] ?? ''),
  )
}
