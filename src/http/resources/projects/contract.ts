// The operations on projects, as the OpenAPI document describes them and as requests are checked.

import { createRoute } from '@hono/zod-openapi'
import { requireAdmin } from '../../request/auth.ts'
import { ignoreBody, readJson } from '../../request/body.ts'
import { projectParams } from '../../contract/ids.ts'
import {
  createdProjectSchema,
  newProjectSchema,
  projectChangeSchema,
  projectSchema,
  projectListQuery,
  projectsSchema,
  updatedProjectSchema,
} from './schemas.ts'
import { body, guarded, headers, json, problems, withBody, withoutBody } from '../../contract/responses.ts'

const tags = ['Projects']

export const listProjectsRoute = createRoute({
  method: 'get',
  path: '/v1/projects',
  operationId: 'listProjects',
  tags,
  summary: 'List projects',
  description: 'Returns a page of the projects that the key can see, by name, then by id.',
  request: { query: projectListQuery },
  responses: {
    200: json('A page of projects.', projectsSchema),
    ...problems('unauthenticated', 'forbidden', 'invalid_input'),
  },
})

export const createProjectRoute = createRoute({
  method: 'post',
  path: '/v1/projects',
  operationId: 'createProject',
  tags,
  summary: 'Create a project',
  description:
    'Needs a key with the scope `admin` for all projects. The response says whether the service may read the repository, push branches and open pull requests, and where to grant what is missing. The project is created even if its repository cannot be reached yet.',
  middleware: [requireAdmin, readJson] as const,
  request: { body: body(newProjectSchema) },
  responses: {
    201: json('The project, and whether its repository can be used.', createdProjectSchema, 'Location'),
    ...problems('unauthenticated', 'forbidden', ...withBody),
  },
})

export const getProjectRoute = createRoute({
  method: 'get',
  path: '/v1/projects/{projectId}',
  operationId: 'getProject',
  tags,
  summary: 'Get a project',
  description: 'Returns the project with its settings.',
  request: { params: projectParams },
  responses: { 200: json('The project.', projectSchema), ...problems(...guarded) },
})

export const updateProjectRoute = createRoute({
  method: 'patch',
  path: '/v1/projects/{projectId}',
  operationId: 'updateProject',
  tags,
  summary: 'Update a project',
  description:
    'Needs the scope `admin`. A missing field stays unchanged, and null restores the default. The same applies to the fields in `budget`, `pathPolicy`, `pullRequest` and `categories`. Changing the repository needs a key for all projects, and no active job in the project.',
  middleware: [requireAdmin, readJson] as const,
  request: { params: projectParams, body: body(projectChangeSchema) },
  responses: { 200: json('The project.', updatedProjectSchema), ...problems(...guarded, ...withBody, 'project_busy') },
})

export const deleteProjectRoute = createRoute({
  method: 'delete',
  path: '/v1/projects/{projectId}',
  operationId: 'deleteProject',
  tags,
  summary: 'Delete a project',
  description:
    'Needs the scope `admin`. Permanently deletes the project with its jobs, transcripts, pull requests, sites and page views, and stops its runs. The repository and the branches of jobs stay as they are.',
  middleware: [requireAdmin, ignoreBody] as const,
  request: { params: projectParams },
  responses: {
    204: { description: 'The project is deleted.', headers: headers() },
    ...problems(...guarded, ...withoutBody),
  },
})
