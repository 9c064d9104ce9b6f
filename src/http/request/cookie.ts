// The cookie of a session. Over https its name has the prefix `__Host-`, so that no other host can set it. A service that
// is published under a path has a name of its own, so that two on one host do not sign each other out.

import { createHash } from 'node:crypto'
import { getCookie, setCookie } from 'hono/cookie'
import { Failure } from '../../lib/failure.ts'
import type { NewSession } from '../../people/sessions.ts'
import { type AppContext, type AppDeps, prefixOf } from '../context.ts'

export type SessionCookie = {
  read(c: AppContext): string | undefined
  write(c: AppContext, session: NewSession): void
  clear(c: AppContext): void
}

type Deps = Pick<AppDeps, 'publicUrl'>

export function sessionCookie(deps: Deps): SessionCookie {
  const isSecure = new URL(deps.publicUrl).protocol === 'https:'
  const prefix = prefixOf(deps)
  const suffix = prefix === '' ? '' : `-${createHash('sha256').update(prefix).digest('hex').slice(0, 8)}`
  const name = `${isSecure ? '__Host-' : ''}docent${suffix}`
  const attributes = { path: '/', httpOnly: true, secure: isSecure, sameSite: 'Lax' } as const
  return {
    read: (c) => getCookie(c, name),
    write: (c, { token, expiresAt }) => setCookie(c, name, token, { ...attributes, expires: expiresAt }),
    clear: (c) => setCookie(c, name, '', { ...attributes, maxAge: 0 }),
  }
}

/** The session of the request's cookie; undefined when nobody is signed in. */
export async function findSession(c: AppContext, deps: Deps & Pick<AppDeps, 'identifySession'>) {
  const token = sessionCookie(deps).read(c)
  return token === undefined ? undefined : deps.identifySession(token)
}

/** How safe a password is on the way from the browser. */
export type Transport = 'encrypted' | 'loopback' | 'plain'

/** With a proxy, the host may be `127.0.0.1`; the Origin of a request that changes something has the host of the page. */
export function transportOf(c: AppContext, deps: Deps): Transport {
  if (new URL(deps.publicUrl).protocol === 'https:') return 'encrypted'
  const origin = c.req.header('Origin')
  return [c.req.url, ...(origin === undefined ? [] : [origin])].every(isLoopback) ? 'loopback' : 'plain'
}

function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
}

/** Throws `sign_in_insecure` where a password would travel unencrypted, unless the operator allows it. */
export function refusePlain(c: AppContext, deps: Deps & Pick<AppDeps, 'allowHttpSignIn'>): void {
  if (deps.allowHttpSignIn || transportOf(c, deps) !== 'plain') return
  throw new Failure(
    'sign_in_insecure',
    'Nobody can sign in over plain http from another machine. Put a proxy with TLS in front and set DOCENT_PUBLIC_URL to its https address, or accept the risk with DOCENT_ALLOW_HTTP_SIGN_IN=true.',
  )
}
