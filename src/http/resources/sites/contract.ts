// The operations on the sites of a project, as the OpenAPI document describes them and as requests are checked.

import { createRoute } from '@hono/zod-openapi'
import { requireAdmin } from '../../request/auth.ts'
import { ignoreBody, readJson } from '../../request/body.ts'
import { projectParams, siteParams } from '../../contract/ids.ts'
import { newSiteSchema, shownSiteSchema, siteChangeSchema, sitesSchema } from './schemas.ts'
import { body, guarded, headers, json, problems, withBody, withoutBody } from '../../contract/responses.ts'

const tags = ['Sites']

export const listSitesRoute = createRoute({
  method: 'get',
  path: '/v1/projects/{projectId}/sites',
  operationId: 'listSites',
  tags,
  summary: 'List sites',
  description: 'Returns all sites of the project.',
  request: { params: projectParams },
  responses: { 200: json('The sites.', sitesSchema), ...problems(...guarded) },
})

export const createSiteRoute = createRoute({
  method: 'post',
  path: '/v1/projects/{projectId}/sites',
  operationId: 'createSite',
  tags,
  summary: 'Create a site',
  description: 'Needs the scope `admin`. The id of a site is public: its pages send page views with it.',
  middleware: [requireAdmin, readJson] as const,
  request: { params: projectParams, body: body(newSiteSchema) },
  responses: { 201: json('The site.', shownSiteSchema), ...problems(...guarded, ...withBody) },
})

export const updateSiteRoute = createRoute({
  method: 'patch',
  path: '/v1/projects/{projectId}/sites/{siteId}',
  operationId: 'updateSite',
  tags,
  summary: 'Update a site',
  description: 'Needs the scope `admin`. A missing field stays unchanged.',
  middleware: [requireAdmin, readJson] as const,
  request: { params: siteParams, body: body(siteChangeSchema) },
  responses: { 200: json('The site.', shownSiteSchema), ...problems(...guarded, ...withBody) },
})

export const deleteSiteRoute = createRoute({
  method: 'delete',
  path: '/v1/projects/{projectId}/sites/{siteId}',
  operationId: 'deleteSite',
  tags,
  summary: 'Delete a site',
  description: 'Needs the scope `admin`. Page views that were recorded for the site stay.',
  middleware: [requireAdmin, ignoreBody] as const,
  request: { params: siteParams },
  responses: {
    204: { description: 'The site is deleted.', headers: headers() },
    ...problems(...guarded, ...withoutBody),
  },
})
