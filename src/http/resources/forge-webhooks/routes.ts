// The webhooks of forges over HTTP: passes requests on to src/projects/forge-webhooks.

import { toForgeWebhook } from '../../../projects/forge-webhooks/forge-webhook.ts'
import {
  createForgeWebhook,
  deleteForgeWebhook,
  listForgeWebhooks,
  readForgeWebhook,
  rotateForgeWebhookSecret,
  type SavedForgeWebhook,
} from '../../../projects/forge-webhooks/forge-webhooks.ts'
import { type App, type AppDeps, prefixOf } from '../../context.ts'
import {
  createForgeWebhookRoute,
  deleteForgeWebhookRoute,
  getForgeWebhookRoute,
  listForgeWebhooksRoute,
  rotateForgeWebhookSecretRoute,
  type ShownForgeWebhook,
} from './contract.ts'

export function addForgeWebhookRoutes(app: App, deps: AppDeps): void {
  const { access: context, publicUrl } = deps
  const { db } = context
  const show = ({ row, secret }: SavedForgeWebhook): ShownForgeWebhook => ({
    ...toForgeWebhook(row, publicUrl),
    secret,
  })
  app.openapi(listForgeWebhooksRoute, async (c) => {
    const rows = await listForgeWebhooks(db, c.get('projectId'))
    return c.json({ forgeWebhooks: rows.map((row) => show({ row, secret: null })) }, 200)
  })
  app.openapi(createForgeWebhookRoute, async (c) => {
    const saved = await createForgeWebhook(context, c.get('projectId'), c.req.valid('json').forge)
    c.set('subject', saved.row.id)
    c.header('Location', `${prefixOf(deps)}/v1/projects/${saved.row.project_id}/forge-webhooks/${saved.row.id}`)
    c.header('Cache-Control', 'no-store')
    return c.json(show(saved), 201)
  })
  app.openapi(getForgeWebhookRoute, async (c) => {
    const { projectId, forgeWebhookId: id } = c.req.valid('param')
    return c.json(show({ row: await readForgeWebhook(db, { projectId, id }), secret: null }), 200)
  })
  app.openapi(rotateForgeWebhookSecretRoute, async (c) => {
    const { projectId, forgeWebhookId: id } = c.req.valid('param')
    c.header('Cache-Control', 'no-store')
    return c.json(show(await rotateForgeWebhookSecret(context, { projectId, id })), 200)
  })
  app.openapi(deleteForgeWebhookRoute, async (c) => {
    const { projectId, forgeWebhookId: id } = c.req.valid('param')
    await deleteForgeWebhook(db, { projectId, id })
    return c.body(null, 204)
  })
}
