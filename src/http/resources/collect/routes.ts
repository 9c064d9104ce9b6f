// Page views from browsers, without a key. The id of a site is public; the site's origins say which pages may report.
// Anyone can send requests here, so every request is cheap and bounded.

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { parseBrowserView, pickHeaders } from '../../../analytics/collect/parse.ts'
import type { CollectingSite } from '../../../analytics/collect/projects.ts'
import { networkOf } from '../../../analytics/collect/identify.ts'
import { type DropReason, dropReasons } from '../../../analytics/page-view.ts'
import { Failure, invalidInput } from '../../../lib/failure.ts'
import type { App, AppContext, AppDeps } from '../../context.ts'
import { describeCollect } from './contract.ts'
import { decodeText, readBody, refuseDeep } from '../../request/body.ts'

const path = '/v1/collect/:siteId'
const bodyRule = { maxBytes: 32 * 1024, types: ['application/json', 'text/plain'], gzip: true }

export function addCollectRoutes(app: App, deps: AppDeps): void {
  describeCollect(app)
  const limiter = new RateLimiterMemory({ points: deps.limits.collectsPerMinute, duration: 60 })
  app.options(path, (c) => {
    allowOrigins(c)
    c.header('Access-Control-Allow-Methods', 'POST')
    c.header('Access-Control-Allow-Headers', 'Content-Type')
    c.header('Access-Control-Max-Age', '86400')
    return c.body(null, 204)
  })
  app.post(path, async (c) => {
    allowOrigins(c)
    const siteId = c.req.param('siteId')
    const site = await findSite(deps, siteId)
    checkOrigin(c, site)
    await count(c, limiter, siteId)
    const view = await readView(c, deps, siteId)
    const { dropped } = await deps.ingest.collect(site.project, [view])
    return respond(c, dropped[0]?.reason)
  })
}

/** Responses contain no secrets, and cookies are never read. */
function allowOrigins(c: AppContext): void {
  c.header('Access-Control-Allow-Origin', '*')
  c.header('Cross-Origin-Resource-Policy', 'cross-origin')
}

async function findSite({ ingest }: AppDeps, siteId: string): Promise<CollectingSite> {
  const site = /^site_[0-9a-z]{20}$/.test(siteId) ? await ingest.findSite(siteId) : undefined
  if (!site) throw new Failure('not_found', 'There is no such site.')
  return site
}

/** Browsers send `Origin` with every POST. */
function checkOrigin(c: AppContext, { origins }: CollectingSite): void {
  if (origins.has(c.req.header('Origin') ?? '')) return
  throw new Failure('forbidden', 'The site accepts no page views from this origin.')
}

async function count(c: AppContext, limiter: RateLimiterMemory, siteId: string): Promise<void> {
  try {
    await limiter.consume(`${siteId} ${networkOf(c.get('address') ?? '') ?? ''}`)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000))
    throw new Failure('rate_limited', 'Too many page views from this address.', { retryAfter })
  }
}

async function readView(c: AppContext, { analytics }: AppDeps, siteId: string) {
  const text = decodeText(await readBody(c, bodyRule))
  refuseDeep(text)
  const parsed = parseBrowserView(parseJson(text), {
    siteId,
    time: analytics.clock.now().getTime(),
    userAgent: (c.req.header('User-Agent') ?? '').slice(0, 1_024),
    address: c.get('address'),
    ...pickHeaders(Object.entries(c.req.header())),
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

/** Opting out and prefetching are not errors of the page. */
function respond(c: AppContext, reason: DropReason | undefined): Response {
  if (reason === undefined) return c.body(null, 202)
  if (reason === 'opted_out' || reason === 'prefetch') return c.body(null, 204)
  if (reason === 'foreign_host') throw new Failure('forbidden', 'The page is on a host that the site does not have.')
  throw new Failure('invalid_input', `The page view is rejected: ${dropReasons[reason]}.`)
}
