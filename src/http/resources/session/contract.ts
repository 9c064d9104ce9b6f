// The operations with which people sign in and out. They take the cookie of a session, and never a key.

import { operation } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { ignoreBody, readJson } from '../../request/body.ts'
import { sessionParams } from '../../contract/ids.ts'
import { body, headers, json, problems, withBody, withoutBody } from '../../contract/responses.ts'
import {
  linkSchema,
  ownSessionsSchema,
  passwordChangeSchema,
  sessionSchema,
  setupSchema,
  signInSchema,
} from './schemas.ts'

const tags = ['People']
/** The name of the security scheme in the document. */
const cookie = [{ session: [] }]

const sessionStarted = json('The session. Its cookie is in `Set-Cookie`.', sessionSchema)

export const getSessionRoute = operation('public', {
  method: 'get',
  path: '/v1/session',
  operationId: 'getSession',
  tags,
  security: [...cookie, {}],
  summary: 'Get the session',
  description: 'Returns who is signed in. Returns 200 also when nobody is.',
  responses: { 200: json('The session.', sessionSchema), ...problems() },
})

export const signInRoute = operation('public', {
  method: 'post',
  path: '/v1/session',
  operationId: 'signIn',
  tags,
  summary: 'Sign in',
  description:
    'Starts a session of 30 days. Only pages of this service can send this request. After 10 wrong passwords for an account from one address within 15 minutes, further attempts from there wait.',
  middleware: readJson,
  request: { body: body(signInSchema) },
  responses: {
    200: sessionStarted,
    ...problems('sign_in_refused', 'sign_in_insecure', 'forbidden', 'too_many_attempts', ...withBody),
  },
})

export const signOutRoute = operation('public', {
  method: 'delete',
  path: '/v1/session',
  operationId: 'signOut',
  tags,
  security: [...cookie, {}],
  summary: 'Sign out',
  description: 'Ends the session. `everywhere=true` ends all sessions of the person.',
  middleware: ignoreBody,
  request: { query: z.object({ everywhere: z.enum(['true', 'false']).default('false') }) },
  responses: {
    204: { description: 'The session has ended.', headers: headers() },
    ...problems('invalid_input', 'forbidden', ...withoutBody),
  },
})

export const changePasswordRoute = operation('session', {
  method: 'put',
  path: '/v1/session/password',
  operationId: 'changePassword',
  tags,
  summary: 'Change the password',
  description: 'Changes the password of the person who is signed in, ends all their sessions, and starts a new one.',
  middleware: readJson,
  request: { body: body(passwordChangeSchema) },
  responses: {
    204: {
      description: 'The password has changed. The cookie of the new session is in `Set-Cookie`.',
      headers: headers(),
    },
    ...problems('unauthenticated', 'forbidden', 'too_many_attempts', ...withBody),
  },
})

export const listSessionsRoute = operation('session', {
  method: 'get',
  path: '/v1/sessions',
  operationId: 'listSessions',
  tags,
  summary: 'List your sessions',
  description: 'Lists where the person who is signed in is signed in, the latest first.',
  responses: { 200: json('The sessions.', ownSessionsSchema), ...problems('unauthenticated') },
})

export const endSessionRoute = operation('session', {
  method: 'delete',
  path: '/v1/sessions/{sessionId}',
  operationId: 'endSession',
  tags,
  summary: 'End one of your sessions',
  description: 'That browser has to sign in again.',
  middleware: ignoreBody,
  request: { params: sessionParams },
  responses: {
    204: { description: 'The session has ended.', headers: headers() },
    ...problems('unauthenticated', 'forbidden', 'not_found', ...withoutBody),
  },
})

export const setUpRoute = operation('public', {
  method: 'post',
  path: '/v1/setup',
  operationId: 'setUp',
  tags,
  summary: 'Create the first account',
  description:
    'Creates the first person, an admin, and signs them in. It needs the token of the link that `docent serve` prints while there is no account.',
  middleware: readJson,
  request: { body: body(setupSchema) },
  responses: {
    201: sessionStarted,
    ...problems('setup_done', 'person_exists', 'sign_in_insecure', 'forbidden', ...withBody),
  },
})

export const useLinkRoute = operation('public', {
  method: 'post',
  path: '/v1/session/link',
  operationId: 'signInByLink',
  tags,
  summary: 'Sign in by a link',
  description:
    'Signs a person in with the token of a link that works once, within an hour. The link of `docent person reset` also needs a new password, and ends the other sessions of the person.',
  middleware: readJson,
  request: { body: body(linkSchema) },
  responses: { 200: sessionStarted, ...problems('sign_in_insecure', 'forbidden', 'not_found', ...withBody) },
})
