// The operations that record page views. Collecting reads and parses its bodies by hand, so its schemas only describe
// what the parser accepts.

import { describe, operationsOn } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { columnsType } from '../../../analytics/import/columns/columns.ts'
import { signalHeaders } from '../../../analytics/page-view.ts'
import type { App } from '../../context.ts'
import { importParams, projectParams } from '../../contract/ids.ts'
import {
  browserViewSchema,
  collectedSchema,
  finishedImportSchema,
  importSchema,
  newImportSchema,
  openedImportSchema,
  pageViewColumnsSchema,
  pageViewSchema,
} from './schemas.ts'
import { body, empty, json, optionalBody } from '../../contract/responses.ts'
import { string } from '../../contract/fields.ts'

const operations = operationsOn('Page views')

const siteParams = z.object({
  siteId: z.string().openapi({ description: 'The public id of the site.', example: 'site_0123456789abcdefghij' }),
})

export function describeCollect(app: App): void {
  const schema = browserViewSchema
  describe(
    app,
    operations.post('public', '/v1/collect/{siteId}', {
      operationId: 'collectPageView',
      summary: 'Report a page view',
      description:
        'Used by `/v1/script.js`. Needs no key: the `Origin` must be one of the origins of the site. Address and user agent are those of the request. Returns 202 when the page view is stored, and 204 when the visitor asked not to be counted or the page was only prefetched.',
      request: {
        params: siteParams,
        body: { required: true, content: { 'application/json': { schema }, 'text/plain': { schema } } },
      },
      responses: { 202: empty('The page view is stored.'), 204: empty('The page view is not counted.') },
      codes: ['not_found', 'forbidden', 'rate_limited'],
    }),
  )
  describe(
    app,
    operations.options('public', '/v1/collect/{siteId}', {
      operationId: 'preflightPageView',
      summary: 'Preflight for a page view',
      description: 'Sent by browsers before they report a page view as JSON. Any origin may ask.',
      request: { params: siteParams },
      responses: { 204: empty('A page view may be sent.') },
    }),
  )
}

const batchDescription = `Records up to 1,000 page views, sent as a JSON array or as one JSON object per line (NDJSON), or up to 2,000 as columns, in which each value is sent once; optionally with gzip, at most 5 MiB uncompressed. The response is sent once they are stored. After a 503, send them again: with \`id\`, a page view is never stored twice. A page view without \`address\` and \`visitorId\` counts as a view, but not as a visitor.

These \`headers\` are used, in upper or lower case; at most 100 headers of a page view are read: ${signalHeaders.map((name) => `\`${name}\``).join(', ')}, \`dnt\` and \`sec-gpc\`.`

export function describePageViews(app: App): void {
  describe(
    app,
    operations.post('write', '/v1/analytics/{projectId}/page-views', {
      operationId: 'recordPageViews',
      summary: 'Record page views from a server',
      description: batchDescription,
      request: {
        params: projectParams,
        query: z.object({
          import: string('The import that these page views belong to.').optional(),
          position: string('Offset in the log, in bytes: with this batch, everything before it is stored.').optional(),
        }),
        body: {
          required: true,
          content: {
            'application/json': { schema: z.array(pageViewSchema).max(1_000) },
            'application/x-ndjson': { schema: pageViewSchema },
            [columnsType]: { schema: pageViewColumnsSchema },
          },
        },
      },
      responses: { 202: json('Valid page views are stored even if others are rejected.', collectedSchema) },
    }),
  )
}

export const importRoute = operations.post('write', '/v1/analytics/{projectId}/imports', {
  operationId: 'openImport',
  summary: 'Start or resume the import of a log',
  description:
    'Returns the unfinished import of this file, or a new one, and what is known about the lines of the project. Visitors of past visitor windows are identified with salts that belong to the group of imports, so they never match live visitors.',
  request: { params: projectParams, body: body(newImportSchema) },
  responses: { 200: json('The import.', openedImportSchema) },
})

export const finishImportRoute = operations.post('write', '/v1/analytics/{projectId}/imports/{importId}/finish', {
  operationId: 'finishImport',
  summary: 'Finish the import of a log',
  description:
    'Finishing the last import of a group destroys the salts of the group. Exports show `automated` as `probablyAutomated`.',
  request: {
    params: importParams,
    body: optionalBody(finishedImportSchema),
  },
  responses: { 200: json('The import.', importSchema) },
})
