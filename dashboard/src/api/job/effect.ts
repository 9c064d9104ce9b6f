// Readers, AI agents and failures of pages before and after the merge of a job's pull request.

import { queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

export type Effect = components['schemas']['Effect']

/** It changes once a day, until it has all its days. */
const staleMs = 3_600_000

export const effectQuery = (projectId: string, job: string) =>
  queryOptions({
    queryKey: ['effect', projectId, job],
    queryFn: ({ signal }) =>
      ask((api) =>
        api.GET('/v1/analytics/{projectId}/effect', { params: { path: { projectId }, query: { job } }, signal }),
      ),
    staleTime: staleMs,
    retry: false,
  })
