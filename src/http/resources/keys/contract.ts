// The operations on keys. All need the scope `admin`; no key can grant more than it has, or show keys that can do more.

import { operationsOn } from '../../contract/operation.ts'
import { keyParams } from '../../contract/ids.ts'
import { createdKeySchema, keysSchema, newKeySchema, rotationSchema } from './schemas.ts'
import { body, empty, json } from '../../contract/responses.ts'

const operations = operationsOn('Keys')

export const listKeysRoute = operations.get('admin', '/v1/keys', {
  operationId: 'listKeys',
  summary: 'List keys',
  description: 'A key that is limited to projects sees only keys that are limited to those projects.',
  responses: { 200: json('The keys.', keysSchema) },
})

export const createKeyRoute = operations.post('admin', '/v1/keys', {
  operationId: 'createKey',
  summary: 'Create a key',
  description:
    'The response is the only place that shows the key: the service keeps a digest. A key cannot create one with more scope, projects, time or addresses than it has itself.',
  request: { body: body(newKeySchema) },
  responses: { 201: json('The new key. The response must not be cached.', createdKeySchema) },
})

export const revokeKeyRoute = operations.delete('admin', '/v1/keys/{keyId}', {
  operationId: 'revokeKey',
  summary: 'Revoke a key',
  description: 'Revoking a revoked key changes nothing.',
  request: { params: keyParams },
  responses: { 204: empty('The key is revoked.') },
})

export const rotateKeyRoute = operations.post('admin', '/v1/keys/{keyId}/rotate', {
  operationId: 'rotateKey',
  summary: 'Rotate a key',
  description:
    'Creates a key with the same name, scope, projects and addresses, and shows it once. The old key keeps working for `overlapSeconds`, but not beyond its own expiry.',
  request: { params: keyParams, body: body(rotationSchema) },
  responses: { 201: json('The new key. The response must not be cached.', createdKeySchema) },
  codes: ['key_not_active'],
})
