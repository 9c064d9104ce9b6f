// The operations on projects, as the OpenAPI document describes them and as requests are checked.

import { operation } from '../../contract/operation.ts'
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

export const listProjectsRoute = operation('read', {
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

export const createProjectRoute = operation('all projects', {
  method: 'post',
  path: '/v1/projects',
  operationId: 'createProject',
  tags,
  summary: 'Create a project',
  description:
    'The response says whether the service may read the repository, push branches and open pull requests, and where to grant what is missing. The project is created even if its repository cannot be reached yet.',
  middleware: readJson,
  request: { body: body(newProjectSchema) },
  responses: {
    201: json('The project, and whether its repository can be used.', createdProjectSchema, 'Location'),
    ...problems('unauthenticated', 'forbidden', ...withBody),
  },
})

export const getProjectRoute = operation('read', {
  method: 'get',
  path: '/v1/projects/{projectId}',
  operationId: 'getProject',
  tags,
  summary: 'Get a project',
  description: 'Returns the project with its settings.',
  request: { params: projectParams },
  responses: { 200: json('The project.', projectSchema), ...problems(...guarded) },
})

export const updateProjectRoute = operation('admin', {
  method: 'patch',
  path: '/v1/projects/{projectId}',
  operationId: 'updateProject',
  tags,
  summary: 'Update a project',
  description:
    'A missing field stays unchanged, and null restores the default. The same applies to the fields in `budget`, `pathPolicy`, `pullRequest` and `categories`. Changing the repository needs a key for all projects, and no active job in the project.',
  middleware: readJson,
  request: { params: projectParams, body: body(projectChangeSchema) },
  responses: { 200: json('The project.', updatedProjectSchema), ...problems(...guarded, ...withBody, 'project_busy') },
})

export const deleteProjectRoute = operation('admin', {
  method: 'delete',
  path: '/v1/projects/{projectId}',
  operationId: 'deleteProject',
  tags,
  summary: 'Delete a project',
  description:
    'Permanently deletes the project with its jobs, transcripts, pull requests, sites and page views, and stops its runs. The repository and the branches of jobs stay as they are.',
  middleware: ignoreBody,
  request: { params: projectParams },
  responses: {
    204: { description: 'The project is deleted.', headers: headers() },
    ...problems(...guarded, ...withoutBody),
  },
})
