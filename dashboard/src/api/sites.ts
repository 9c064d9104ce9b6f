// The sites of a project: the web origins that its page views may come from.

import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import type { components } from './types.gen.ts'

export type Site = components['schemas']['Site']

export const sitesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['sites', projectId],
    queryFn: async ({ signal }) =>
      (await ask((api) => api.GET('/v1/projects/{projectId}/sites', { params: { path: { projectId } }, signal })))
        .sites,
  })

export function createSite(projectId: string, origin: string): Promise<Site> {
  const body = { name: origin.replace(/^https?:\/\//, '').slice(0, 100), origins: [origin], honoursOptOut: false }
  return ask((api) => api.POST('/v1/projects/{projectId}/sites', { params: { path: { projectId } }, body }))
}
