// Webhooks over HTTP: passes requests on to src/notifications.

import { listDeliveries, redeliver, sendTest } from '../../../notifications/webhooks/deliveries.ts'
import { toWebhook } from '../../../notifications/webhooks/webhook.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhookSecret,
  type SavedWebhook,
  updateWebhook,
} from '../../../notifications/webhooks/webhooks.ts'
import { type App, type AppDeps, prefixOf } from '../../context.ts'
import {
  createWebhookRoute,
  deleteWebhookRoute,
  getWebhookRoute,
  listDeliveriesRoute,
  listWebhooksRoute,
  redeliverRoute,
  rotateWebhookSecretRoute,
  type ShownWebhook,
  testWebhookRoute,
  updateWebhookRoute,
} from './contract.ts'

export function addWebhookRoutes(app: App, deps: AppDeps): void {
  const { access: context } = deps
  const { db } = context
  const prefix = prefixOf(deps)
  app.openapi(listWebhooksRoute, async (c) => {
    const rows = await listWebhooks(db, c.get('projectId'))
    return c.json({ webhooks: rows.map((row) => show({ row, secret: null })) }, 200)
  })
  app.openapi(createWebhookRoute, async (c) => {
    const saved = await createWebhook(context, c.get('principal'), c.get('projectId'), c.req.valid('json'))
    c.set('subject', saved.row.id)
    c.header('Location', `${prefix}/v1/projects/${saved.row.project_id}/webhooks/${saved.row.id}`)
    c.header('Cache-Control', 'no-store')
    return c.json(show(saved), 201)
  })
  app.openapi(getWebhookRoute, async (c) => {
    const { projectId, webhookId: id } = c.req.valid('param')
    return c.json(show({ row: await readWebhook(db, { projectId, id }), secret: null }), 200)
  })
  app.openapi(updateWebhookRoute, async (c) => {
    const { projectId, webhookId: id } = c.req.valid('param')
    const row = await updateWebhook(context, c.get('principal'), { projectId, id }, c.req.valid('json'))
    return c.json(show({ row, secret: null }), 200)
  })
  app.openapi(rotateWebhookSecretRoute, async (c) => {
    const { projectId, webhookId: id } = c.req.valid('param')
    c.header('Cache-Control', 'no-store')
    return c.json(show(await rotateWebhookSecret(context, c.get('principal'), { projectId, id })), 200)
  })
  app.openapi(deleteWebhookRoute, async (c) => {
    const { projectId, webhookId: id } = c.req.valid('param')
    await deleteWebhook(db, { projectId, id })
    return c.body(null, 204)
  })
  app.openapi(testWebhookRoute, async (c) => {
    const { projectId, webhookId: id } = c.req.valid('param')
    return c.json(await sendTest(context, { projectId, id }), 202)
  })
  app.openapi(listDeliveriesRoute, async (c) => {
    const { projectId, webhookId: id } = c.req.valid('param')
    await readWebhook(db, { projectId, id })
    return c.json(await listDeliveries(db, id, c.req.valid('query')), 200)
  })
  app.openapi(redeliverRoute, async (c) => {
    const { projectId, webhookId: id, deliveryId } = c.req.valid('param')
    return c.json(await redeliver(context, { projectId, id }, deliveryId), 202)
  })
}

function show({ row, secret }: SavedWebhook): ShownWebhook {
  return { ...toWebhook(row), secret }
}
