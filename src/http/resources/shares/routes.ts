// Shared links over HTTP: passes requests on to src/projects/shares.ts.

import { createShare, listShares, revokeShare } from '../../../projects/shares.ts'
import type { App, AppDeps } from '../../context.ts'
import { createShareRoute, listSharesRoute, revokeShareRoute } from './contract.ts'

export function addShareRoutes(app: App, deps: AppDeps): void {
  const { db } = deps.projects
  app.openapi(listSharesRoute, async (c) => c.json({ shares: await listShares(db, c.get('projectId')) }, 200))
  app.openapi(createShareRoute, async (c) => {
    const wanted = { projectId: c.get('projectId'), ...c.req.valid('json') }
    const { token, ...share } = await createShare(db, c.get('principal'), wanted)
    c.set('subject', share.id)
    c.header('Cache-Control', 'no-store')
    // After the #: it is in no log of a proxy.
    return c.json({ ...share, link: `${deps.publicUrl}/shared/${c.get('projectId')}#${token}` }, 201)
  })
  app.openapi(revokeShareRoute, async (c) => {
    await revokeShare(db, c.get('projectId'), c.req.valid('param').shareId)
    return c.body(null, 204)
  })
}
