// Records every change that the API makes. Recording page views, and requests that only read, are no changes; neither is a
// repeated request that gets the first response again. A log that a person imports is one: servers do it every night.

import { createMiddleware } from 'hono/factory'
import { type Actor, beginChange, dropChange, finishChange } from '../../people/audit.ts'
import type { Principal } from '../../projects/keys.ts'
import type { AppContext, AppDeps, AppEnv } from '../context.ts'
import { decodeText } from './body.ts'
import type { Operations } from './operations.ts'
import { isSafe } from './same-origin.ts'
import { startOf } from '../../lib/plain-text.ts'

/** Unsafe methods of these paths change nothing of the service, or are counted elsewhere. */
const unrecorded = [
  /\/page-views$/,
  /\/imports\/[^/]+\/finish$/,
  /\/histories\/[^/]+\/sums$/,
  /\/policy\/test$/,
  /\/check$/,
  /^\/v1\/collect\//,
]
const mostFields = 40

export function auditChanges({ projects: { db }, log, redactor }: AppDeps, operations: Operations) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const actor = isChange(c) ? actorOf(c) : undefined
    const action = operations.of(c)?.id
    if (actor === undefined || action === undefined) return await next()
    const ordinal = await beginChange(db, { actor, address: c.get('address'), action })
    await next()
    const made = () => ({ projectId: c.get('projectId'), subject: subjectOf(c), fields: fieldsOf(c, redactor.redact) })
    // The body of a refused request may not be JSON.
    const finishing = isMade(c) ? finishChange(db, ordinal, made()) : dropChange(db, ordinal)
    // The change is made and its entry is there: the caller gets the response.
    await finishing.catch((err: unknown) => log.error({ err, action }, 'an entry of the audit log stays unfinished'))
  })
}

function isChange(c: AppContext): boolean {
  return !isSafe(c) && !unrecorded.some((pattern) => pattern.test(c.req.path))
}

function isMade({ res, error }: AppContext): boolean {
  return res.status < 300 && !error && !res.headers.has('Idempotency-Replayed')
}

/** Undefined for what people do before they are known: that is recorded where it is done. */
function actorOf(c: AppContext): Actor | undefined {
  const principal: Principal | undefined = c.get('principal')
  if (principal === undefined || principal.kind === 'share') return undefined
  if (principal.kind !== 'person' && c.req.path.endsWith('/imports')) return undefined
  return { kind: principal.kind, id: principal.id, name: principal.name }
}

/** The last id in the path, or the id of what was created. */
function subjectOf(c: AppContext): string | undefined {
  const inPath = Object.values(c.req.param()).at(-1)
  const created = c.res.headers.get('Location')?.split('/').at(-1)
  return c.get('subject') ?? created ?? inPath
}

/** The names of the fields at the top of a JSON body. */
function fieldsOf(c: AppContext, redact: (text: string) => string): readonly string[] {
  const body: Uint8Array | undefined = c.get('body')
  if (body === undefined) return []
  const parsed: unknown = JSON.parse(decodeText(body))
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return []
  return Object.keys(parsed)
    .slice(0, mostFields)
    .map((name) => startOf(redact(name), 60).replaceAll('\0', ''))
}
