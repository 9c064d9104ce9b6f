// The operations on people and invitations. Only reading and accepting an invitation need no scope: its token is enough.

import { operationsOn } from '../../contract/operation.ts'
import { invitationParams, invitationTokenParams, personParams } from '../../contract/ids.ts'
import { body, empty, json } from '../../contract/responses.ts'
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

const operations = operationsOn('People')

export const listPeopleRoute = operations.get('whole service', '/v1/people', {
  operationId: 'listPeople',
  summary: 'List people',
  responses: { 200: json('The people.', peopleSchema) },
})

export const changeRoleRoute = operations.patch('whole service', '/v1/people/{personId}', {
  operationId: 'changeRole',
  summary: 'Change the role of a person',
  description:
    'The sessions of the person end. There must always be an admin. The invitations of a person who is an admin no longer are withdrawn; `keys` has the keys that the person made and that still work: revoke those that nobody else uses. Giving an admin the same role again confirms it, if it came from a key with limits.',
  request: { params: personParams, body: body(roleChangeSchema) },
  responses: { 200: json('The person.', changedPersonSchema) },
  codes: ['last_admin'],
})

export const removePersonRoute = operations.delete('whole service', '/v1/people/{personId}', {
  operationId: 'removePerson',
  summary: 'Remove a person',
  description:
    'The sessions of the person end, and their invitations are withdrawn; what they did stays. Keys that they made keep working: the response lists them, so that you can revoke them.',
  request: { params: personParams },
  responses: {
    200: json('The person is removed. This is what they had made.', leftSchema),
    204: empty('The person is removed, and left no working key and no invitation.'),
  },
  codes: ['last_admin'],
})

const invite = {
  summary: 'Invite a person',
  description:
    'Returns a link that is valid for 7 days: send it to the person. A second invitation of an address replaces the first.',
  request: { body: body(newInvitationSchema) },
  responses: { 201: json('The invitation. The response must not be cached.', shownInvitationSchema) },
  codes: ['person_exists'],
} as const

export const inviteRoute = operations.post('whole service', '/v1/invitations', {
  operationId: 'createInvitation',
  ...invite,
})

export const invitePersonRoute = operations.post('whole service', '/v1/people', {
  operationId: 'invitePerson',
  ...invite,
})

export const listInvitationsRoute = operations.get('whole service', '/v1/invitations', {
  operationId: 'listInvitations',
  summary: 'List invitations',
  responses: { 200: json('The invitations.', invitationsSchema) },
})

export const withdrawInvitationRoute = operations.delete('whole service', '/v1/invitations/{invitationId}', {
  operationId: 'withdrawInvitation',
  summary: 'Withdraw an invitation',
  description: 'Its link stops working.',
  request: { params: invitationParams },
  responses: { 204: empty('The invitation is withdrawn.') },
})

export const readInvitationRoute = operations.get('public', '/v1/invitations/{token}/accept', {
  operationId: 'getInvitation',
  summary: 'Get an invitation by its token',
  description: 'Returns who is invited, for the page on which the person accepts.',
  request: { params: invitationTokenParams },
  responses: { 200: json('The invitation.', invitationSchema) },
  codes: ['not_found'],
})

export const acceptInvitationRoute = operations.post('public', '/v1/invitations/{token}/accept', {
  operationId: 'acceptInvitation',
  summary: 'Accept an invitation',
  description: 'Creates the account of the person who was invited, and signs them in. A link works once.',
  request: { params: invitationTokenParams, body: body(acceptanceSchema) },
  responses: { 201: json('The session. Its cookie is in `Set-Cookie`.', sessionSchema) },
  codes: ['not_found', 'person_exists', 'sign_in_insecure', 'forbidden'],
})
