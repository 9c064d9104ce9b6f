// The pull request of a job as it is now: whether its base has moved on, and bringing the branch up to date.

import { queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import type { components } from '../types.gen.ts'

export type PullNow = components['schemas']['PullRequestNow']

/** The service looks at the repository at most once a minute. */
const refetchInterval = 60_000

export const pullOfJobQuery = (projectId: string, number: number) =>
  queryOptions({
    queryKey: ['pull', projectId, number],
    queryFn: ({ signal }) =>
      ask((api) =>
        api.GET('/v1/projects/{projectId}/pulls/{number}', { params: { path: { projectId, number } }, signal }),
      ),
    refetchInterval,
  })

export const updateBranch = (projectId: string, number: number) =>
  ask((api) => api.POST('/v1/projects/{projectId}/pulls/{number}/update', { params: { path: { projectId, number } } }))
