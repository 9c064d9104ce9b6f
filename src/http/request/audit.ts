// Records every change that the API makes: one row before the response of an unsafe request that succeeded. Recording page
// views, and requests that only read, are no changes.

import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import { recordChange } from '../../people/audit.ts'
import type { Actor } from '../../people/audit.ts'
import type { Principal } from '../../projects/keys.ts'
import type { AppContext, AppDeps, AppEnv } from '../context.ts'

/** Unsafe methods of these paths change nothing of the service, or are counted elsewhere. */
const unrecorded = [/\/page-views$/, /\/imports(?:\/|$)/, /\/policy\/test$/, /\/check$/, /^\/v1\/collect\//]
const mostFields = 40

export function auditChanges(deps: AppDeps, operationOf: (method: string, path: string) => string | undefined) {
  return createMiddleware<AppEnv>(async (c, next) => {
    await next()
    const { method, path } = c.req
    if (['GET', 'HEAD', 'OPTIONS'].includes(method) || c.res.status >= 300 || c.error) return
    if (unrecorded.some((pattern) => pattern.test(path))) return
    const route = matchedRoutes(c).findLast((one) => one.method !== 'ALL')
    const action = operationOf(method, route?.path ?? '')
    const actor = actorOf(c)
    if (action === undefined || actor === undefined) return
    await recordChange(deps.projects.db, {
      actor,
      address: c.get('address'),
      action,
      projectId: c.get('projectId'),
      subject: subjectOf(c),
      fields: fieldsOf(c),
    })
  })
}

function actorOf(c: AppContext): Actor | undefined {
  const principal: Principal | undefined = c.get('principal')
  if (principal === undefined || principal.kind === 'share') return undefined
  return { kind: principal.kind, id: principal.id, name: principal.name }
}

/** The last id in the path, or the id of what was created. */
function subjectOf(c: AppContext): string | undefined {
  const inPath = Object.values(c.req.param()).at(-1)
  const created = c.res.headers.get('Location')?.split('/').at(-1)
  return c.get('subject') ?? created ?? inPath
}

/** The names of the fields at the top of a JSON body. */
function fieldsOf(c: AppContext): readonly string[] {
  const body: Uint8Array | undefined = c.get('body')
  if (body === undefined) return []
  const parsed: unknown = JSON.parse(Buffer.from(body).toString())
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return []
  return Object.keys(parsed)
    .slice(0, mostFields)
    .map((name) => name.slice(0, 60).replaceAll('\0', ''))
}
