// People, invitations and the audit log.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ask } from '../client.ts'
import type { Role } from './session.ts'
import type { components } from '../../../../client/src/api/types.gen.ts'

export type Person = components['schemas']['Person']
export type Invitation = components['schemas']['Invitation']
export type AuditEntry = components['schemas']['AuditEntry']

export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: async ({ signal }) => (await ask((api) => api.GET('/v1/people', { signal }))).people,
})

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => (await ask((api) => api.GET('/v1/invitations', { signal }))).invitations,
})

export const invite = (body: { readonly email: string; readonly role: Role }) =>
  ask((api) => api.POST('/v1/invitations', { body }))

export const withdraw = (invitationId: string) =>
  ask((api) => api.DELETE('/v1/invitations/{invitationId}', { params: { path: { invitationId } } }))

export const changeRole = (personId: string, role: Role) =>
  ask((api) => api.PATCH('/v1/people/{personId}', { params: { path: { personId } }, body: { role } }))

/** Made by an admin who is one no longer. */
export type Left = components['schemas']['RemovedPerson']

/** Undefined: nothing that works. */
export const removePerson = (personId: string): Promise<Left | undefined> =>
  ask((api) => api.DELETE('/v1/people/{personId}', { params: { path: { personId } } }))

export type AuditFilter = { readonly projectId?: string | undefined; readonly actorId?: string | undefined }

export const auditQuery = ({ projectId, actorId }: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', projectId, actorId],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...(projectId === undefined ? {} : { projectId }),
        ...(actorId === undefined ? {} : { actorId }),
        ...(pageParam === '' ? {} : { cursor: pageParam }),
      }
      return ask((api) => api.GET('/v1/audit', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
