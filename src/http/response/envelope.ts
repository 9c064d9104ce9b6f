// Wraps every response: adds the request id and the security headers, and records one log line, metrics and a span.
// These records never contain a query, a header or a body.

import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import { createId } from '../../lib/id.ts'
import { type OpenSpan, span } from '../../lib/observability/trace.ts'
import type { Principal } from '../../projects/keys.ts'
import { createClientAddress, createPeerTrust } from '../request/address/client-address.ts'
import { type AppContext, type AppDeps, type AppEnv, bindingsOf } from '../context.ts'

/** Set unless the response sets them. Keys are for servers, so no other origin may read a response. */
export const defaultHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
} as const
const defaults = Object.entries(defaultHeaders)

type Options = Pick<AppDeps, 'log' | 'metrics' | 'trustedProxies' | 'unusedForwards'>

export function wrapResponses({ log, metrics, trustedProxies, unusedForwards }: Options) {
  const record = createRecorder({ log, metrics })
  const clientAddress = createClientAddress(trustedProxies, unusedForwards)
  const isTrusted = createPeerTrust(trustedProxies)
  return createMiddleware<AppEnv>(async (c, next) => {
    const start = performance.now()
    const peer = peerOf(c)
    const { method } = c.req
    c.set('requestId', createId('req'))
    const forwardedFor = c.req.header('X-Forwarded-For')
    c.set('address', bindingsOf(c).address ?? clientAddress({ peer, forwardedFor }))
    // Anyone can send a traceparent; only that of a trusted proxy is continued.
    const parent = isTrusted(peer) ? c.req.header('traceparent') : undefined
    const work = async (open: OpenSpan) => {
      await next()
      setHeaders(c)
      record(describe(c), { ms: performance.now() - start, address: c.get('address'), open })
    }
    await span(method, { 'http.request.method': method }, work, { kind: 'server', parent })
  })
}

type Seen = {
  readonly method: string
  /** The pattern, never the path. */
  readonly route: string
  readonly status: number
  readonly requestId: string
  readonly principal?: string | undefined
  readonly projectId?: string | undefined
  readonly jobId?: string | undefined
}

type Circumstances = { readonly ms: number; readonly address: string | undefined; readonly open: OpenSpan }

/** Records a response: one log line, metrics, and the attributes of its span. */
export function createRecorder({ log, metrics }: Pick<Options, 'log' | 'metrics'>) {
  return (seen: Seen, { ms, address, open }: Circumstances): void => {
    const { method, route, status } = seen
    log.info({ ...seen, ms: Math.round(ms), address }, 'request')
    metrics.request({ method, route, status, seconds: ms / 1_000 })
    open.rename(`${method} ${route}`)
    open.set(toAttributes(seen))
    if (status >= 500) open.fail(String(status))
  }
}

export function peerOf(c: AppContext): string | undefined {
  return bindingsOf(c).incoming?.socket.remoteAddress
}

function setHeaders(c: AppContext): void {
  const { headers } = c.res
  headers.set('X-Request-Id', c.get('requestId'))
  for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value)
}

function describe(c: AppContext): Seen {
  const principal: Principal | undefined = c.get('principal')
  const projectId: string | undefined = c.get('projectId')
  return {
    method: c.req.method,
    route: matchedRoutes(c).findLast((route) => route.method !== 'ALL')?.path ?? 'none',
    status: c.res.status,
    requestId: c.get('requestId'),
    principal: principal?.id,
    projectId,
    jobId: projectId && findJobId(c.req.path, c.res.headers.get('Location')),
  }
}

/** The job in the path, or the one that the request created. */
function findJobId(path: string, location: string | null): string | undefined {
  return /\/(job_[0-9a-z]{20})(?:[/\n]|$)/.exec(`${path}\n${location ?? ''}`)?.[1]
}

function toAttributes(seen: Seen) {
  return {
    'http.route': seen.route,
    'http.response.status_code': seen.status,
    'docent.request.id': seen.requestId,
    'docent.project.id': seen.projectId,
    'docent.job.id': seen.jobId,
  }
}
