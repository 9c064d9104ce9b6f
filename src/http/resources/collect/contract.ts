// The operations that record page views. Those that take many at once read their bodies by hand: the document describes
// what they read.

import { createRoute, z } from '@hono/zod-openapi'
import { signalHeaders } from '../../../analytics/page-view.ts'
import { ignoreBody, readJson } from '../../request/body.ts'
import type { App } from '../../context.ts'
import { importParams, projectParams } from '../../contract/ids.ts'
import { browserViewSchema, collectedSchema, importSchema, newImportSchema, pageViewSchema } from './schemas.ts'
import { body, guarded, headers, json, problems, withBody } from '../../contract/responses.ts'

const tags = ['Page views']

export function describeCollect(app: App): void {
  const schema = browserViewSchema
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/v1/collect/{siteId}',
    operationId: 'collectPageView',
    tags,
    security: [],
    summary: 'Report a page view from a browser',
    description:
      'What `/v1/script.js` sends. Needs no key: the `Origin` must be one of the site. Address and user agent are those of the request. 202 when it is stored; 204 when the visitor asked not to be counted, or only prefetched the page.',
    request: {
      params: z.object({ siteId: z.string().openapi({ example: 'site_0123456789abcdefghij' }) }),
      body: { required: true, content: { 'application/json': { schema }, 'text/plain': { schema } } },
    },
    responses: {
      202: { description: 'It is stored.', headers: headers() },
      204: { description: 'It is not counted.', headers: headers() },
      ...problems('not_found', 'forbidden', 'rate_limited', ...withBody),
    },
  })
}

const words = `Up to 1,000 page views, as a JSON array or as lines of JSON, gzip too; 5 MiB unpacked. The answer comes when they are stored: 503 means that they are to be sent again, and \`id\` makes that harmless. Without \`address\` and \`visitorId\` a page view makes no visitor.

Of \`headers\` these are taken, in any case: ${signalHeaders.map((name) => `\`${name}\``).join(', ')}, \`dnt\` and \`sec-gpc\`.`

export function describePageViews(app: App): void {
  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/v1/analytics/{projectId}/page-views',
    operationId: 'recordPageViews',
    tags,
    summary: 'Record page views from a server',
    description: words,
    request: {
      params: projectParams,
      query: z.object({
        import: z.string().optional().openapi({ description: 'The import of a log that they belong to.' }),
        position: z
          .string()
          .optional()
          .openapi({ description: 'Bytes of the log before which everything is stored then.' }),
      }),
      body: {
        required: true,
        content: {
          'application/json': { schema: z.array(pageViewSchema).max(1_000) },
          'application/x-ndjson': { schema: pageViewSchema },
        },
      },
    },
    responses: {
      202: json('Good ones are stored, although others are bad.', collectedSchema),
      ...problems(...guarded, ...withBody),
    },
  })
}

export const importRoute = createRoute({
  method: 'post',
  path: '/v1/analytics/{projectId}/imports',
  operationId: 'openImport',
  tags,
  summary: 'Begin or go on with the import of a log',
  description:
    'Gives the unfinished import of this file, or a new one. Page views of windows that are over are told apart by salts of its group of imports.',
  middleware: readJson,
  request: { params: projectParams, body: body(newImportSchema) },
  responses: { 200: json('The import.', importSchema), ...problems(...guarded, ...withBody) },
})

export const finishImportRoute = createRoute({
  method: 'post',
  path: '/v1/analytics/{projectId}/imports/{importId}/finish',
  operationId: 'finishImport',
  tags,
  summary: 'Finish the import of a log',
  description: 'The last one of its group destroys their salts.',
  middleware: ignoreBody,
  request: { params: importParams },
  responses: {
    200: json('The import.', importSchema),
    ...problems(...guarded, 'payload_too_large', 'unsupported_media_type'),
  },
})
