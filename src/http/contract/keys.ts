// The operations on keys. All need the scope `admin`, and no key grants or shows more than it has.

import { createRoute } from '@hono/zod-openapi'
import { requireAdmin } from '../auth.ts'
import { ignoreBody, readBody } from '../body.ts'
import { keyParams } from '../schemas/ids.ts'
import { createdKeySchema, keysSchema, newKeySchema } from '../schemas/key.ts'
import { body, guarded, headers, json, problems, withBody } from './answer.ts'

const tags = ['Keys']

export const listKeysRoute = createRoute({
  method: 'get',
  path: '/v1/keys',
  operationId: 'listKeys',
  tags,
  summary: 'List keys',
  description: 'Needs the scope `admin`. Shows the keys that grant no more than the one that asks.',
  middleware: requireAdmin,
  responses: { 200: json('The keys.', keysSchema), ...problems('unauthenticated', 'forbidden') },
})

export const createKeyRoute = createRoute({
  method: 'post',
  path: '/v1/keys',
  operationId: 'createKey',
  tags,
  summary: 'Create a key',
  description: 'Needs the scope `admin`. The answer holds the key: it is kept as a digest only and never shown again.',
  middleware: [requireAdmin, readBody] as const,
  request: { body: body(newKeySchema) },
  responses: {
    201: json('The key. Not to be cached.', createdKeySchema),
    ...problems('unauthenticated', 'forbidden', ...withBody),
  },
})

export const revokeKeyRoute = createRoute({
  method: 'delete',
  path: '/v1/keys/{keyId}',
  operationId: 'revokeKey',
  tags,
  summary: 'Revoke a key',
  description: 'Needs the scope `admin`. Revoking twice changes nothing.',
  middleware: [requireAdmin, ignoreBody] as const,
  request: { params: keyParams },
  responses: {
    204: { description: 'The key is revoked.', headers: headers() },
    ...problems(...guarded, 'payload_too_large', 'unsupported_media_type'),
  },
})
