// What every answer carries, whatever it says: the id of its request and the security headers; and the one line that
// the log gets for it. The line never holds a query, a header or a body.

import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import { createId } from '../lib/id.ts'
import type { Log } from '../lib/log.ts'
import type { Principal } from '../projects/keys.ts'
import { createClientAddress, type TrustedProxies } from './client-address.ts'
import type { AppContext, AppEnv } from './context.ts'

/** Where an answer does not say it itself. Keys are for servers: no answer allows another origin to read it. */
const defaults: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Frame-Options', 'DENY'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cache-Control', 'no-store'],
]

export function wrapAnswers(options: { readonly log: Log; readonly trustedProxies: TrustedProxies }) {
  const clientAddress = createClientAddress(options.trustedProxies)
  return createMiddleware<AppEnv>(async (c, next) => {
    const start = performance.now()
    c.set('requestId', createId('req'))
    await next()
    const { headers } = c.res
    headers.set('X-Request-Id', c.get('requestId'))
    for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value)
    options.log.info({ ...describe(c), ms: Math.round(performance.now() - start), address: addressOf(c) }, 'request')
  })

  function addressOf(c: AppContext): string | undefined {
    const bindings: AppEnv['Bindings'] | undefined = c.env
    const peer = bindings?.incoming?.socket.remoteAddress
    return clientAddress({ peer, forwardedFor: c.req.header('X-Forwarded-For') })
  }
}

function describe(c: AppContext) {
  const principal: Principal | undefined = c.get('principal')
  return {
    method: c.req.method,
    route: matchedRoutes(c).findLast((route) => route.method !== 'ALL')?.path ?? 'none',
    status: c.res.status,
    requestId: c.get('requestId'),
    principal: principal?.id,
  }
}
