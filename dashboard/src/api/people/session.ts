// Who is signed in, and the calls that change it.

import { queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import type { Project } from '../projects.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

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

export type OwnSession = components['schemas']['OwnSession']

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await ask((api) => api.GET('/v1/sessions', { signal }))).sessions,
})

export const endSession = (sessionId: string) =>
  ask((api) => api.DELETE('/v1/sessions/{sessionId}', { params: { path: { sessionId } } }))

export const changePassword = (body: { readonly currentPassword: string; readonly password: string }) =>
  ask((api) => api.PUT('/v1/session/password', { body }))

/** Warns a person before a message to a job publishes their address. Undefined: it does not. */
export function creditOf(session: Session | undefined, { coAuthors }: Project): string | undefined {
  const person = session?.person
  if (!person || coAuthors === 'nobody') return undefined
  const where = coAuthors === 'private' ? 'If the repository is private, the' : 'The'
  return `${where} commits of the job name you as a co-author, with your e-mail address ${person.email}.`
}

const order: readonly Role[] = ['viewer', 'editor', 'admin']

export function may(session: Session | undefined, role: Role): boolean {
  const own = session?.person?.role
  return own !== undefined && order.indexOf(own) >= order.indexOf(role)
}
