// Saved segments of a project: filters of the statistics under a name.

import { queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import { queries } from '../queries.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

export type Segment = components['schemas']['Segment']
export type NewSegment = components['schemas']['NewSegment']

/** By name. */
export const segmentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'segments'],
    queryFn: async ({ signal }) =>
      (await ask((api) => api.GET('/v1/projects/{projectId}/segments', { params: { path: { projectId } }, signal })))
        .segments,
    refetchOnMount: 'always',
  })

export async function createSegment(projectId: string, body: NewSegment): Promise<Segment> {
  const made = await ask((api) =>
    api.POST('/v1/projects/{projectId}/segments', { params: { path: { projectId } }, body }),
  )
  await refresh(projectId)
  return made
}

export async function deleteSegment(projectId: string, segmentId: string): Promise<void> {
  const given = { params: { path: { projectId, segmentId } } }
  await ask((api) => api.DELETE('/v1/projects/{projectId}/segments/{segmentId}', given))
  await refresh(projectId)
}

function refresh(projectId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: segmentsQuery(projectId).queryKey })
}
