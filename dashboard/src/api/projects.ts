// Projects.

import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import type { components } from './types.gen.ts'

export type Project = components['schemas']['Project']

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await ask((api) => api.GET('/v1/projects', { signal }))).projects,
})

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId],
    queryFn: ({ signal }) =>
      ask((api) => api.GET('/v1/projects/{projectId}', { params: { path: { projectId } }, signal })),
  })
