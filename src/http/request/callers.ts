// Finds out who sends a request: the owner of a key, a shared link, or the person whose session the cookie belongs to. A
// request with a key is judged by the key alone.

import { Failure } from '../../lib/failure.ts'
import { grantOf } from '../../people/roles.ts'
import type { Principal } from '../../projects/keys.ts'
import { findShared, shareTokenPattern } from '../../projects/shares.ts'
import type { AppContext, AppDeps } from '../context.ts'
import { findSession } from './cookie.ts'
import { isSafe, refuseForeign } from './same-origin.ts'

export const realm = 'Bearer realm="docent"'

export type Callers = {
  /** Throws `unauthenticated`, and `forbidden` for what this kind of caller may never do. */
  find(c: AppContext): Promise<Principal>
}

/** Page views are recorded by servers, with a key; people import logs. */
const recordsPageViews = /^\/v1\/analytics\/[^/]+\/(?:page-views|imports)(?:\/|$)/
/** The paths that a shared link opens: the description of the statistics, and their exports. */
const exports = /^\/v1\/analytics\/[^/]+(?:\/[^/]+)?$/

export function createCallers(deps: AppDeps): Callers {
  return {
    find: async (c) => {
      const header = c.req.header('Authorization')
      if (header !== undefined) return findByHeader(c, header, deps)
      const session = await findSession(c, deps)
      if (!session) throw unauthenticated(c, 'Send a key: `Authorization: Bearer docent_…`.')
      if (!isSafe(c)) {
        refuseForeign(c, deps.publicUrl)
        if (recordsPageViews.test(c.req.path) && !isOfImport(c))
          throw new Failure('forbidden', 'Page views are recorded with a key, or belong to an import.')
      }
      return { ...grantOf(session.role), id: session.personId, kind: 'person', name: session.name }
    },
  }
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
    ? await findByShare(c, text, deps)
    : await deps.identify(text, c.get('address'))
  if (!principal) throw unauthenticated(c, 'The key is malformed, unknown, revoked or expired.', 'invalid_token')
  return principal
}

async function findByShare(c: AppContext, token: string, deps: AppDeps): Promise<Principal | undefined> {
  const shared = await findShared(deps.projects.db, token)
  if (!shared) return undefined
  if (!isSafe(c) || !exports.test(c.req.path) || recordsPageViews.test(c.req.path)) {
    throw new Failure('forbidden', 'A shared link shows the statistics of its project and nothing else.')
  }
  const { id, projectId } = shared
  return {
    id,
    kind: 'share',
    name: 'Shared link',
    scope: 'read',
    projectIds: [projectId],
    expiresAt: null,
    allowedAddresses: null,
  }
}

export function unauthenticated(c: AppContext, message: string, error?: 'invalid_token' | 'invalid_request'): Failure {
  c.header('WWW-Authenticate', error === undefined ? realm : `${realm}, error="${error}"`)
  return new Failure('unauthenticated', message)
}
