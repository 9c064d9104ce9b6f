// Refuses requests that another site makes a browser send with the cookie of a session (CSRF). Browsers say where a
// request comes from: in Sec-Fetch-Site at addresses that they trust, and in Origin with every unsafe method.

import { Failure } from '../../lib/failure.ts'
import type { AppContext } from '../context.ts'

/** Is it a method that changes nothing (RFC 9110, 9.2.1)? */
export function isSafe({ req }: AppContext): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(req.method)
}

/** For unsafe methods. Throws `forbidden`, also when the request says nothing of its origin. */
export function refuseForeign(c: AppContext, publicUrl: string): void {
  const site = c.req.header('Sec-Fetch-Site')
  const origin = c.req.header('Origin')
  if (site !== undefined && site !== 'same-origin') throw foreign()
  if (origin !== undefined && !ownOrigins(c, publicUrl).includes(origin)) throw foreign()
  if (site === undefined && origin === undefined) throw foreign()
}

/**
 * The public address, and the one that the request has: behind a proxy they differ. A service with an https address is
 * never reached by http, which anybody on the way could answer: proxies that end TLS pass the host on and not the scheme.
 */
function ownOrigins(c: AppContext, publicUrl: string): readonly string[] {
  const own = new URL(publicUrl)
  const asked = new URL(c.req.url)
  return [own.origin, `${own.protocol === 'https:' ? 'https:' : asked.protocol}//${asked.host}`]
}

function foreign(): Failure {
  const message = 'This request does not come from a page of this service. Send a key instead of a cookie.'
  return new Failure('forbidden', message)
}
