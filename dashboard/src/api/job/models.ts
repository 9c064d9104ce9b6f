// The models that projects can use now.

import { queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'

export const usableModelsQuery = queryOptions({
  queryKey: ['usable-models'],
  queryFn: async ({ signal }) => (await ask((api) => api.GET('/v1/models', { signal }))).models,
  staleTime: 60_000,
})
