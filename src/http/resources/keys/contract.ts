// The operations on keys. All need the scope `admin`; no key can grant more than it has, or show keys that can do more.

import { createRoute } from '@hono/zod-openapi'
import { requireAdmin } from '../../request/auth.ts'
import { ignoreBody, readJson } from '../../request/body.ts'
import { keyParams } from '../../contract/ids.ts'
import { createdKeySchema, keysSchema, newKeySchema, rotationSchema } from './schemas.ts'
import { body, guarded, headers, json, problems, withBody, withoutBody } from '../../contract/responses.ts'

const tags = ['Keys']

export const listKeysRoute = createRoute({
  method: 'get',
  path: '/v1/keys',
  operationId: 'listKeys',
  tags,
  summary: 'List keys',
  description:
    'Needs the scope `admin`. A key that is limited to projects sees only keys that are limited to those projects.',
  middleware: requireAdmin,
  responses: { 200: json('The keys.', keysSchema), ...problems('unauthenticated', 'forbidden') },
})

export const createKeyRoute = createRoute({
  method: 'post',
  path: '/v1/keys',
  operationId: 'createKey',
  tags,
  summary: 'Create a key',
  description:
    'Needs the scope `admin`. The response is the only place that shows the key: the service keeps a digest. A key cannot create one with more scope, projects, time or addresses than it has itself.',
  middleware: [requireAdmin, readJson] as const,
  request: { body: body(newKeySchema) },
  responses: {
    201: json('The new key. The response must not be cached.', createdKeySchema),
    ...problems('unauthenticated', 'forbidden', ...withBody),
  },
})

export const revokeKeyRoute = createRoute({
  method: 'delete',
  path: '/v1/keys/{keyId}',
  operationId: 'revokeKey',
  tags,
  summary: 'Revoke a key',
  description: 'Needs the scope `admin`. Revoking a revoked key changes nothing.',
  middleware: [requireAdmin, ignoreBody] as const,
  request: { params: keyParams },
  responses: {
    204: { description: 'The key is revoked.', headers: headers() },
    ...problems(...guarded, ...withoutBody),
  },
})

export const rotateKeyRoute = createRoute({
  method: 'post',
  path: '/v1/keys/{keyId}/rotate',
  operationId: 'rotateKey',
  tags,
  summary: 'Rotate a key',
  description:
    'Needs the scope `admin`. Creates a key with the same name, scope, projects and addresses, and shows it once. The old key keeps working for `overlapSeconds`, but not beyond its own expiry.',
  middleware: [requireAdmin, readJson] as const,
  request: { params: keyParams, body: body(rotationSchema) },
  responses: {
    201: json('The new key. The response must not be cached.', createdKeySchema),
    ...problems(...guarded, ...withBody, 'key_not_active'),
  },
})
