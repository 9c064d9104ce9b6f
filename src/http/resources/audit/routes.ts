// The audit record over HTTP.

import { createCursor } from '../../../requests/cursor.ts'
import { listChanges } from '../../../people/audit.ts'
import type { App, AppDeps } from '../../context.ts'
import { listChangesRoute } from './contract.ts'

const cursors = createCursor('a', '[1-9]\\d{0,14}')

export function addAuditRoutes(app: App, deps: AppDeps): void {
  app.openapi(listChangesRoute, async (c) => {
    const { projectId, actorId, limit, cursor } = c.req.valid('query')
    const before = cursor === undefined ? undefined : Number(cursors.read(cursor))
    const { entries, last } = await listChanges(deps.projects.db, { projectId, actorId, limit, before })
    return c.json({ entries, nextCursor: last === undefined ? null : cursors.write(String(last)) }, 200)
  })
}
