// The operations on the sites of a project, as the OpenAPI document describes them and as requests are checked.

import { operationsOn } from '../../contract/operation.ts'
import { projectParams, siteParams } from '../../contract/ids.ts'
import { newSiteSchema, shownSiteSchema, siteChangeSchema, sitesSchema } from './schemas.ts'
import { body, empty, json } from '../../contract/responses.ts'

const operations = operationsOn('Sites')

export const listSitesRoute = operations.get('read', '/v1/projects/{projectId}/sites', {
  operationId: 'listSites',
  summary: 'List sites',
  description: 'Returns all sites of the project.',
  request: { params: projectParams },
  responses: { 200: json('The sites.', sitesSchema) },
})

export const createSiteRoute = operations.post('admin', '/v1/projects/{projectId}/sites', {
  operationId: 'createSite',
  summary: 'Create a site',
  description: 'The id of a site is public: its pages send page views with it.',
  request: { params: projectParams, body: body(newSiteSchema) },
  responses: { 201: json('The site.', shownSiteSchema) },
})

export const updateSiteRoute = operations.patch('admin', '/v1/projects/{projectId}/sites/{siteId}', {
  operationId: 'updateSite',
  summary: 'Update a site',
  description: 'A missing field stays unchanged.',
  request: { params: siteParams, body: body(siteChangeSchema) },
  responses: { 200: json('The site.', shownSiteSchema) },
})

export const deleteSiteRoute = operations.delete('admin', '/v1/projects/{projectId}/sites/{siteId}', {
  operationId: 'deleteSite',
  summary: 'Delete a site',
  description: 'Page views that were recorded for the site stay.',
  request: { params: siteParams },
  responses: { 204: empty('The site is deleted.') },
})
