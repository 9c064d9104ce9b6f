// Sites over HTTP: passes requests on to src/projects/sites.ts.

import { createSite, deleteSite, listSites, updateSite } from '../../../projects/sites.ts'
import type { App, AppDeps } from '../../context.ts'
import { createSiteRoute, deleteSiteRoute, listSitesRoute, updateSiteRoute } from './contract.ts'

export function addSiteRoutes(app: App, deps: AppDeps): void {
  const { db } = deps.projects
  app.openapi(listSitesRoute, async (c) => c.json({ sites: await listSites(db, c.get('project').id) }, 200))
  app.openapi(createSiteRoute, async (c) => {
    const site = await createSite(db, c.get('project').id, c.req.valid('json'))
    c.set('subject', site.id)
    return c.json(site, 201)
  })
  app.openapi(updateSiteRoute, async (c) => {
    return c.json(await updateSite(db, c.req.valid('param'), c.req.valid('json')), 200)
  })
  app.openapi(deleteSiteRoute, async (c) => {
    await deleteSite(db, c.req.valid('param'))
    return c.body(null, 204)
  })
}
