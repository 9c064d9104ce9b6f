// The two operations of every export: a page as JSON, and all rows as CSV.

import { operation } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { describeDays } from '../../../analytics/import/address/hint-words.ts'
import { toCsv } from '../../../analytics/counts/query/csv.ts'
import type { ProbablyAutomated } from '../../../analytics/counts/query/exports/visitors.ts'
import type { PerWindow } from '../../../analytics/counts/query/per-window.ts'
import { intervals } from '../../../analytics/counts/query/plan.ts'
import type { DeclaredExport } from './exports.ts'
import { csvQuery, pageQuery, timeseriesQuery } from './parameters.ts'
import { projectParams } from '../../contract/ids.ts'
import { guarded, type HeaderName, headers, problems } from '../../contract/responses.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'

const exportsPath = '/v1/analytics/{projectId}'

const dataHeaders: readonly HeaderName[] = [
  'ETag',
  'Docent-Count',
  'Docent-Visitor-Window',
  'Docent-Visitor-Windows',
  'Docent-Date-From',
  'Docent-Date-To',
]
const successHeaders: readonly HeaderName[] = [...dataHeaders, 'RateLimit', 'RateLimit-Policy']
const conditional = z.object({
  'If-None-Match': z.string().optional().openapi({ description: 'Entity tags of responses that you have, or `*`.' }),
})

export function jsonRoute(declared: DeclaredExport) {
  const { query, id, title, description } = declared
  return operation('statistics', {
    method: 'get',
    path: `${exportsPath}/${query.name}`,
    operationId: `get${id}`,
    tags: ['Analytics'],
    summary: title.join(' '),
    description,
    request: {
      params: projectParams,
      query: query.emptyRows ? timeseriesQuery : pageQuery(query.sorts ?? []),
      headers: conditional,
    },
    responses: {
      200: {
        description: 'A page of rows.',
        headers: headers(...successHeaders),
        content: { 'application/json': { schema: responseSchema(declared) } },
      },
      ...otherResponses(),
    },
  })
}

export function csvRoute({ query, id, title: [, object], description, example }: DeclaredExport) {
  return operation('statistics', {
    method: 'get',
    path: `${exportsPath}/${query.name}.csv`,
    operationId: `export${id}`,
    tags: ['Analytics'],
    summary: `Export ${object} as CSV`,
    description: `Streams all rows. ${description}`,
    request: {
      params: projectParams,
      query: query.emptyRows ? timeseriesQuery : csvQuery(query.sorts ?? []),
      headers: conditional,
    },
    responses: {
      200: {
        description: 'All rows.',
        headers: headers(...successHeaders),
        content: { 'text/csv': { schema: z.string().openapi({ example: toCsv(query.columns, example.rows) }) } },
      },
      ...otherResponses(),
    },
  })
}

const perWindowSchema = schemaOf<PerWindow>()(
  z
    .object({
      window: namedEnum('Interval', intervals),
      windows: z.int().openapi({ minimum: 2, description: 'How many the range spans.' }),
      note: z.string().openapi({ description: 'A text for people that continues a number.' }),
    })
    .openapi('PerWindow', {
      description:
        'The range spans several visitor windows: a person who came in several of them counts once in each. Null: nobody counts twice.',
      example: {
        window: 'month',
        windows: 2,
        note: 'counted per month: Oct 25–31 and Nov 1–23; a person who came in both counts twice',
      },
    }),
).nullable()

const probablyAutomatedSchema = schemaOf<ProbablyAutomated>()(
  z
    .object({
      pageViews: z.int().openapi({ minimum: 0, description: 'Probably automated.' }),
      of: z.int().openapi({ minimum: 1, description: 'Judged.' }),
      share: z.number().openapi({ minimum: 0, maximum: 1 }),
      note: z.string().openapi({ description: 'A sentence for people.' }),
    })
    .openapi('ProbablyAutomated', {
      description:
        'Page views of browsers in imported logs: how many were judged, and how many are probably automated. They count as humans. Absent: no import judged any.',
      example: {
        pageViews: 732,
        of: 16_851,
        share: 0.0434,
        note: describeDays({ pageViews: 732, of: 16_851 }),
      },
    }),
).optional()

function responseSchema({ query, id, field, row, totals, countsVisitors, example }: DeclaredExport) {
  const isWhole = query.emptyRows !== undefined
  return z
    .object({
      ...(isWhole ? { interval: namedEnum('Interval', intervals) } : {}),
      ...(totals ? { totals } : {}),
      ...(countsVisitors ? { perWindow: perWindowSchema } : {}),
      ...(totals ? { probablyAutomated: probablyAutomatedSchema } : {}),
      [field]: z.array(row).readonly(),
      ...(isWhole ? {} : { hasMore: z.boolean().openapi({ description: 'True if there are rows after this page.' }) }),
    })
    .openapi(id, {
      example: {
        ...(isWhole ? { interval: 'day' } : {}),
        ...(totals ? { totals: example.totals } : {}),
        ...(countsVisitors ? { perWindow: null } : {}),
        [field]: example.rows,
        ...(isWhole ? {} : { hasMore: true }),
      },
    })
}

function otherResponses() {
  return {
    304: { description: 'The response with this entity tag is still current.', headers: headers(...dataHeaders) },
    ...problems(...guarded, 'invalid_input', 'rate_limited', 'question_too_large'),
  }
}
