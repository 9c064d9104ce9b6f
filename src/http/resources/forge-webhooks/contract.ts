// The operations on the webhooks of forges, as the OpenAPI document describes them and as requests are checked.

import { z } from '@hono/zod-openapi'
import { hookedForges } from '../../../forge/deliveries/address.ts'
import type { ForgeWebhook } from '../../../projects/forge-webhooks/forge-webhook.ts'
import { deliveryLimit } from '../../../projects/forge-webhooks/deliveries.ts'
import { mostForgeWebhooks } from '../../../projects/forge-webhooks/forge-webhooks.ts'
import { count, list, string, time } from '../../contract/fields.ts'
import { forgeWebhookParams, projectParams } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { body, empty, json } from '../../contract/responses.ts'
import { exactObject, namedEnum, schemaOf } from '../../contract/schema-of.ts'

export type ShownForgeWebhook = ForgeWebhook & { readonly secret: string | null }

const example = {
  id: 'fwh_0123456789abcdefghij',
  forge: 'gitlab',
  url: 'https://docent.example.com/v1/hooks/gitlab/fwh_0123456789abcdefghij',
  deliveredAt: '2026-11-20T09:30:00.000Z',
  refused: 0,
  refusedAt: null,
  secret: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
} satisfies ShownForgeWebhook

const forge = namedEnum('HookedForge', hookedForges).openapi({
  description: 'The kind of the forge. Forgejo is `gitea`, GitHub Enterprise `github`.',
})

/** Facts about the deliveries to an address: fields of a webhook, and of a GitHub App. */
export const deliveredFields = {
  deliveredAt: time('When the last genuine delivery came, to ten seconds; null: never.').nullable(),
  refused: count('The number of deliveries that were not genuine.'),
  refusedAt: time('When the last one of them came; null: never.').nullable(),
}

const forgeWebhookSchema = schemaOf<ShownForgeWebhook>()(
  z
    .object({
      id: z.string(),
      forge,
      url: string('The address to enter at the forge.'),
      ...deliveredFields,
      secret: string(
        'The secret to enter at the forge. Only in the response to the request that made it; null otherwise.',
      ).nullable(),
      createdAt: time(),
      updatedAt: time(),
    })
    .openapi('ForgeWebhook', { example }),
)

const newForgeWebhookSchema = exactObject({ forge }).openapi('NewForgeWebhook', { example: { forge: 'gitlab' } })

const operations = operationsOn('Forge webhooks')
const all = '/v1/projects/{projectId}/forge-webhooks'
const path = `${all}/{forgeWebhookId}` as const

export const listForgeWebhooksRoute = operations.get('admin', all, {
  operationId: 'listForgeWebhooks',
  summary: 'List the webhooks of forges',
  description: 'Returns the webhooks that forges send deliveries to, in the order in which they were made.',
  request: { params: projectParams },
  responses: {
    200: json(
      'The webhooks.',
      z.object({ forgeWebhooks: list(forgeWebhookSchema, 'The webhooks.') }).openapi('ForgeWebhooks'),
    ),
  },
})

export const createForgeWebhookRoute = operations.post('admin', all, {
  operationId: 'createForgeWebhook',
  summary: 'Create a webhook for a forge',
  description: `Returns an address and a secret, which a person enters at the forge. Deliveries about the repository of the project and its sources make Docent look there at once. One webhook serves all of them on forges of one kind; a project has at most ${mostForgeWebhooks}. A GitHub App that this service created has a webhook of its own.`,
  request: { params: projectParams, body: body(newForgeWebhookSchema) },
  responses: { 201: json('The webhook, with its secret.', forgeWebhookSchema, 'Location') },
  codes: ['too_many_webhooks'],
})

export const getForgeWebhookRoute = operations.get('admin', path, {
  operationId: 'getForgeWebhook',
  summary: 'Get a webhook of a forge',
  request: { params: forgeWebhookParams },
  responses: { 200: json('The webhook.', forgeWebhookSchema) },
})

export const rotateForgeWebhookSecretRoute = operations.post('admin', `${path}/secret`, {
  operationId: 'rotateForgeWebhookSecret',
  summary: 'Replace the secret of a webhook of a forge',
  description: 'Returns the webhook with a new `secret`. Deliveries with the one before are refused from now on.',
  request: { params: forgeWebhookParams },
  responses: { 200: json('The webhook, with its new secret.', forgeWebhookSchema) },
})

export const deleteForgeWebhookRoute = operations.delete('admin', path, {
  operationId: 'deleteForgeWebhook',
  summary: 'Delete a webhook of a forge',
  description: 'Its address takes nothing any more. Delete it at the forge, too.',
  request: { params: forgeWebhookParams },
  responses: { 204: empty('The webhook is deleted.') },
})

export const deliveryParams = z.object({
  forge,
  hookId: z
    .string()
    .regex(/^(?:app|fwh)_[0-9a-z]{20}$/)
    .openapi({ description: 'The id of the webhook, or of the GitHub App.', example: example.id }),
})

export const deliveryRoute = operations.post('public', '/v1/hooks/{forge}/{hookId}', {
  operationId: 'receiveDelivery',
  summary: 'Receive a delivery of a forge',
  description: `Takes what a forge sends to a webhook, or GitHub to the one of an App. A delivery needs no key: a header must prove that the forge knows the secret. GitHub sends the signature of the bytes of the body in \`X-Hub-Signature-256\`, Gitea and Forgejo in \`X-Gitea-Signature\` or \`X-Forgejo-Signature\`; GitLab sends the secret in \`X-Gitlab-Token\`, or signs as Standard Webhooks defines it. Docent then looks at the pull requests, comments and branches of the repository at once, and believes nothing else of a delivery. A genuine one gets 202 in any case. The body has any type, and at most 25 MiB. An address takes ${deliveryLimit.quota} deliveries a minute.`,
  request: {
    params: deliveryParams,
    headers: z.object({
      'x-hub-signature-256': z.string().optional(),
      'x-gitea-signature': z.string().optional(),
      'x-forgejo-signature': z.string().optional(),
      'x-gitlab-token': z.string().optional(),
      'webhook-id': z.string().optional(),
      'webhook-timestamp': z.string().optional(),
      'webhook-signature': z.string().optional(),
    }),
    body: { content: { 'application/json': { schema: z.unknown() } } },
  },
  responses: { 202: empty('The delivery is genuine.') },
  codes: ['not_found', 'unauthenticated', 'payload_too_large', 'too_many_deliveries'],
})
