// The operations on people and invitations. Only reading and accepting an invitation need no scope: its token is enough.

import { createRoute } from '@hono/zod-openapi'
import { invitationParams, invitationTokenParams, personParams } from '../../contract/ids.ts'
import { body, guarded, headers, json, problems, withBody, withoutBody } from '../../contract/responses.ts'
import { requireAdmin } from '../../request/auth.ts'
import { ignoreBody, readJson } from '../../request/body.ts'
import { sessionSchema } from '../session/schemas.ts'
import {
  acceptanceSchema,
  invitationSchema,
  invitationsSchema,
  newInvitationSchema,
  peopleSchema,
  personSchema,
  roleChangeSchema,
  shownInvitationSchema,
} from './schemas.ts'

const tags = ['People']

export const listPeopleRoute = createRoute({
  method: 'get',
  path: '/v1/people',
  operationId: 'listPeople',
  tags,
  summary: 'List people',
  description: 'Needs the scope `admin`.',
  middleware: requireAdmin,
  responses: { 200: json('The people.', peopleSchema), ...problems('unauthenticated', 'forbidden') },
})

export const changeRoleRoute = createRoute({
  method: 'patch',
  path: '/v1/people/{personId}',
  operationId: 'changeRole',
  tags,
  summary: 'Change the role of a person',
  description: 'Needs the scope `admin`. The sessions of the person end. There must always be an admin.',
  middleware: [requireAdmin, readJson] as const,
  request: { params: personParams, body: body(roleChangeSchema) },
  responses: { 200: json('The person.', personSchema), ...problems(...guarded, ...withBody, 'last_admin') },
})

export const removePersonRoute = createRoute({
  method: 'delete',
  path: '/v1/people/{personId}',
  operationId: 'removePerson',
  tags,
  summary: 'Remove a person',
  description: 'Needs the scope `admin`. The sessions of the person end; what they did stays.',
  middleware: [requireAdmin, ignoreBody] as const,
  request: { params: personParams },
  responses: {
    204: { description: 'The person is removed.', headers: headers() },
    ...problems(...guarded, ...withoutBody, 'last_admin'),
  },
})

const inviteOperation = {
  tags,
  summary: 'Invite a person',
  description:
    'Needs the scope `admin`. Returns a link that is valid for 7 days: send it to the person. A second invitation of an address replaces the first.',
  request: { body: body(newInvitationSchema) },
  responses: {
    201: json('The invitation. The response must not be cached.', shownInvitationSchema),
    ...problems('unauthenticated', 'forbidden', ...withBody, 'person_exists'),
  },
}

export const inviteRoute = createRoute({
  ...inviteOperation,
  method: 'post',
  path: '/v1/invitations',
  operationId: 'createInvitation',
  middleware: [requireAdmin, readJson] as const,
})

export const invitePersonRoute = createRoute({
  ...inviteOperation,
  method: 'post',
  path: '/v1/people',
  operationId: 'invitePerson',
  middleware: [requireAdmin, readJson] as const,
})

export const listInvitationsRoute = createRoute({
  method: 'get',
  path: '/v1/invitations',
  operationId: 'listInvitations',
  tags,
  summary: 'List invitations',
  description: 'Needs the scope `admin`.',
  middleware: requireAdmin,
  responses: { 200: json('The invitations.', invitationsSchema), ...problems('unauthenticated', 'forbidden') },
})

export const withdrawInvitationRoute = createRoute({
  method: 'delete',
  path: '/v1/invitations/{invitationId}',
  operationId: 'withdrawInvitation',
  tags,
  summary: 'Withdraw an invitation',
  description: 'Needs the scope `admin`. Its link stops working.',
  middleware: [requireAdmin, ignoreBody] as const,
  request: { params: invitationParams },
  responses: {
    204: { description: 'The invitation is withdrawn.', headers: headers() },
    ...problems(...guarded, ...withoutBody),
  },
})

export const readInvitationRoute = createRoute({
  method: 'get',
  path: '/v1/invitations/{token}/accept',
  operationId: 'getInvitation',
  tags,
  security: [],
  summary: 'Get an invitation by its token',
  description: 'Returns who is invited, for the page on which the person accepts.',
  request: { params: invitationTokenParams },
  responses: { 200: json('The invitation.', invitationSchema), ...problems('not_found') },
})

export const acceptInvitationRoute = createRoute({
  method: 'post',
  path: '/v1/invitations/{token}/accept',
  operationId: 'acceptInvitation',
  tags,
  security: [],
  summary: 'Accept an invitation',
  description: 'Creates the account of the person who was invited, and signs them in. A link works once.',
  middleware: readJson,
  request: { params: invitationTokenParams, body: body(acceptanceSchema) },
  responses: {
    201: json('The session. Its cookie is in `Set-Cookie`.', sessionSchema),
    ...problems('not_found', 'person_exists', 'sign_in_insecure', 'forbidden', ...withBody),
  },
})
