// The operations on the sites of a project, as the OpenAPI document describes them and as requests are checked.

import { operation } from '../../contract/operation.ts'
import { ignoreBody, readJson } from '../../request/body.ts'
import { projectParams, siteParams } from '../../contract/ids.ts'
import { newSiteSchema, shownSiteSchema, siteChangeSchema, sitesSchema } from './schemas.ts'
import { body, guarded, headers, json, problems, withBody, withoutBody } from '../../contract/responses.ts'

const tags = ['Sites']

export const listSitesRoute = operation('read', {
  method: 'get',
  path: '/v1/projects/{projectId}/sites',
  operationId: 'listSites',
  tags,
  summary: 'List sites',
  description: 'Returns all sites of the project.',
  request: { params: projectParams },
  responses: { 200: json('The sites.', sitesSchema), ...problems(...guarded) },
})

export const createSiteRoute = operation('admin', {
  method: 'post',
  path: '/v1/projects/{projectId}/sites',
  operationId: 'createSite',
  tags,
  summary: 'Create a site',
  description: 'The id of a site is public: its pages send page views with it.',
  middleware: readJson,
  request: { params: projectParams, body: body(newSiteSchema) },
  responses: { 201: json('The site.', shownSiteSchema), ...problems(...guarded, ...withBody) },
})

export const updateSiteRoute = operation('admin', {
  method: 'patch',
  path: '/v1/projects/{projectId}/sites/{siteId}',
  operationId: 'updateSite',
  tags,
  summary: 'Update a site',
  description: 'A missing field stays unchanged.',
  middleware: readJson,
  request: { params: siteParams, body: body(siteChangeSchema) },
  responses: { 200: json('The site.', shownSiteSchema), ...problems(...guarded, ...withBody) },
})

export const deleteSiteRoute = operation('admin', {
  method: 'delete',
  path: '/v1/projects/{projectId}/sites/{siteId}',
  operationId: 'deleteSite',
  tags,
  summary: 'Delete a site',
  description: 'Page views that were recorded for the site stay.',
  middleware: ignoreBody,
  request: { params: siteParams },
  responses: {
    204: { description: 'The site is deleted.', headers: headers() },
    ...problems(...guarded, ...withoutBody),
  },
})
