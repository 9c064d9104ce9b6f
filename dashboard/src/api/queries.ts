// The cache of what the API returned. Whatever is refused for good is not asked again; the end of a session shows at once.

import { QueryCache, QueryClient } from '@tanstack/react-query'
import { Problem } from './problem.ts'

const mostRetries = 3

export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < mostRetries && isPassing(error),
      retryDelay: (failures, error) => waitOf(error) ?? Math.min(1_000 * 2 ** failures, 15_000),
    },
    mutations: { retry: false },
  },
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof Problem && error.status === 401) void queries.invalidateQueries({ queryKey: ['session'] })
    },
  }),
})

function isPassing(error: unknown): boolean {
  return error instanceof Problem && [0, 429, 502, 503, 504].includes(error.status)
}

function waitOf(error: unknown): number | undefined {
  return error instanceof Problem && error.retryAfter !== undefined ? error.retryAfter * 1_000 : undefined
}
