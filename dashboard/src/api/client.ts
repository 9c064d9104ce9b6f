// Calls the API with the session's cookie. Every refusal becomes a `Problem`; a service that does not respond does too.

import createClient from 'openapi-fetch'
import { prefix } from '../base.ts'
import { Problem } from './problem.ts'
import { reportService } from './service.ts'
import type { paths } from '../../../client/src/api/types.gen.ts'

const api = createClient<paths>({ baseUrl: prefix.replace(/\/$/, ''), credentials: 'same-origin' })

const goneStatuses: readonly number[] = [502, 503, 504]

type Result<T> = { readonly data?: T; readonly error?: unknown; readonly response: Response }

/** Returns the body, or throws a `Problem`. `call`: `(api) => api.GET('/v1/projects')`. */
export async function ask<T>(call: (client: typeof api) => Promise<Result<T>>): Promise<T> {
  const result = await call(api).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    reportService(false)
    throw Problem.unreachable(error)
  })
  reportService(!isFromProxy(result))
  if (!result.response.ok) throw Problem.from(result.response, result.error)
  return result.data as T
}

/** Does a proxy say that the service is gone? A refusal of the service itself has a code. */
function isFromProxy({ response, error }: Result<unknown>): boolean {
  if (!goneStatuses.includes(response.status)) return false
  return !(typeof error === 'object' && error !== null && 'code' in error)
}
