// Links that show the statistics of a project without an account.

import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import type { components } from '../../../client/src/api/types.gen.ts'

export type Share = components['schemas']['Share']
export type CreatedShare = components['schemas']['CreatedShare']

export const sharesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['shares', projectId],
    queryFn: async ({ signal }) =>
      (await ask((api) => api.GET('/v1/projects/{projectId}/shares', { params: { path: { projectId } }, signal })))
        .shares,
  })

export function createShare(
  projectId: string,
  body: { readonly name: string; readonly expiresAt: string | null },
): Promise<CreatedShare> {
  return ask((api) => api.POST('/v1/projects/{projectId}/shares', { params: { path: { projectId } }, body }))
}

export function revokeShare(projectId: string, shareId: string): Promise<unknown> {
  return ask((api) =>
    api.DELETE('/v1/projects/{projectId}/shares/{shareId}', { params: { path: { projectId, shareId } } }),
  )
}
