// Finds out who sends a request: the owner of a key, a shared link, or the person whose session the cookie belongs to. A
// request with a key is judged by the key alone.

import { Failure } from '../../lib/failure.ts'
import { grantOf } from '../../people/roles.ts'
import type { Session } from '../../people/sessions.ts'
import type { Principal } from '../../projects/keys.ts'
import { findShared, grantOfShare, shareTokenPattern } from '../../projects/shares.ts'
import type { AppContext, AppDeps } from '../context.ts'
import { findSession } from './cookie.ts'
import { isSafe, refuseForeign } from './same-origin.ts'

export const realm = 'Bearer realm="docent"'

export type Callers = {
  /** Throws `unauthenticated`, and `forbidden` for what this kind of caller may never do. */
  find(c: AppContext): Promise<Principal>
  /** As `find`; the cookie of a session does not count. */
  findByKey(c: AppContext): Promise<Principal>
  /** The session of the cookie; a key does not count. Throws `unauthenticated`. */
  findSession(c: AppContext): Promise<Session>
}

/** Page views are recorded by servers, with a key; people import logs. */
const recordsPageViews = /^\/v1\/analytics\/[^/]+\/(?:page-views|imports)(?:\/|$)/

export function createCallers(deps: AppDeps): Callers {
  return {
    findSession: async (c) => {
      const session = await findSession(c, deps)
      if (!session) throw unauthenticated(c, 'Sign in first.')
      return session
    },
    findByKey: async (c) => {
      const header = c.req.header('Authorization')
      if (header === undefined) throw withoutKey(c)
      return await findByHeader(c, header, deps)
    },
    find: async (c) => {
      const header = c.req.header('Authorization')
      if (header !== undefined) return findByHeader(c, header, deps)
      const session = await findSession(c, deps)
      if (!session) throw withoutKey(c)
      if (!isSafe(c)) {
        refuseForeign(c, deps.publicUrl)
        if (recordsPageViews.test(c.req.path) && !isOfImport(c))
          throw new Failure('forbidden', 'Page views are recorded with a key, or belong to an import.')
      }
      return { ...grantOf(session.role), id: session.personId, kind: 'person', name: session.name }
    },
  }
}

function withoutKey(c: AppContext): Failure {
  return unauthenticated(c, 'Send a key: `Authorization: Bearer docent_…`.')
}

function isOfImport({ req }: AppContext): boolean {
  return /^\/v1\/analytics\/[^/]+\/imports(?:\/|$)/.test(req.path) || req.query('import') !== undefined
}

async function findByHeader(c: AppContext, header: string, deps: AppDeps): Promise<Principal> {
  const text = /^Bearer +(\S+)$/i.exec(header)?.[1]
  if (text === undefined) {
    throw unauthenticated(c, 'Send one `Authorization: Bearer docent_…` header.', 'invalid_request')
  }
  const principal = shareTokenPattern.test(text)
    ? await findByShare(text, deps)
    : await deps.identify(text, c.get('address'))
  if (!principal) throw unauthenticated(c, 'The key is malformed, unknown, revoked or expired.', 'invalid_token')
  return principal
}

async function findByShare(token: string, deps: AppDeps): Promise<Principal | undefined> {
  const shared = await findShared(deps.projects.db, token)
  if (!shared) return undefined
  const { id, projectId } = shared
  return { ...grantOfShare({ projectId, expiresAt: null }), id, kind: 'share', name: 'Shared link' }
}

export function unauthenticated(c: AppContext, message: string, error?: 'invalid_token' | 'invalid_request'): Failure {
  c.header('WWW-Authenticate', error === undefined ? realm : `${realm}, error="${error}"`)
  return new Failure('unauthenticated', message)
}
