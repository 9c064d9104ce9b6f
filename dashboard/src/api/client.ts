// Calls the API with the session's cookie. Every refusal becomes a `Problem`; a service that does not respond does too.

import createClient from 'openapi-fetch'
import { prefix } from '../base.ts'
import { Problem } from './problem.ts'
import type { paths } from './types.gen.ts'

const api = createClient<paths>({ baseUrl: prefix.replace(/\/$/, ''), credentials: 'same-origin' })

type Result<T> = { readonly data?: T; readonly error?: unknown; readonly response: Response }

/** Returns the body, or throws a `Problem`. `call`: `(api) => api.GET('/v1/projects')`. */
export async function ask<T>(call: (client: typeof api) => Promise<Result<T>>): Promise<T> {
  const result = await call(api).catch((error: unknown) => {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : Problem.unreachable(error)
  })
  if (!result.response.ok) throw Problem.from(result.response, result.error)
  return result.data as T
}
