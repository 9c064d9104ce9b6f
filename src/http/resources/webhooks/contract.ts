// The operations on the webhooks of a project, as the OpenAPI document describes them and as requests are checked.

import { z } from '@hono/zod-openapi'
import { keptDays } from '../../../notifications/deliveries/queue.ts'
import { notificationTypes, testType } from '../../../notifications/notification.ts'
import { type Delivery, type DeliveryPage, deliveryStates } from '../../../notifications/webhooks/deliveries.ts'
import { type Webhook, webhookFormats } from '../../../notifications/webhooks/webhook.ts'
import { mostWebhooks } from '../../../notifications/webhooks/webhooks.ts'
import { boolean, list, string, time } from '../../contract/fields.ts'
import { deliveryParams, projectParams, webhookParams } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { body, empty, json } from '../../contract/responses.ts'
import { exactObject, namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { expiry, integerParameter, text } from '../../contract/text.ts'

const words = {
  url: 'An https address. If the format is `slack`: that of an incoming webhook of Slack, whose path is a secret and is shown as `…`.',
  events: 'The types of events that it gets.',
  format:
    '`standard`: `{ type, timestamp, data }`, signed as Standard Webhooks defines it. `slack`: a message for an incoming webhook of Slack.',
  enabled: 'Whether anything is sent. Turning it off ends what waits; turning it on forgets why it was disabled.',
  endsAt: 'Nothing is sent from then on; null: never.',
}

export type ShownWebhook = Webhook & { readonly secret: string | null }

const example = {
  id: 'whk_0123456789abcdefghij',
  url: 'https://example.com/hooks/docent',
  events: ['job.completed', 'job.failed', 'job.needs_input'],
  format: 'standard',
  enabled: true,
  disabledBecause: null,
  endsAt: null,
  deliveredAt: '2026-11-20T09:30:00.000Z',
  secret: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
} satisfies ShownWebhook

export const eventType = namedEnum('EventType', notificationTypes)
const sentType = namedEnum('SentEventType', [...notificationTypes, testType])

const webhookSchema = schemaOf<ShownWebhook>()(
  z
    .object({
      id: z.string(),
      url: string(words.url),
      events: z.array(eventType).readonly().openapi({ description: words.events }),
      format: namedEnum('WebhookFormat', webhookFormats).openapi({ description: words.format }),
      enabled: boolean(words.enabled),
      disabledBecause: string('Why the service disabled it; null if it is on, or was turned off.').nullable(),
      endsAt: time(words.endsAt).nullable(),
      deliveredAt: time('When it last took an event; null: never.').nullable(),
      secret: string(
        'Signs its requests. Only in the response to the request that made it; null otherwise, and for `slack`.',
      ).nullable(),
      createdAt: time(),
      updatedAt: time(),
    })
    .openapi('Webhook', { example }),
)

const fields = {
  url: text({ max: 2_000, description: words.url, example: example.url }),
  events: z
    .array(eventType)
    .min(1, 'must have at least one type')
    .max(100, 'must have at most 100 types')
    .optional()
    .openapi({ description: `${words.events} Default: all.` }),
  enabled: z.boolean().optional().openapi({ description: words.enabled }),
  endsAt: expiry.optional().openapi({
    description: `${words.endsAt} Default for a new one: the end of the key that makes it, which it cannot outlast.`,
  }),
}
const newWebhookSchema = exactObject({
  ...fields,
  format: namedEnum('WebhookFormat', webhookFormats).optional().openapi({ description: words.format }),
}).openapi('NewWebhook', { example: { url: example.url, events: example.events } })
const webhookChangeSchema = exactObject({ ...fields, url: fields.url.optional() }).openapi('WebhookChange', {
  example: { enabled: true },
})

const deliverySchema = schemaOf<Delivery>()(
  z
    .object({
      id: z.string(),
      eventId: string('`webhook-id` of its requests: the same at each attempt.'),
      type: sentType.openapi({ description: '`webhook.test` is sent only when somebody asks for it.' }),
      status: namedEnum('DeliveryStatus', deliveryStates).openapi({
        description: '`waiting`: for its next attempt. `failed`: there is no next attempt.',
      }),
      attempts: z.int().openapi({ minimum: 0, description: 'Since it was added, or since it was asked for again.' }),
      attemptedAt: time('The last attempt; null: there was no attempt yet.').nullable(),
      responseCode: z
        .int()
        .nullable()
        .openapi({ description: 'The status of the response; null: there was no response.' }),
      excerpt: string('At most 200 characters of the response, without secrets; null: it was empty.').nullable(),
      error: string('Why the last attempt did not succeed; null: it did.').nullable(),
      milliseconds: z.int().nullable().openapi({ minimum: 0, description: 'How long the last attempt took.' }),
      nextAttemptAt: time('null: there is no next attempt.').nullable(),
      createdAt: time('When it happened.'),
    })
    .openapi('Delivery'),
)

const deliveriesSchema = schemaOf<DeliveryPage>()(
  z
    .object({
      deliveries: list(deliverySchema, 'The newest first.'),
      nextCursor: string('Pass it as `cursor` to get the next page; null on the last page.').nullable(),
    })
    .openapi('Deliveries'),
)

const deliveryQuery = z.object({
  status: namedEnum('DeliveryStatus', deliveryStates).optional(),
  limit: integerParameter({ min: 1, max: 100, fallback: 20, description: 'The number of deliveries on a page.' }),
  cursor: string('The `nextCursor` of the previous page (opaque).').optional(),
})

const operations = operationsOn('Webhooks')
const all = '/v1/projects/{projectId}/webhooks'
const path = `${all}/{webhookId}` as const

export const listWebhooksRoute = operations.get('admin', all, {
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: 'Returns the webhooks of a project in the order in which they were made.',
  request: { params: projectParams },
  responses: {
    200: json('The webhooks.', z.object({ webhooks: list(webhookSchema, 'The webhooks.') }).openapi('Webhooks')),
  },
})

export const createWebhookRoute = operations.post('admin', all, {
  operationId: 'createWebhook',
  summary: 'Create a webhook',
  description: `Events of the project are sent to it from now on: with a timeout of 10 seconds, without following redirects, and again over three days until it responds with a status from 200 to 299. A receiver may get an event twice, with the same \`webhook-id\`. A webhook that took nothing in these three days is disabled, as is one that responds with 410. A project has at most ${mostWebhooks}.`,
  request: { params: projectParams, body: body(newWebhookSchema) },
  responses: { 201: json('The webhook, with its secret.', webhookSchema, 'Location') },
  codes: ['too_many_webhooks'],
})

export const getWebhookRoute = operations.get('admin', path, {
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  request: { params: webhookParams },
  responses: { 200: json('The webhook.', webhookSchema) },
})

export const updateWebhookRoute = operations.patch('admin', path, {
  operationId: 'updateWebhook',
  summary: 'Update a webhook',
  description:
    'A missing field stays unchanged. The format cannot change. Events that wait go to a new address. Every key with the scope may turn it off.',
  request: { params: webhookParams, body: body(webhookChangeSchema) },
  responses: { 200: json('The webhook.', webhookSchema) },
})

export const deleteWebhookRoute = operations.delete('admin', path, {
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Deletes the webhook and the list of its deliveries.',
  request: { params: webhookParams },
  responses: { 204: empty('The webhook is deleted.') },
})

export const rotateWebhookSecretRoute = operations.post('admin', `${path}/secret`, {
  operationId: 'rotateWebhookSecret',
  summary: 'Replace the secret of a webhook',
  description:
    'Returns the webhook with a new `secret`, which signs all requests from now on, also those of events that wait. 400 for the format `slack`.',
  request: { params: webhookParams },
  responses: { 200: json('The webhook, with its new secret.', webhookSchema) },
  codes: ['invalid_input'],
})

export const testWebhookRoute = operations.post('admin', `${path}/test`, {
  operationId: 'testWebhook',
  summary: 'Send a test event to a webhook',
  description:
    'Sends an event of the type `webhook.test` with `{ webhook: { id } }` to this webhook alone, whatever its `events`. It is attempted once, and a failure disables the webhook only if the response is 410.',
  request: { params: webhookParams },
  responses: { 202: json('The delivery, which waits.', deliverySchema) },
  codes: ['webhook_disabled'],
})

export const listDeliveriesRoute = operations.get('admin', `${path}/deliveries`, {
  operationId: 'listDeliveries',
  summary: 'List the deliveries to a webhook',
  description: `Returns the newest first. While \`nextCursor\` is not null, pass it as \`cursor\`. Deliveries are deleted after ${keptDays} days.`,
  request: { params: webhookParams, query: deliveryQuery },
  responses: { 200: json('A page of deliveries.', deliveriesSchema) },
})

export const redeliverRoute = operations.post('admin', `${path}/deliveries/{deliveryId}/redeliver`, {
  operationId: 'redeliver',
  summary: 'Send a delivery again',
  description:
    'Sends the event again now, with the same `webhook-id` and body, whether it was delivered or not. If that fails, it is repeated over three days again.',
  request: { params: deliveryParams },
  responses: { 202: json('The delivery, which waits.', deliverySchema) },
  codes: ['webhook_disabled'],
})
