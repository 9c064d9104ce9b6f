// The operations about the service itself. None needs a key.

import { createRoute, z } from '@hono/zod-openapi'
import { headers, json, problems } from '../../contract/responses.ts'

const tags = ['Service']
const statusSchema = z.object({ status: z.literal('ok') }).openapi('Status')

export const healthRoute = createRoute({
  method: 'get',
  path: '/healthz',
  operationId: 'getHealth',
  tags,
  security: [],
  summary: 'Is the process alive?',
  responses: { 200: json('It is.', statusSchema), ...problems() },
})

export const readyRoute = createRoute({
  method: 'get',
  path: '/readyz',
  operationId: 'getReadiness',
  tags,
  security: [],
  summary: 'Do its stores answer?',
  responses: { 200: json('They do.', statusSchema), ...problems() },
})

export const metricsRoute = createRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'getMetrics',
  tags,
  security: [],
  summary: 'Read the metrics',
  description:
    'For Prometheus, in its text format 0.0.4. It needs no key and names no project: a proxy to the outside should ' +
    'not pass it on.',
  responses: {
    200: { description: 'The metrics.', headers: headers(), content: { 'text/plain': { schema: z.string() } } },
    ...problems(),
  },
})

export const documentRoute = createRoute({
  method: 'get',
  path: '/openapi.json',
  operationId: 'getDocument',
  tags,
  security: [],
  summary: 'Get this document',
  responses: {
    200: json('OpenAPI 3.1.', z.looseObject({ openapi: z.string() }), 'ETag'),
    ...notModified(),
    ...problems(),
  },
})

export const referenceRoute = createRoute({
  method: 'get',
  path: '/reference',
  operationId: 'getReference',
  tags,
  security: [],
  summary: 'Read this document as a page',
  responses: {
    200: { description: 'The page.', headers: headers('ETag'), content: { 'text/html': { schema: z.string() } } },
    ...notModified(),
    ...problems(),
  },
})

function notModified() {
  return { 304: { description: 'Nothing changed since the answer with this tag.', headers: headers('ETag') } }
}
