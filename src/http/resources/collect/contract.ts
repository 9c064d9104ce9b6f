// The operations that record page views. Collecting reads and parses its bodies by hand, so its schemas only describe
// what the parser accepts.

import { operation } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { columnsType } from '../../../analytics/import/columns.ts'
import { signalHeaders } from '../../../analytics/page-view.ts'
import { readJson, readOptionalJson } from '../../request/body.ts'
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
import { body, guarded, headers, json, problems, withBody } from '../../contract/responses.ts'

const tags = ['Page views']

const siteParams = z.object({
  siteId: z.string().openapi({ description: 'The public id of the site.', example: 'site_0123456789abcdefghij' }),
})

export function describeCollect(app: App): void {
  const schema = browserViewSchema
  app.openAPIRegistry.registerPath(
    operation('public', {
      method: 'post',
      path: '/v1/collect/{siteId}',
      operationId: 'collectPageView',
      tags,
      summary: 'Report a page view',
      description:
        'Used by `/v1/script.js`. Needs no key: the `Origin` must be one of the origins of the site. Address and user agent are those of the request. Returns 202 when the page view is stored, and 204 when the visitor asked not to be counted or the page was only prefetched.',
      request: {
        params: siteParams,
        body: { required: true, content: { 'application/json': { schema }, 'text/plain': { schema } } },
      },
      responses: {
        202: { description: 'The page view is stored.', headers: headers() },
        204: { description: 'The page view is not counted.', headers: headers() },
        ...problems('not_found', 'forbidden', 'rate_limited', ...withBody),
      },
    }),
  )
  app.openAPIRegistry.registerPath(
    operation('public', {
      method: 'options',
      path: '/v1/collect/{siteId}',
      operationId: 'preflightPageView',
      tags,
      summary: 'Preflight for a page view',
      description: 'Sent by browsers before they report a page view as JSON. Any origin may ask.',
      request: { params: siteParams },
      responses: { 204: { description: 'A page view may be sent.', headers: headers() }, ...problems() },
    }),
  )
}

const batchDescription = `Records up to 1,000 page views, sent as a JSON array or as one JSON object per line (NDJSON), or up to 2,000 as columns, in which each value is sent once; optionally with gzip, at most 5 MiB uncompressed. The response is sent once they are stored. After a 503, send them again: with \`id\`, a page view is never stored twice. A page view without \`address\` and \`visitorId\` counts as a view, but not as a visitor.

These \`headers\` are used, in upper or lower case; at most 100 headers of a page view are read: ${signalHeaders.map((name) => `\`${name}\``).join(', ')}, \`dnt\` and \`sec-gpc\`.`

export function describePageViews(app: App): void {
  app.openAPIRegistry.registerPath(
    operation('write', {
      method: 'post',
      path: '/v1/analytics/{projectId}/page-views',
      operationId: 'recordPageViews',
      tags,
      summary: 'Record page views from a server',
      description: batchDescription,
      request: {
        params: projectParams,
        query: z.object({
          import: z.string().optional().openapi({ description: 'The import that these page views belong to.' }),
          position: z
            .string()
            .optional()
            .openapi({ description: 'Offset in the log, in bytes: with this batch, everything before it is stored.' }),
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
      responses: {
        202: json('Valid page views are stored even if others are rejected.', collectedSchema),
        ...problems(...guarded, ...withBody),
      },
    }),
  )
}

export const importRoute = operation('write', {
  method: 'post',
  path: '/v1/analytics/{projectId}/imports',
  operationId: 'openImport',
  tags,
  summary: 'Start or resume the import of a log',
  description:
    'Returns the unfinished import of this file, or a new one, and what is known about the lines of the project. Visitors of past visitor windows are identified with salts that belong to the group of imports, so they never match live visitors.',
  middleware: readJson,
  request: { params: projectParams, body: body(newImportSchema) },
  responses: { 200: json('The import.', openedImportSchema), ...problems(...guarded, ...withBody) },
})

export const finishImportRoute = operation('write', {
  method: 'post',
  path: '/v1/analytics/{projectId}/imports/{importId}/finish',
  operationId: 'finishImport',
  tags,
  summary: 'Finish the import of a log',
  description:
    'Finishing the last import of a group destroys the salts of the group. Exports show `automated` as `probablyAutomated`.',
  middleware: readOptionalJson,
  request: {
    params: importParams,
    body: { required: false, content: { 'application/json': { schema: finishedImportSchema } } },
  },
  responses: {
    200: json('The import.', importSchema),
    ...problems(...guarded, ...withBody),
  },
})
