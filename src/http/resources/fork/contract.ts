// The operations on the fork of a project, as the OpenAPI document describes them and as requests are checked.

import { z } from '@hono/zod-openapi'
import { operationsOn } from '../../contract/operation.ts'
import { projectParams } from '../../contract/ids.ts'
import { empty, json, optionalBody } from '../../contract/responses.ts'
import { text } from '../../contract/text.ts'
import { projectSchema } from '../projects/schemas.ts'

const operations = operationsOn('Projects')
const path = '/v1/projects/{projectId}/fork'

export const forkRequestSchema = z
  .object({
    repository: text({
      max: 2_000,
      description: 'The address of a fork that exists already. Missing: the fork of the account of the credential.',
      example: 'https://github.com/docs-bot/docs.git',
    }).optional(),
  })
  .openapi('ForkRequest', { example: {} })

export const setForkRoute = operations.post('admin', path, {
  operationId: 'setFork',
  summary: 'Work in a fork',
  description:
    'For a credential that may read the repository and not push to it: makes the fork of its account, or finds it, and pushes the branches of later jobs there. Pull requests are opened from the fork. The forge must say that it was made from the repository, and it may not be visible to more people; both are checked again at the start of each run.',
  request: { params: projectParams, body: optionalBody(forkRequestSchema) },
  responses: { 200: json('The project, with the address of the fork.', projectSchema) },
  codes: ['project_busy', 'forge_right_missing', 'forge_refused', 'forge_unavailable', 'forge_rate_limited'],
})

export const leaveForkRoute = operations.delete('admin', path, {
  operationId: 'leaveFork',
  summary: 'Leave the fork',
  description: 'The branches of later jobs are pushed to the repository itself. The fork stays as it is.',
  request: { params: projectParams },
  responses: { 204: empty('The project has no fork.') },
  codes: ['project_busy'],
})
