// GitHub Apps over HTTP: passes requests on to src/projects/forge-apps. Apps belong to the whole service, so keys that are
// limited to projects cannot see them.

import { Failure } from '../../../lib/failure.ts'
import { beginForgeApp } from '../../../projects/forge-apps/create.ts'
import { checkForgeApp, deleteForgeApp, listForgeApps, setForgeApp } from '../../../projects/forge-apps/forge-apps.ts'
import type { App, AppContext, AppDeps } from '../../context.ts'
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
    requireAllProjects(c)
    return c.json({ forgeApps: await listForgeApps(context) }, 200)
  })
  app.openapi(beginForgeAppRoute, async (c) => {
    requireAllProjects(c)
    return c.json(await beginForgeApp(context, c.req.valid('json')), 200)
  })
  app.openapi(setForgeAppRoute, async (c) => {
    requireAllProjects(c)
    return c.json(await setForgeApp(context, c.req.valid('json'), c.req.raw.signal), 200)
  })
  app.openapi(deleteForgeAppRoute, async (c) => {
    requireAllProjects(c)
    await deleteForgeApp(context.db, c.req.valid('param').forgeAppId)
    return c.body(null, 204)
  })
  app.openapi(checkForgeAppRoute, async (c) => {
    requireAllProjects(c)
    return c.json(await checkForgeApp(context, c.req.valid('param').forgeAppId, c.req.raw.signal), 200)
  })
}

function requireAllProjects(c: AppContext): void {
  if (c.get('principal').projectIds === null) return
  throw new Failure('forbidden', 'A key that is limited to projects cannot manage forge apps.')
}
