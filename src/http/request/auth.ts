// Identifies the caller by its key, or by the cookie of its session; finds the project of the path, and checks that the
// caller has what the operation needs. A project that the caller may not see gets exactly the response of one that does not exist.

import { createMiddleware } from 'hono/factory'
import { Failure } from '../../lib/failure.ts'
import { keyPattern } from '../../lib/key-text.ts'
import { maySee, mayUse, requireReach, type Scope } from '../../projects/keys.ts'
import { getProject, type ProjectsContext } from '../../projects/projects.ts'
import { type AppContext, type AppEnv, bindingsOf } from '../context.ts'
import { projectIdPattern } from '../contract/ids.ts'
import { ruleOf } from '../contract/need.ts'
import { type Callers, realm, unauthenticated } from './callers.ts'
import type { Operations } from './operations.ts'

const namesOfKeys = /^(?:api[_-]?key|key|access[_-]?token)$/i

const roleFor: Readonly<Record<Scope, string>> = { read: 'viewer', write: 'editor', admin: 'admin' }

/** Finds out who the caller is, unless the operation is public. A path without an operation needs a caller, too. */
export function authenticate(callers: Callers, operations: Operations) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const found = operations.of(c)
    // A wrong method at a public path gets its refusal without a key.
    const candidates = found === undefined ? operations.at(c.req.path) : [found]
    if (found?.need === 'session') c.set('session', await callers.findSession(c))
    if (candidates.some(({ need }) => ruleOf(need) === undefined)) return await next()
    refuseKeyInQuery(c)
    const isForKeys = candidates.some(({ need }) => need === 'key')
    const find = async () => bindingsOf(c).principal ?? (await (isForKeys ? callers.findByKey(c) : callers.find(c)))
    c.set('principal', await find())
    c.set('findCaller', find)
    return await next()
  })
}

/** The one place that compares what an operation needs with what the caller has. */
export function authorize(operations: Operations) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const rule = ruleOf(operations.of(c)?.need ?? 'public')
    if (rule !== undefined) {
      refuseShare(c, rule.shared)
      requireScope(c, rule.scope)
      if (rule.reach !== undefined) requireReach(c.get('principal'), rule.reach)
    }
    await next()
  })
}

function refuseShare(c: AppContext, isShared = false): void {
  if (isShared || c.get('principal').kind !== 'share') return
  throw new Failure('forbidden', 'A shared link shows the statistics of its project and nothing else.')
}

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
