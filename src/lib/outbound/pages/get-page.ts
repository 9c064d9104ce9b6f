// Reads a page of the web without credentials and cookies, at checked addresses of its host. The caller has judged the
// address, and judges each redirect. Names are resolved once for each request, and the connection is pinned to the result.

import type { IncomingHttpHeaders } from 'node:http'
import { exchange, type Exchanged } from '../exchange.ts'
import { type Resolve, resolveHost, systemResolve } from '../resolve.ts'
import { refusedHost, webHost } from '../web-host.ts'

export type PageRequest = {
  readonly url: URL
  /** Returns why a redirect may not be followed, as the end of a sentence; undefined if it may. */
  readonly refuseRedirect: (target: URL, from: URL) => Promise<string | undefined>
}

export type PageNetwork = {
  /** `host` or `host:port` that may be private, an IP literal, or plain http. */
  readonly privateHosts: readonly string[]
  readonly resolve?: Resolve | undefined
  readonly limits?: PageLimits
}

/** `deadlineMs`: for all redirects together. `maxBytes`: of one response. */
export type PageLimits = { readonly deadlineMs: number; readonly maxBytes: number }

export type GotPage =
  /** Any status except a redirect. `url`: after the redirects. */
  | {
      readonly kind: 'response'
      readonly url: URL
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly body: Buffer
    }
  /** `status`: of the redirect that was not followed; null without a response. `reason`: the end of a sentence. */
  | { readonly kind: 'failed'; readonly url: URL; readonly status: number | null; readonly reason: string }

export const pageLimits: PageLimits = { deadlineMs: 10_000, maxBytes: 2_000_000 }
const mostRedirects = 5

const headers = {
  accept:
    'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.9, application/json;q=0.8, */*;q=0.1',
  'accept-encoding': 'identity',
  'user-agent': 'docent',
} as const

/** Throws only the reason of `signal`, and what `refuseRedirect` throws. */
export async function getPage(request: PageRequest, network: PageNetwork, signal: AbortSignal): Promise<GotPage> {
  const limits = network.limits ?? pageLimits
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), limits.deadlineMs)
  const context: Context = { ...request, ...network, limits, signal: AbortSignal.any([signal, ended.signal]) }
  try {
    return await follow(context)
  } catch (error) {
    signal.throwIfAborted()
    if (!ended.signal.aborted) throw error
    const reason = `there was no whole response in ${limits.deadlineMs / 1000} seconds`
    return { kind: 'failed', url: request.url, status: null, reason }
  } finally {
    clearTimeout(timer)
  }
}

type Context = PageRequest & PageNetwork & { readonly limits: PageLimits; readonly signal: AbortSignal }

async function follow(context: Context): Promise<GotPage> {
  let { url } = context
  for (let hops = 0; hops <= mostRedirects; hops += 1) {
    const done = await ask(context, url)
    if ('reason' in done) return { kind: 'failed', url, status: null, reason: done.reason }
    const target = redirectOf(done, url)
    if (target === undefined) return { ...done, kind: 'response', url }
    const { status } = done
    if (target === null) return { kind: 'failed', url, status, reason: 'it redirects to no address of the web' }
    const refused = await context.refuseRedirect(target, url)
    if (refused !== undefined) {
      return { kind: 'failed', url, status, reason: `it redirects to ${target.href}, and ${refused}` }
    }
    url = target
  }
  return { kind: 'failed', url, status: null, reason: 'it redirects again and again' }
}

type Whole = Extract<Exchanged, { kind: 'whole' }>

async function ask(context: Context, url: URL): Promise<Whole | { readonly reason: string }> {
  const { privateHosts, resolve = systemResolve, limits, signal } = context
  const host = webHost(url, privateHosts)
  const refused = refusedHost(url, host)
  if (refused !== undefined) return { reason: refused }
  const found = await resolveHost(host, resolve, signal)
  if (found.kind === 'refused') return { reason: lowerFirst(found.reason.replace(/\.$/, '')) }
  const { addresses } = found
  const done = await exchange({ url, method: 'GET', headers, body: undefined, secret: '', addresses, limits }, signal)
  return done.kind === 'whole' ? done : { reason: done.reason }
}

/** Undefined: no redirect. null: one that leads nowhere. */
function redirectOf({ status, headers: { location } }: Whole, from: URL): URL | null | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const target = location === undefined ? null : URL.parse(location, from.href)
  return target && /^https?:$/.test(target.protocol) ? target : null
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}
