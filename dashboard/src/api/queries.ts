// The cache of what the API returned. A request that is refused for good is not sent again. The end of a session and a
// changed role show at once.

import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Problem } from './problem.ts'

const mostRetries = 3
const longestDelayMs = 5_000
/** A refusal for longer shows at once, with its words. */
const longestWaitMs = 60_000

export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      networkMode: 'always',
      // While the service is gone, pages keep what they show, and the banner of the frame says so.
      retry: (failures, error) => isGone(error) || (failures < mostRetries && isPassing(error)),
      retryDelay: (failures, error) => waitOf(error) ?? Math.min(1_000 * 2 ** failures, longestDelayMs),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: lookAtSession }),
  mutationCache: new MutationCache({ onError: lookAtSession }),
})

/** After a refusal: is the person still signed in, and with which role? */
function lookAtSession(error: unknown): void {
  if (!(error instanceof Problem) || ![401, 403].includes(error.status)) return
  void queries.invalidateQueries({ queryKey: ['session'] })
}

function isGone(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unreachable'
}

function isPassing(error: unknown): boolean {
  return (
    error instanceof Problem && [429, 502, 503, 504].includes(error.status) && (waitOf(error) ?? 0) <= longestWaitMs
  )
}

function waitOf(error: unknown): number | undefined {
  return error instanceof Problem && error.retryAfter !== undefined ? error.retryAfter * 1_000 : undefined
}
