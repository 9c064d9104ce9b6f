// The operations on pull requests that Docent keeps itself, and their public page.

import { createRoute, z } from '@hono/zod-openapi'
import { ignoreBody } from '../../request/body.ts'
import { projectParams, pullParams, tokenParams } from '../../contract/ids.ts'
import { pullListQuery, pullSchema, pullsSchema } from './schemas.ts'
import { guarded, headers, json, problems } from '../../contract/responses.ts'
import { diffResponses } from '../jobs/contract.ts'

const path = '/v1/projects/{projectId}/pulls'
const tags = ['Pull requests']
const repositories = ['repository_unreachable', 'repository_unauthorized', 'repository_invalid'] as const
const emptyBody = ['payload_too_large', 'unsupported_media_type'] as const

export const listPullsRoute = createRoute({
  method: 'get',
  path,
  operationId: 'listPulls',
  tags,
  summary: 'List pull requests',
  request: { params: projectParams, query: pullListQuery },
  responses: { 200: json('The pull requests.', pullsSchema), ...problems(...guarded, 'invalid_input') },
})

export const getPullRoute = createRoute({
  method: 'get',
  path: `${path}/{number}`,
  operationId: 'getPull',
  tags,
  summary: 'Get a pull request',
  request: { params: pullParams },
  responses: { 200: json('The pull request.', pullSchema), ...problems(...guarded) },
})

export const diffPullRoute = createRoute({
  method: 'get',
  path: `${path}/{number}/diff`,
  operationId: 'getPullDiff',
  tags,
  summary: 'Get what a pull request changes',
  description: 'By file with `Accept: application/json`.',
  request: { params: pullParams },
  responses: { 200: diffResponses(), ...problems(...guarded, ...repositories) },
})

export const mergePullRoute = createRoute({
  method: 'post',
  path: `${path}/{number}/merge`,
  operationId: 'mergePull',
  tags,
  summary: 'Merge a pull request',
  description:
    'Merges the branch as it is now into its base: a fast-forward when that is possible, else a merge commit.',
  middleware: ignoreBody,
  request: { params: pullParams },
  responses: {
    200: json('The pull request, `merged`.', pullSchema),
    ...problems(
      ...guarded,
      ...emptyBody,
      'pull_not_open',
      'merge_conflict',
      ...repositories,
      'repository_empty',
      'repository_too_large',
      'base_not_found',
      'forge_refused',
    ),
  },
})

export const closePullRoute = createRoute({
  method: 'post',
  path: `${path}/{number}/close`,
  operationId: 'closePull',
  tags,
  summary: 'Close a pull request',
  middleware: ignoreBody,
  request: { params: pullParams },
  responses: {
    200: json('The pull request, `closed`.', pullSchema),
    ...problems(...guarded, ...emptyBody, 'pull_not_open'),
  },
})

export const pullPageRoute = createRoute({
  method: 'get',
  path: '/pulls/{token}',
  operationId: 'showPull',
  tags,
  summary: 'Show a pull request to people',
  description: 'The page behind `link` and `prLink`. Needs no key: whoever has the link may read it.',
  security: [],
  request: { params: tokenParams },
  responses: {
    200: page('The page.'),
    404: page('A page that says that there is none.'),
    403: page('A page that says that the repository refused access.'),
    422: page('A page that says what is wrong with the repository.'),
    500: page('A page that says that something went wrong.'),
    503: page('A page that says that the repository is unreachable.'),
  },
})

function page(description: string) {
  return { description, headers: headers(), content: { 'text/html': { schema: z.string() } } }
}
