// The transcript of a job, one turn at a time: whole, where the events have only the beginnings.

import { queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

export type TranscriptTurn = components['schemas']['TranscriptTurn']

export const turnQuery = (
  projectId: string,
  id: string,
  { runId, turn }: { readonly runId: string; readonly turn: number },
) =>
  queryOptions({
    queryKey: ['job', projectId, id, 'turn', runId, turn],
    queryFn: ({ signal }) => {
      const params = { path: { projectId, id }, query: { runId, turn, limit: 1 } }
      return ask((api) => api.GET('/v2/agent/{projectId}/job/{id}/turns', { params, signal }))
    },
    staleTime: ({ state }) => (state.data?.turns[0]?.results ? Infinity : 0),
  })
