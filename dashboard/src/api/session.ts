// Who is signed in, and the calls that change it.

import { queryOptions } from '@tanstack/react-query'
import { ask } from './client.ts'
import type { components } from './types.gen.ts'

export type Session = components['schemas']['Session']
export type Role = components['schemas']['Role']

export function readSession(signal?: AbortSignal): Promise<Session> {
  return ask((api) => api.GET('/v1/session', signal === undefined ? {} : { signal }))
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => readSession(signal),
  staleTime: 60_000,
})

export function signIn(body: { readonly email: string; readonly password: string }): Promise<Session> {
  return ask((api) => api.POST('/v1/session', { body }))
}

export function signOut(everywhere: boolean): Promise<unknown> {
  return ask((api) => api.DELETE('/v1/session', { params: { query: { everywhere: everywhere ? 'true' : 'false' } } }))
}

const order: readonly Role[] = ['viewer', 'editor', 'admin']

export function may(session: Session | undefined, role: Role): boolean {
  const own = session?.person?.role
  return own !== undefined && order.indexOf(own) >= order.indexOf(role)
}
