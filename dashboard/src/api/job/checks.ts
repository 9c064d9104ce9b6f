// The review of a job's change by the service: problems that it introduced and fixed, losses, and what a reviewer must
// know. The service responds with 404 before the first run was checked, so ask only if `job.checks` is there.

import { queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import type { Job } from '../jobs.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

export type JobChecks = components['schemas']['JobChecks']
export type Finding = JobChecks['findings'][number]
export type ReviewNote = JobChecks['warnings'][number]
export type PageLoss = JobChecks['losses'][number]

type Checked = Pick<Job, 'id' | 'updatedAt'>

export const checksQuery = (projectId: string, { id, updatedAt }: Checked) =>
  queryOptions({
    queryKey: ['job', projectId, id, 'checks', updatedAt],
    queryFn: ({ signal }) => {
      const path = { projectId, id }
      return ask((api) => api.GET('/v2/agent/{projectId}/job/{id}/checks', { params: { path }, signal }))
    },
    placeholderData: (before) => before,
    staleTime: Infinity,
  })

export function readSarif(projectId: string, id: string): Promise<Blob> {
  const path = { projectId, id }
  return ask((api) => api.GET('/v2/agent/{projectId}/job/{id}/checks.sarif', { params: { path }, parseAs: 'blob' }))
}
