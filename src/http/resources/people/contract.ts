// The operations on people and invitations. Only reading and accepting an invitation need no scope: its token is enough.

import { operation } from '../../contract/operation.ts'
import { invitationParams, invitationTokenParams, personParams } from '../../contract/ids.ts'
import { body, guarded, headers, json, problems, withBody, withoutBody } from '../../contract/responses.ts'
import { ignoreBody, readJson } from '../../request/body.ts'
import { sessionSchema } from '../session/schemas.ts'
import {
  acceptanceSchema,
  changedPersonSchema,
  invitationSchema,
  invitationsSchema,
  leftSchema,
  newInvitationSchema,
  peopleSchema,
  roleChangeSchema,
  shownInvitationSchema,
} from './schemas.ts'

const tags = ['People']

export const listPeopleRoute = operation('whole service', {
  method: 'get',
  path: '/v1/people',
  operationId: 'listPeople',
  tags,
  summary: 'List people',
  responses: { 200: json('The people.', peopleSchema), ...problems('unauthenticated', 'forbidden') },
})

export const changeRoleRoute = operation('whole service', {
  method: 'patch',
  path: '/v1/people/{personId}',
  operationId: 'changeRole',
  tags,
  summary: 'Change the role of a person',
  description:
    'The sessions of the person end. There must always be an admin. The invitations of a person who is an admin no longer are withdrawn; `keys` has the keys that the person made and that still work: revoke those that nobody else uses. Giving an admin the same role again confirms it, if it came from a key with limits.',
  middleware: readJson,
  request: { params: personParams, body: body(roleChangeSchema) },
  responses: { 200: json('The person.', changedPersonSchema), ...problems(...guarded, ...withBody, 'last_admin') },
})

export const removePersonRoute = operation('whole service', {
  method: 'delete',
  path: '/v1/people/{personId}',
  operationId: 'removePerson',
  tags,
  summary: 'Remove a person',
  description:
    'The sessions of the person end, and their invitations are withdrawn; what they did stays. Keys that they made keep working: the response lists them, so that you can revoke them.',
  middleware: ignoreBody,
  request: { params: personParams },
  responses: {
    200: json('The person is removed. This is what they had made.', leftSchema),
    204: { description: 'The person is removed, and left no working key and no invitation.', headers: headers() },
    ...problems(...guarded, ...withoutBody, 'last_admin'),
  },
})

const inviteOperation = {
  tags,
  summary: 'Invite a person',
  description:
    'Returns a link that is valid for 7 days: send it to the person. A second invitation of an address replaces the first.',
  request: { body: body(newInvitationSchema) },
  responses: {
    201: json('The invitation. The response must not be cached.', shownInvitationSchema),
    ...problems('unauthenticated', 'forbidden', ...withBody, 'person_exists'),
  },
}

export const inviteRoute = operation('whole service', {
  ...inviteOperation,
  method: 'post',
  path: '/v1/invitations',
  operationId: 'createInvitation',
  middleware: readJson,
})

export const invitePersonRoute = operation('whole service', {
  ...inviteOperation,
  method: 'post',
  path: '/v1/people',
  operationId: 'invitePerson',
  middleware: readJson,
})

export const listInvitationsRoute = operation('whole service', {
  method: 'get',
  path: '/v1/invitations',
  operationId: 'listInvitations',
  tags,
  summary: 'List invitations',
  responses: { 200: json('The invitations.', invitationsSchema), ...problems('unauthenticated', 'forbidden') },
})

export const withdrawInvitationRoute = operation('whole service', {
  method: 'delete',
  path: '/v1/invitations/{invitationId}',
  operationId: 'withdrawInvitation',
  tags,
  summary: 'Withdraw an invitation',
  description: 'Its link stops working.',
  middleware: ignoreBody,
  request: { params: invitationParams },
  responses: {
    204: { description: 'The invitation is withdrawn.', headers: headers() },
    ...problems(...guarded, ...withoutBody),
  },
})

export const readInvitationRoute = operation('public', {
  method: 'get',
  path: '/v1/invitations/{token}/accept',
  operationId: 'getInvitation',
  tags,
  summary: 'Get an invitation by its token',
  description: 'Returns who is invited, for the page on which the person accepts.',
  request: { params: invitationTokenParams },
  responses: { 200: json('The invitation.', invitationSchema), ...problems('not_found') },
})

export const acceptInvitationRoute = operation('public', {
  method: 'post',
  path: '/v1/invitations/{token}/accept',
  operationId: 'acceptInvitation',
  tags,
  summary: 'Accept an invitation',
  description: 'Creates the account of the person who was invited, and signs them in. A link works once.',
  middleware: readJson,
  request: { params: invitationTokenParams, body: body(acceptanceSchema) },
  responses: {
    201: json('The session. Its cookie is in `Set-Cookie`.', sessionSchema),
    ...problems('not_found', 'person_exists', 'sign_in_insecure', 'forbidden', ...withBody),
  },
})
