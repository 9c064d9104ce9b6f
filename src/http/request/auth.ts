// Identifies the caller by its key, or by the cookie of its session; checks its scope, and finds the project of the path.
// A project that the caller may not see gets exactly the response of one that does not exist.

import { createMiddleware } from 'hono/factory'
import { Failure } from '../../lib/failure.ts'
import { keyPattern } from '../../lib/key-text.ts'
import { maySee, mayUse, type Scope } from '../../projects/keys.ts'
import { getProject, type ProjectsContext } from '../../projects/projects.ts'
import { type AppContext, type AppEnv, bindingsOf } from '../context.ts'
import { projectIdPattern } from '../contract/ids.ts'
import { type Callers, realm, unauthenticated } from './callers.ts'

/**
 * The browsers of visitors, and people who sign in, call these without a key. They match whole paths, in the form that
 * routing uses.
 */
const publicPaths: readonly RegExp[] = [
  /^\/v1\/script\.js$/,
  /^\/v1\/collect\/[^/]+$/,
  /^\/v1\/session(?:\/(?:password|link)|s(?:\/[^/]+)?)?$/,
  /^\/v1\/setup$/,
  /^\/v1\/invitations\/[^/]+\/accept$/,
]

const namesOfKeys = /^(?:api[_-]?key|key|access[_-]?token)$/i

const roleFor: Readonly<Record<Scope, string>> = { read: 'viewer', write: 'editor', admin: 'admin' }

/** A POST to these paths only reads: its body is the query. */
const readingPosts = /^\/v1\/projects\/[^/]+\/policy\/test$/

/** GET and HEAD need `read`, other methods `write`; public paths need nothing. `requireAdmin` adds the scope `admin`. */
export function authenticate(callers: Callers) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (publicPaths.some((path) => path.test(c.req.path))) return await next()
    refuseKeyInQuery(c)
    const find = async () => bindingsOf(c).principal ?? (await callers.find(c))
    c.set('principal', await find())
    c.set('findCaller', find)
    requireScope(c, isReading(c) ? 'read' : 'write')
    return await next()
  })
}

function isReading({ req }: AppContext): boolean {
  return ['GET', 'HEAD'].includes(req.method) || (req.method === 'POST' && readingPosts.test(req.path))
}

export const requireAdmin = createMiddleware<AppEnv>(async (c, next) => {
  requireScope(c, 'admin')
  await next()
})

/** Checks that the caller may see the project in the path. Does not check that the project exists. */
export const seeProject = createMiddleware<AppEnv>(async (c, next) => {
  const id = c.req.param('projectId') ?? ''
  if (!projectIdPattern.test(id) || !maySee(c.get('principal'), id)) {
    throw new Failure('not_found', 'There is no such project.')
  }
  c.set('projectId', id)
  await next()
})

/** Loads the project, for handlers that would not notice that it does not exist. Throws `not_found`. */
export function findProject(projects: ProjectsContext) {
  return createMiddleware<AppEnv>(async (c, next) => {
    c.set('project', await getProject(projects.db, c.get('projectId')))
    await next()
  })
}

/** For long responses: checks that the caller may still have the rest. */
export function stillKnown(c: AppContext): () => Promise<boolean> {
  const id = c.get('projectId')
  const find = c.get('findCaller')
  return async () => {
    const principal = await find().catch(() => undefined)
    return principal !== undefined && maySee(principal, id) && mayUse(principal, 'read')
  }
}

/**
 * Refuses keys in the query: addresses end up in logs and histories. Such a key has leaked, even if the header has
 * another one.
 */
function refuseKeyInQuery(c: AppContext): void {
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (!namesOfKeys.test(name) && !holdsKey(name) && !holdsKey(value)) continue
    const message = 'Never put a key in an address. Revoke this key, and send a new one in the `Authorization` header.'
    throw unauthenticated(c, message, 'invalid_request')
  }
}

/** Also finds a key after another word, such as `Bearer `. */
function holdsKey(text: string): boolean {
  return text.split(/[^0-9A-Za-z_]+/).some((word) => keyPattern.test(word))
}

function requireScope(c: AppContext, scope: Scope): void {
  if (mayUse(c.get('principal'), scope)) return
  if (c.get('principal').kind === 'person') throw new Failure('forbidden', `This needs the role ${roleFor[scope]}.`)
  c.header('WWW-Authenticate', `${realm}, error="insufficient_scope", scope="${scope}"`)
  throw new Failure('forbidden', `This needs a key with the scope \`${scope}\`.`)
}
