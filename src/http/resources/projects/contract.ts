// The operations on projects.

import { createRoute } from '@hono/zod-openapi'
import { requireAdmin } from '../../request/auth.ts'
import { ignoreBody, readJson } from '../../request/body.ts'
import { projectParams } from '../../contract/ids.ts'
import { newProjectSchema, projectChangeSchema, projectSchema, projectsSchema } from './schemas.ts'
import { body, guarded, headers, json, problems, withBody } from '../../contract/responses.ts'

const tags = ['Projects']

export const listProjectsRoute = createRoute({
  method: 'get',
  path: '/v1/projects',
  operationId: 'listProjects',
  tags,
  summary: 'List projects',
  description: 'Those that the key may see.',
  responses: { 200: json('The projects.', projectsSchema), ...problems('unauthenticated', 'forbidden') },
})

export const createProjectRoute = createRoute({
  method: 'post',
  path: '/v1/projects',
  operationId: 'createProject',
  tags,
  summary: 'Create a project',
  description: 'Needs a key with the scope `admin` for all projects. The repository is asked at the first job.',
  middleware: [requireAdmin, readJson] as const,
  request: { body: body(newProjectSchema) },
  responses: {
    201: json('The project.', projectSchema, 'Location'),
    ...problems('unauthenticated', 'forbidden', ...withBody),
  },
})

export const getProjectRoute = createRoute({
  method: 'get',
  path: '/v1/projects/{projectId}',
  operationId: 'getProject',
  tags,
  summary: 'Get a project',
  request: { params: projectParams },
  responses: { 200: json('The project.', projectSchema), ...problems(...guarded) },
})

export const updateProjectRoute = createRoute({
  method: 'patch',
  path: '/v1/projects/{projectId}',
  operationId: 'updateProject',
  tags,
  summary: 'Change a project',
  description:
    'Needs the scope `admin`. A field that is absent stays, null is the default again; so are the fields of `budget`, `pathPolicy` and `categories`. The repository is changed by a key for all projects only, and not while a job of the project is active.',
  middleware: [requireAdmin, readJson] as const,
  request: { params: projectParams, body: body(projectChangeSchema) },
  responses: { 200: json('The project.', projectSchema), ...problems(...guarded, ...withBody, 'project_busy') },
})

export const deleteProjectRoute = createRoute({
  method: 'delete',
  path: '/v1/projects/{projectId}',
  operationId: 'deleteProject',
  tags,
  summary: 'Delete a project',
  description:
    'Needs the scope `admin`. Deletes its jobs, transcripts, pull requests, sites and page views too, for good; work on it stops. The repository is left as it is, with the branches of jobs.',
  middleware: [requireAdmin, ignoreBody] as const,
  request: { params: projectParams },
  responses: {
    204: { description: 'The project is deleted.', headers: headers() },
    ...problems(...guarded, 'payload_too_large', 'unsupported_media_type'),
  },
})
