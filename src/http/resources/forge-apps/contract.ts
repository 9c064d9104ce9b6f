// The operations on the GitHub Apps of the installation. They belong to no project, so a key needs all projects.

import { operationsOn } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { body, empty, json } from '../../contract/responses.ts'
import {
  begunForgeAppSchema,
  forgeAppCheckSchema,
  forgeAppSchema,
  forgeAppsSchema,
  givenForgeAppSchema,
  newForgeAppSchema,
} from './schemas.ts'

const operations = operationsOn('Forge apps')
const asksGitHub = ['repository_unauthorized', 'forge_unavailable', 'forge_rate_limited', 'forge_refused'] as const

const params = z.object({
  forgeAppId: z
    .string()
    .regex(/^app_[0-9a-z]{20}$/)
    .openapi({ description: 'The id of the forge app.', example: 'app_0123456789abcdefghij' }),
})

export const listForgeAppsRoute = operations.get('all projects', '/v1/forge-apps', {
  operationId: 'listForgeApps',
  summary: 'List forge apps',
  description: 'Returns the GitHub Apps of this service; their private keys are never shown.',
  responses: { 200: json('The forge apps.', forgeAppsSchema) },
})

export const beginForgeAppRoute = operations.post('all projects', '/v1/forge-apps', {
  operationId: 'beginForgeApp',
  summary: 'Start creating a GitHub App',
  description:
    'Returns a page of this service that sends a person to GitHub, where the App is created with one click. The App is stored when they return. There can be one App per GitHub server.',
  request: { body: body(newForgeAppSchema) },
  responses: { 200: json('The page to open. The response must not be cached.', begunForgeAppSchema) },
})

export const setForgeAppRoute = operations.put('all projects', '/v1/forge-apps', {
  operationId: 'setForgeApp',
  summary: 'Store an existing GitHub App',
  description:
    'Checks at GitHub that the id and the private key belong together. Replaces the App on the same GitHub server; use this to rotate a key, too.',
  request: { body: body(givenForgeAppSchema) },
  responses: { 200: json('The forge app.', forgeAppSchema) },
  codes: asksGitHub,
})

export const deleteForgeAppRoute = operations.delete('all projects', '/v1/forge-apps/{forgeAppId}', {
  operationId: 'deleteForgeApp',
  summary: 'Delete a forge app',
  description: 'Deletes the App and its private key from this service. The App stays on GitHub: delete it there, too.',
  request: { params },
  responses: { 204: empty('The forge app is deleted.') },
})

export const checkForgeAppRoute = operations.post('all projects', '/v1/forge-apps/{forgeAppId}/check', {
  operationId: 'checkForgeApp',
  summary: 'Check a forge app',
  description: 'Asks GitHub which permissions the App has, and where it is installed.',
  request: { params },
  responses: { 200: json('The permissions and installations of the App, as GitHub shows them.', forgeAppCheckSchema) },
  codes: asksGitHub,
})
