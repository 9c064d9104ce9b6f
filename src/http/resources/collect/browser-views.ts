// Takes page views from browsers: finds the site, checks the origin, counts the request, parses the body, and collects the
// page view. Knows no transport.

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { parseBrowserView, pickHeaders } from '../../../analytics/collect/parse.ts'
import type { CollectingSite } from '../../../analytics/collect/projects.ts'
import { networkOf } from '../../../analytics/collect/identify.ts'
import { type DropReason, dropReasons } from '../../../analytics/page-view.ts'
import { Failure, invalidInput } from '../../../lib/failure.ts'
import type { AppDeps } from '../../context.ts'
import { createCountryHeader } from '../../request/address/country-header.ts'
import { decodeText, refuseDeep } from '../../request/body.ts'

export const browserBody = { maxBytes: 32 * 1024, types: ['application/json', 'text/plain'], gzip: true }

export type BrowserPost = {
  readonly siteId: string
  readonly address: string | undefined
  /** The address of the connection. */
  readonly peer: string | undefined
  /** In lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  /** Reads the body, which may be refused. Called once the site, the origin and the rate are known to be right. */
  readonly readBody: () => Promise<Buffer>
}

/** 202: stored. 204: not counted, which is no error of the page. Throws a Failure for everything else. */
export type TakeBrowserView = (post: BrowserPost) => Promise<202 | 204>

/** The limit of requests is in memory, and lives as long as the function. */
export function createBrowserViews({
  ingest,
  limits,
  analytics,
  trustedProxies,
  countryHeader,
}: Pick<AppDeps, 'ingest' | 'limits' | 'analytics' | 'trustedProxies' | 'countryHeader'>): TakeBrowserView {
  const limiter = new RateLimiterMemory({ points: limits.collectsPerMinute, duration: 60 })
  const countryOf = createCountryHeader({ trustedProxies, countryHeader })
  return async (post) => {
    const { siteId, address, headers } = post
    const site = /^site_[0-9a-z]{20}$/.test(siteId) ? await ingest.findSite(siteId) : undefined
    if (!site) throw new Failure('not_found', 'There is no such site.')
    checkOrigin(headers['origin'], site)
    await count(limiter, `${siteId} ${networkOf(address ?? '') ?? ''}`)
    const view = toView(await post.readBody(), { ...post, country: countryOf(post) }, analytics.clock.now().getTime())
    const { dropped } = await ingest.collect(site.project, [view])
    return toStatus(dropped[0]?.reason)
  }
}

/** Browsers send `Origin` with every POST. */
function checkOrigin(origin: unknown, { origins }: CollectingSite): void {
  if (typeof origin === 'string' && origins.has(origin)) return
  throw new Failure('forbidden', 'The site accepts no page views from this origin.')
}

async function count(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000))
    throw new Failure('rate_limited', 'Too many page views from this address.', { retryAfter })
  }
}

type LocatedPost = BrowserPost & { readonly country: string | undefined }

function toView(body: Buffer, { siteId, address, country, headers }: LocatedPost, time: number) {
  const text = decodeText(body)
  refuseDeep(text)
  const userAgent = headers['user-agent']
  const parsed = parseBrowserView(parseJson(text), {
    siteId,
    time,
    userAgent: (typeof userAgent === 'string' ? userAgent : '').slice(0, 1_024),
    address,
    country,
    ...pickHeaders(Object.entries(headers)),
  })
  if ('view' in parsed) return parsed.view
  throw new Failure('invalid_input', `The page view is rejected: ${parsed.invalid}.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidInput('#', 'is not JSON')
  }
}

function toStatus(reason: DropReason | undefined): 202 | 204 {
  if (reason === undefined) return 202
  // A page that the server sent with an error is no view, and no fault of the page either.
  if (reason === 'opted_out' || reason === 'prefetch' || reason === 'status') return 204
  if (reason === 'foreign_host') throw new Failure('forbidden', 'The page is on a host that the site does not have.')
  throw new Failure('invalid_input', `The page view is rejected: ${dropReasons[reason]}.`)
}
