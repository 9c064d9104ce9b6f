// The operations on the GitHub Apps of the installation. They belong to no project, so a key needs all projects.

import { operation } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { body, guarded, headers, json, problems, withBody, withoutBody } from '../../contract/responses.ts'
import { ignoreBody, readJson } from '../../request/body.ts'
import {
  begunForgeAppSchema,
  forgeAppCheckSchema,
  forgeAppSchema,
  forgeAppsSchema,
  givenForgeAppSchema,
  newForgeAppSchema,
} from './schemas.ts'

const tags = ['Forge apps']
const asksGitHub = ['repository_unauthorized', 'forge_unavailable', 'forge_rate_limited', 'forge_refused'] as const

const params = z.object({
  forgeAppId: z
    .string()
    .regex(/^app_[0-9a-z]{20}$/)
    .openapi({ description: 'The id of the forge app.', example: 'app_0123456789abcdefghij' }),
})

export const listForgeAppsRoute = operation('all projects', {
  method: 'get',
  path: '/v1/forge-apps',
  operationId: 'listForgeApps',
  tags,
  summary: 'List forge apps',
  description: 'Returns the GitHub Apps of this service; their private keys are never shown.',
  responses: { 200: json('The forge apps.', forgeAppsSchema), ...problems('unauthenticated', 'forbidden') },
})

export const beginForgeAppRoute = operation('all projects', {
  method: 'post',
  path: '/v1/forge-apps',
  operationId: 'beginForgeApp',
  tags,
  summary: 'Start creating a GitHub App',
  description:
    'Returns a page of this service that sends a person to GitHub, where the App is created with one click. The App is stored when they return. There can be one App per GitHub server.',
  middleware: readJson,
  request: { body: body(newForgeAppSchema) },
  responses: {
    200: json('The page to open. The response must not be cached.', begunForgeAppSchema),
    ...problems('unauthenticated', 'forbidden', ...withBody),
  },
})

export const setForgeAppRoute = operation('all projects', {
  method: 'put',
  path: '/v1/forge-apps',
  operationId: 'setForgeApp',
  tags,
  summary: 'Store an existing GitHub App',
  description:
    'Checks at GitHub that the id and the private key belong together. Replaces the App on the same GitHub server; use this to rotate a key, too.',
  middleware: readJson,
  request: { body: body(givenForgeAppSchema) },
  responses: {
    200: json('The forge app.', forgeAppSchema),
    ...problems('unauthenticated', 'forbidden', ...withBody, ...asksGitHub),
  },
})

export const deleteForgeAppRoute = operation('all projects', {
  method: 'delete',
  path: '/v1/forge-apps/{forgeAppId}',
  operationId: 'deleteForgeApp',
  tags,
  summary: 'Delete a forge app',
  description: 'Deletes the App and its private key from this service. The App stays on GitHub: delete it there, too.',
  middleware: ignoreBody,
  request: { params },
  responses: {
    204: { description: 'The forge app is deleted.', headers: headers() },
    ...problems(...guarded, ...withoutBody),
  },
})

export const checkForgeAppRoute = operation('all projects', {
  method: 'post',
  path: '/v1/forge-apps/{forgeAppId}/check',
  operationId: 'checkForgeApp',
  tags,
  summary: 'Check a forge app',
  description: 'Asks GitHub which permissions the App has, and where it is installed.',
  middleware: ignoreBody,
  request: { params },
  responses: {
    200: json('The permissions and installations of the App, as GitHub shows them.', forgeAppCheckSchema),
    ...problems(...guarded, ...withoutBody, ...asksGitHub),
  },
})
