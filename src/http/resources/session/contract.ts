// The operations with which people sign in and out. They take the cookie of a session, and never a key.

import { operationsOn } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { sessionParams } from '../../contract/ids.ts'
import { body, empty, json } from '../../contract/responses.ts'
import {
  linkSchema,
  ownSessionsSchema,
  passwordChangeSchema,
  sessionSchema,
  setupSchema,
  signInSchema,
} from './schemas.ts'

const operations = operationsOn('People')
/** The name of the security scheme in the document. */
const cookie = [{ session: [] }]

const sessionStarted = json('The session. Its cookie is in `Set-Cookie`.', sessionSchema)

export const getSessionRoute = operations.get('public', '/v1/session', {
  operationId: 'getSession',
  security: [...cookie, {}],
  summary: 'Get the session',
  description: 'Returns who is signed in. Returns 200 also when nobody is.',
  responses: { 200: json('The session.', sessionSchema) },
})

export const signInRoute = operations.post('public', '/v1/session', {
  operationId: 'signIn',
  summary: 'Sign in',
  description:
    'Starts a session of 30 days. Only pages of this service can send this request. After 10 wrong passwords for an account from one address within 15 minutes, further attempts from there wait.',
  request: { body: body(signInSchema) },
  responses: { 200: sessionStarted },
  codes: ['sign_in_refused', 'sign_in_insecure', 'forbidden', 'too_many_attempts'],
})

export const signOutRoute = operations.delete('public', '/v1/session', {
  operationId: 'signOut',
  security: [...cookie, {}],
  summary: 'Sign out',
  description: 'Ends the session. `everywhere=true` ends all sessions of the person.',
  request: { query: z.object({ everywhere: z.enum(['true', 'false']).default('false') }) },
  responses: { 204: empty('The session has ended.') },
  codes: ['forbidden'],
})

export const changePasswordRoute = operations.put('session', '/v1/session/password', {
  operationId: 'changePassword',
  summary: 'Change the password',
  description: 'Changes the password of the person who is signed in, ends all their sessions, and starts a new one.',
  request: { body: body(passwordChangeSchema) },
  responses: { 204: empty('The password has changed. The cookie of the new session is in `Set-Cookie`.') },
  codes: ['too_many_attempts'],
})

export const listSessionsRoute = operations.get('session', '/v1/sessions', {
  operationId: 'listSessions',
  summary: 'List your sessions',
  description: 'Lists where the person who is signed in is signed in, the latest first.',
  responses: { 200: json('The sessions.', ownSessionsSchema) },
})

export const endSessionRoute = operations.delete('session', '/v1/sessions/{sessionId}', {
  operationId: 'endSession',
  summary: 'End one of your sessions',
  description: 'That browser has to sign in again.',
  request: { params: sessionParams },
  responses: { 204: empty('The session has ended.') },
})

export const setUpRoute = operations.post('public', '/v1/setup', {
  operationId: 'setUp',
  summary: 'Create the first account',
  description:
    'Creates the first person, an admin, and signs them in. It needs the token of the link that `docent serve` prints while there is no account.',
  request: { body: body(setupSchema) },
  responses: { 201: sessionStarted },
  codes: ['setup_done', 'person_exists', 'sign_in_insecure', 'forbidden'],
})

export const useLinkRoute = operations.post('public', '/v1/session/link', {
  operationId: 'signInByLink',
  summary: 'Sign in by a link',
  description:
    'Signs a person in with the token of a link that works once, within an hour. The link of `docent person reset` also needs a new password, and ends the other sessions of the person.',
  request: { body: body(linkSchema) },
  responses: { 200: sessionStarted },
  codes: ['sign_in_insecure', 'forbidden', 'not_found'],
})
