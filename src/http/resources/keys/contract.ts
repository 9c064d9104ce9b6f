// The operations on keys. All need the scope `admin`, and no key grants or shows more than it has.

import { createRoute } from '@hono/zod-openapi'
import { requireAdmin } from '../../request/auth.ts'
import { ignoreBody, readJson } from '../../request/body.ts'
import { keyParams } from '../../contract/ids.ts'
import { createdKeySchema, keysSchema, newKeySchema, rotationSchema } from './schemas.ts'
import { body, guarded, headers, json, problems, withBody } from '../../contract/responses.ts'

const tags = ['Keys']

export const listKeysRoute = createRoute({
  method: 'get',
  path: '/v1/keys',
  operationId: 'listKeys',
  tags,
  summary: 'List keys',
  description: 'Needs the scope `admin`. A key for certain projects sees those that are for no others.',
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
    'Needs the scope `admin`. The answer holds the key: it is kept as a digest only and never shown again. A key cannot make one that has more scope, projects, time or addresses than it has itself.',
  middleware: [requireAdmin, readJson] as const,
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

export const rotateKeyRoute = createRoute({
  method: 'post',
  path: '/v1/keys/{keyId}/rotate',
  operationId: 'rotateKey',
  tags,
  summary: 'Rotate a key',
  description:
    'Needs the scope `admin`. Makes a key with the same name, scope, projects and addresses, shown once. The old one works on for `overlapSeconds`, but not beyond its own end.',
  middleware: [requireAdmin, readJson] as const,
  request: { params: keyParams, body: body(rotationSchema) },
  responses: {
    201: json('The new key. Not to be cached.', createdKeySchema),
    ...problems(...guarded, ...withBody, 'key_not_active'),
  },
})
