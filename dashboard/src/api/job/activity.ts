// The activity on the pull requests of a job, as the service last read it from the forge.

import { infiniteQueryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

export type Activity = components['schemas']['Activity']

/** Milliseconds. The service reads a pull request once a minute at most. */
const often = 15_000

export const activityQuery = (projectId: string, id: string, isOpen: boolean) =>
  infiniteQueryOptions({
    queryKey: ['job', projectId, id, 'activity'],
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === '' ? {} : { cursor: pageParam }
      const params = { path: { projectId, id }, query }
      return ask((api) => api.GET('/v2/agent/{projectId}/job/{id}/activity', { params, signal }))
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: isOpen ? often : false,
  })
