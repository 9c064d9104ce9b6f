// API keys.

import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import type { components } from '../../../client/src/api/types.gen.ts'

export type Key = components['schemas']['Key']
export type NewKey = components['schemas']['NewKey']
export type CreatedKey = components['schemas']['CreatedKey']

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await ask((api) => api.GET('/v1/keys', { signal }))).keys,
})

export const createKey = (body: NewKey): Promise<CreatedKey> => ask((api) => api.POST('/v1/keys', { body }))

export const rotateKey = (keyId: string, overlapSeconds: number): Promise<CreatedKey> =>
  ask((api) => api.POST('/v1/keys/{keyId}/rotate', { params: { path: { keyId } }, body: { overlapSeconds } }))

export const revokeKey = (keyId: string) =>
  ask((api) => api.DELETE('/v1/keys/{keyId}', { params: { path: { keyId } } }))
