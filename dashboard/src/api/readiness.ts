// The state of the service that anyone may ask for.

import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'

export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: () => ask((api) => api.GET('/readyz')),
  staleTime: 60_000,
})
