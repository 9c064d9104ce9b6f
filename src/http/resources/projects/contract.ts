// The operations on projects, as the OpenAPI document describes them and as requests are checked.

import { operationsOn } from '../../contract/operation.ts'
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
import { body, empty, json } from '../../contract/responses.ts'

const operations = operationsOn('Projects')

export const listProjectsRoute = operations.get('read', '/v1/projects', {
  operationId: 'listProjects',
  summary: 'List projects',
  description: 'Returns a page of the projects that the key can see, by name, then by id.',
  request: { query: projectListQuery },
  responses: { 200: json('A page of projects.', projectsSchema) },
})

export const createProjectRoute = operations.post('all projects', '/v1/projects', {
  operationId: 'createProject',
  summary: 'Create a project',
  description:
    'The response says whether the service may read the repository, push branches and open pull requests, and where to grant what is missing. The project is created even if its repository cannot be reached yet.',
  request: { body: body(newProjectSchema) },
  responses: { 201: json('The project, and whether its repository can be used.', createdProjectSchema, 'Location') },
})

export const getProjectRoute = operations.get('read', '/v1/projects/{projectId}', {
  operationId: 'getProject',
  summary: 'Get a project',
  description: 'Returns the project with its settings.',
  request: { params: projectParams },
  responses: { 200: json('The project.', projectSchema) },
})

export const updateProjectRoute = operations.patch('admin', '/v1/projects/{projectId}', {
  operationId: 'updateProject',
  summary: 'Update a project',
  description:
    'A missing field stays unchanged, and null restores the default. The same applies to the fields in `budget`, `pathPolicy`, `pullRequest` and `categories`. Changing the repository needs a key for all projects, and no active job in the project.',
  request: { params: projectParams, body: body(projectChangeSchema) },
  responses: { 200: json('The project.', updatedProjectSchema) },
  codes: ['project_busy'],
})

export const deleteProjectRoute = operations.delete('admin', '/v1/projects/{projectId}', {
  operationId: 'deleteProject',
  summary: 'Delete a project',
  description:
    'Permanently deletes the project with its jobs, transcripts, pull requests, sites and page views, and stops its runs. The repository and the branches of jobs stay as they are.',
  request: { params: projectParams },
  responses: { 204: empty('The project is deleted.') },
})
