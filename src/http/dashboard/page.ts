// The page of the dashboard: the same for every address, because the dashboard finds the rest from the address bar. The
// addresses of its files get the path under which the service is published.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppContext } from '../context.ts'
import { matchesTag } from '../request/conditional.ts'
import { preferredType } from '../request/negotiation.ts'

/** Files of the service and nothing else. Styles that scripts set on elements are not judged by it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')

const types = ['application/problem+json', 'application/json', 'text/html'] as const
/** Addresses that never are a page of the dashboard. */
const reserved = /^\/(?:v1|v2|assets|local)\//

/** `folder`: the build. `prefix`: without a trailing slash. */
export function createDashboardPage(folder: string, prefix: string): (c: AppContext) => Response {
  const text = readFileSync(join(folder, 'index.html'), 'utf8').replaceAll('="./', `="${prefix}/`)
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  return (c) => {
    c.header('ETag', tag)
    c.header('Cache-Control', 'no-cache')
    c.header('Vary', 'Accept')
    c.header('Content-Security-Policy', policy)
    return matchesTag(c.req.header('If-None-Match'), tag) ? c.body(null, 304) : c.html(text)
  }
}

/** Is this request a person's, for a page? */
export function isForPage(c: AppContext): boolean {
  return (
    ['GET', 'HEAD'].includes(c.req.method) &&
    !reserved.test(c.req.path) &&
    preferredType(c.req.header('Accept'), types) === 'text/html'
  )
}
