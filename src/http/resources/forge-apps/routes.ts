// GitHub Apps over HTTP: passes requests on to src/projects/forge-apps.

import { hastenPolls } from '../../../jobs/pulls/polls.ts'
import { beginForgeApp } from '../../../projects/forge-apps/create.ts'
import { hastenLook } from '../../../automations/positions/look.ts'
import { takeDelivery } from '../../../projects/forge-apps/deliveries.ts'
import { checkForgeApp, deleteForgeApp, listForgeApps, setForgeApp } from '../../../projects/forge-apps/forge-apps.ts'
import type { App, AppDeps } from '../../context.ts'
import { describe } from '../../contract/operation.ts'
import { readBody } from '../../request/body.ts'
import {
  beginForgeAppRoute,
  checkForgeAppRoute,
  deleteForgeAppRoute,
  deliveryRoute,
  listForgeAppsRoute,
  setForgeAppRoute,
} from './contract.ts'

/** GitHub sends no more than 25 MB, and signs the bytes. */
const deliveryBody = { maxBytes: 25 * 1024 * 1024, types: ['application/json', 'application/x-www-form-urlencoded'] }

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
  // The signature counts the bytes as they were sent, so the body is read by hand.
  describe(app, deliveryRoute)
  app.post('/v1/hooks/github/:forgeAppId', async (c) => {
    const body = await readBody(c, deliveryBody)
    const signature = c.req.header('X-Hub-Signature-256')
    const { projects, sources } = await takeDelivery(context, { appId: c.req.param('forgeAppId'), body, signature })
    await hastenPolls(context.db, projects)
    await hastenLook(context.db, [...projects, ...sources])
    return c.body(null, 202)
  })
  app.openapi(checkForgeAppRoute, async (c) => {
    return c.json(await checkForgeApp(context, c.req.valid('param').forgeAppId, c.req.raw.signal), 200)
  })
}
