// The operations on keys. All need the scope `admin`; no key can grant more than it has, or show keys that can do more.

import { operation } from '../../contract/operation.ts'
import { ignoreBody, readJson } from '../../request/body.ts'
import { keyParams } from '../../contract/ids.ts'
import { createdKeySchema, keysSchema, newKeySchema, rotationSchema } from './schemas.ts'
import { body, guarded, headers, json, problems, withBody, withoutBody } from '../../contract/responses.ts'

const tags = ['Keys']

export const listKeysRoute = operation('admin', {
  method: 'get',
  path: '/v1/keys',
  operationId: 'listKeys',
  tags,
  summary: 'List keys',
  description: 'A key that is limited to projects sees only keys that are limited to those projects.',
  responses: { 200: json('The keys.', keysSchema), ...problems('unauthenticated', 'forbidden') },
})

export const createKeyRoute = operation('admin', {
  method: 'post',
  path: '/v1/keys',
  operationId: 'createKey',
  tags,
  summary: 'Create a key',
  description:
    'The response is the only place that shows the key: the service keeps a digest. A key cannot create one with more scope, projects, time or addresses than it has itself.',
  middleware: readJson,
  request: { body: body(newKeySchema) },
  responses: {
    201: json('The new key. The response must not be cached.', createdKeySchema),
    ...problems('unauthenticated', 'forbidden', ...withBody),
  },
})

export const revokeKeyRoute = operation('admin', {
  method: 'delete',
  path: '/v1/keys/{keyId}',
  operationId: 'revokeKey',
  tags,
  summary: 'Revoke a key',
  description: 'Revoking a revoked key changes nothing.',
  middleware: ignoreBody,
  request: { params: keyParams },
  responses: {
    204: { description: 'The key is revoked.', headers: headers() },
    ...problems(...guarded, ...withoutBody),
  },
})

export const rotateKeyRoute = operation('admin', {
  method: 'post',
  path: '/v1/keys/{keyId}/rotate',
  operationId: 'rotateKey',
  tags,
  summary: 'Rotate a key',
  description:
    'Creates a key with the same name, scope, projects and addresses, and shows it once. The old key keeps working for `overlapSeconds`, but not beyond its own expiry.',
  middleware: readJson,
  request: { params: keyParams, body: body(rotationSchema) },
  responses: {
    201: json('The new key. The response must not be cached.', createdKeySchema),
    ...problems(...guarded, ...withBody, 'key_not_active'),
  },
})
