// Who asks, what they may do, and which project they ask about. A project that a key may not see is answered exactly
// like one that does not exist.

import { createMiddleware } from 'hono/factory'
import { Failure } from '../../lib/failure.ts'
import { keyPattern } from '../../projects/key-text.ts'
import { maySee, mayUse, type Principal, type Scope } from '../../projects/keys.ts'
import { getProject, type ProjectsContext } from '../../projects/projects.ts'
import { type AppContext, type AppEnv, bindingsOf } from '../context.ts'
import { projectIdPattern } from '../contract/ids.ts'

type Identify = (key: string, address: string | undefined) => Promise<Principal | undefined>

/** What browsers of visitors ask, without a key. Whole paths, in the very form by which a route is found. */
const publicPaths: readonly RegExp[] = [/^\/v1\/script\.js$/, /^\/v1\/collect\/[^/]+$/]

const realm = 'Bearer realm="docent"'
const namesOfKeys = /^(?:api[_-]?key|key|access[_-]?token)$/i

/** GET and HEAD need `read`, all else `write`, but for the public paths; what needs more says so with `requireAdmin`. */
export function authenticate(identify: Identify) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (publicPaths.some((path) => path.test(c.req.path))) return await next()
    refuseKeyInQuery(c)
    const principal = bindingsOf(c).principal ?? (await recognise(c, identify))
    c.set('principal', principal)
    requireScope(c, c.req.method === 'GET' || c.req.method === 'HEAD' ? 'read' : 'write')
    return await next()
  })
}

export const requireAdmin = createMiddleware<AppEnv>(async (c, next) => {
  requireScope(c, 'admin')
  await next()
})

/** Is the project that the path names one that the caller may see? Whether there is one, a store will say. */
export const seeProject = createMiddleware<AppEnv>(async (c, next) => {
  const id = c.req.param('projectId') ?? ''
  if (!projectIdPattern.test(id) || !maySee(c.get('principal'), id)) {
    throw new Failure('not_found', 'There is no such project.')
  }
  c.set('projectId', id)
  await next()
})

/** Finds it, where what the handler asks would not tell that it is not there. Throws `not_found`. */
export function findProject(projects: ProjectsContext) {
  return createMiddleware<AppEnv>(async (c, next) => {
    c.set('project', await getProject(projects.db, c.get('projectId')))
    await next()
  })
}

/** For an answer that goes on for long: may whoever asked still have it? Whoever came through the socket may. */
export function stillKnown(c: AppContext, identify: Identify): () => Promise<boolean> {
  const key = readKey(c)
  const id = c.get('projectId')
  return async () => {
    if (bindingsOf(c).principal) return true
    const principal = key === undefined ? undefined : await identify(key, c.get('address'))
    return principal !== undefined && maySee(principal, id) && mayUse(principal, 'read')
  }
}

function readKey(c: AppContext): string | undefined {
  return /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1]
}

async function recognise(c: AppContext, identify: Identify): Promise<Principal> {
  const header = c.req.header('Authorization')
  if (header === undefined) throw unauthenticated(c, 'Send a key: `Authorization: Bearer docent_…`.')
  const key = readKey(c)
  if (key === undefined) {
    throw unauthenticated(c, 'Send one `Authorization: Bearer docent_…` header.', 'invalid_request')
  }
  const principal = await identify(key, c.get('address'))
  if (!principal) throw unauthenticated(c, 'The key is malformed, unknown, revoked or expired.', 'invalid_token')
  return principal
}

/** Addresses end up in logs and histories: a key in one has leaked, whether or not another is in the header. */
function refuseKeyInQuery(c: AppContext): void {
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (!namesOfKeys.test(name) && !holdsKey(name) && !holdsKey(value)) continue
    const message = 'A key does not belong in an address: send it in the `Authorization` header, and revoke this one.'
    throw unauthenticated(c, message, 'invalid_request')
  }
}

/** Also behind other words, such as `Bearer `. */
function holdsKey(text: string): boolean {
  return text.split(/[^0-9A-Za-z_]+/).some((word) => keyPattern.test(word))
}

function requireScope(c: AppContext, scope: Scope): void {
  if (mayUse(c.get('principal'), scope)) return
  c.header('WWW-Authenticate', `${realm}, error="insufficient_scope", scope="${scope}"`)
  throw new Failure('forbidden', `This needs a key with the scope \`${scope}\`.`)
}

function unauthenticated(c: AppContext, message: string, error?: 'invalid_token' | 'invalid_request'): Failure {
  c.header('WWW-Authenticate', error === undefined ? realm : `${realm}, error="${error}"`)
  return new Failure('unauthenticated', message)
}
