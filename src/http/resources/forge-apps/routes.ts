// GitHub Apps over HTTP: passes requests on to src/projects/forge-apps.

import { beginForgeApp } from '../../../projects/forge-apps/create.ts'
import { checkForgeApp, deleteForgeApp, listForgeApps, setForgeApp } from '../../../projects/forge-apps/forge-apps.ts'
import type { App, AppDeps } from '../../context.ts'
import {
  beginForgeAppRoute,
  checkForgeAppRoute,
  deleteForgeAppRoute,
  listForgeAppsRoute,
  setForgeAppRoute,
} from './contract.ts'

export function addForgeAppRoutes(app: App, deps: AppDeps): void {
  const context = deps.forgeApps
  app.openapi(listForgeAppsRoute, async (c) => {
    return c.json({ forgeApps: await listForgeApps(context) }, 200)
  })
  app.openapi(beginForgeAppRoute, async (c) => {
    return c.json(await beginForgeApp(context, c.req.valid('json')), 200)
  })
  app.openapi(setForgeAppRoute, async (c) => {
    return c.json(await setForgeApp(context, c.req.valid('json'), c.req.raw.signal), 200)
  })
  app.openapi(deleteForgeAppRoute, async (c) => {
    await deleteForgeApp(context.db, c.req.valid('param').forgeAppId)
    return c.body(null, 204)
  })
  app.openapi(checkForgeAppRoute, async (c) => {
    return c.json(await checkForgeApp(context, c.req.valid('param').forgeAppId, c.req.raw.signal), 200)
  })
}
