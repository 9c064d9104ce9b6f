// The things that need attention in all projects, and the newest jobs.

import { queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

export type Overview = components['schemas']['Overview']

const soon = 3_000
const later = 20_000

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => ask((api) => api.GET('/v1/overview', { signal })),
  refetchInterval: ({ state }) =>
    state.data?.latest.some(({ status }) => status === 'active') === true ? soon : later,
})
