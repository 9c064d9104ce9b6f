// The operations on projects.

import { createRoute } from '@hono/zod-openapi'
import { requireAdmin } from '../auth.ts'
import { readBody } from '../body.ts'
import { projectParams } from '../schemas/ids.ts'
import { newProjectSchema, projectSchema, projectsSchema } from '../schemas/project.ts'
import { body, guarded, json, problems, withBody } from './answer.ts'

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
  middleware: [requireAdmin, readBody] as const,
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
