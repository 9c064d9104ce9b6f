// The operations on the service itself. They need no key.

import { string } from '../../contract/fields.ts'
import { operationsOn } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { diskStates } from '../../../lib/observability/disk-watch.ts'
import { clockStates } from '../../../time-guard/clock-state.ts'
import { conditional, json, notModified, textBody } from '../../contract/responses.ts'
import { namedEnum } from '../../contract/schema-of.ts'

const operations = operationsOn('Service')
const statusSchema = z.object({ status: z.literal('ok') }).openapi('Status', { example: { status: 'ok' } })

const readinessSchema = z
  .object({
    status: z.literal('ok'),
    clock: z
      .object({
        state: namedEnum('ClockState', clockStates).openapi({
          description:
            'Nothing is deleted or archived by age, and no scheduled automation starts, unless it is `trusted`. `doubted`: more than 12 hours ahead of trusted ' +
            'time. `differs`: more than 5 minutes from the clock of the database.',
        }),
        detail: string('Problem and remedy, for people.').nullable(),
      })
      .openapi('ClockStatus'),
    disk: z.object({
      state: namedEnum('DiskState', diskStates).openapi({ description: '`nearly_full`: page views are refused.' }),
      freeBytes: z.number().nullable(),
      detail: z.string().nullable(),
    }),
    pageViewLog: z
      .object({
        bytes: z.int().min(0),
        seconds: z.number().min(0).openapi({ description: 'How long the oldest has waited.' }),
        damaged: z.int().min(0).openapi({
          description: 'Damaged files that were kept aside: see `docent doctor`.',
        }),
      })
      .openapi('PageViewLog', {
        description: 'Acknowledged page views that wait to be inserted. Queries wait for them.',
      }),
    forwarded: z
      .object({
        addresses: z.int(),
        forwarded: z.int().openapi({ description: 'Different ones in `X-Forwarded-For`.' }),
        requests: z.int().openapi({ description: 'Requests that carry one.' }),
        of: z.int(),
      })
      .nullable()
      .openapi('UnusedForwarded', {
        description:
          'Set if most requests of the last hour came through proxies that `DOCENT_TRUSTED_PROXIES` does not name: ' +
          'visitors behind them count as one.',
      }),
  })
  .openapi('Readiness', {
    example: {
      status: 'ok',
      clock: { state: 'trusted', detail: null },
      disk: { state: 'enough', freeBytes: 5e10, detail: null },
      pageViewLog: { bytes: 0, seconds: 0, damaged: 0 },
      forwarded: null,
    },
  })

export const healthRoute = operations.get('public', '/healthz', {
  operationId: 'getHealth',
  summary: 'Liveness',
  description: 'Returns 200 while the process can respond. Restart the process if it does not respond.',
  responses: { 200: json('The process is alive.', statusSchema) },
})

export const readyRoute = operations.get('public', '/readyz', {
  operationId: 'getReadiness',
  summary: 'Readiness',
  description:
    'Returns 200 while every store responds, and 503 otherwise. A clock that is not trusted and a full disk are reported in the body, but do not change the status.',
  responses: { 200: json('Every store responds.', readinessSchema) },
})

export const metricsRoute = operations.get('public', '/metrics', {
  operationId: 'getMetrics',
  summary: 'Metrics',
  description:
    'Returns metrics for Prometheus in its text format 0.0.4. They need no key and name no project. Do not expose this path to the internet.',
  responses: { 200: textBody('text/plain', 'The metrics.') },
})

export const documentRoute = operations.get('public', '/openapi.json', {
  operationId: 'getDocument',
  summary: 'OpenAPI document',
  description: 'Returns this document.',
  request: { headers: conditional },
  responses: {
    200: json('The OpenAPI 3.1 document.', z.looseObject({ openapi: z.string() }), 'ETag'),
    ...notModified(),
  },
})

export const referenceRoute = operations.get('public', '/reference', {
  operationId: 'getReference',
  summary: 'API reference',
  description: 'Shows this document as a page.',
  request: { headers: conditional },
  responses: { 200: textBody('text/html', 'The page.', { headers: ['ETag'] }), ...notModified() },
})
