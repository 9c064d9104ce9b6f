// The exports of analytics, as the document describes them and as requests are checked. Each answers JSON, or CSV when
// the caller likes that better; under its name with `.csv` it streams all rows.

import { createRoute, z } from '@hono/zod-openapi'
import {
  aiAgentsSchema,
  brokenPagesSchema,
  crawlersSchema,
  pageQuery,
  rangeQuery,
  referrersSchema,
  timeseriesQuery,
  timeseriesSchema,
  viewsSchema,
  visitorsSchema,
} from './schemas.ts'
import { projectParams } from '../../contract/ids.ts'
import { guarded, type HeaderName, headers, problems } from '../../contract/responses.ts'

const told: readonly HeaderName[] = [
  'ETag',
  'Docent-Count',
  'Docent-Visitor-Window',
  'Docent-Date-From',
  'Docent-Date-To',
]
const counted: readonly HeaderName[] = [...told, 'RateLimit', 'RateLimit-Policy']
const conditional = z.object({
  'If-None-Match': z.string().optional().openapi({ description: 'Tags that the caller has, or `*`.' }),
})

const notes = {
  visitors:
    'Exact unique visitors of the site and of each page, by `total`, then by path. Go on with `offset` while `hasMore` is true; `totals` do not depend on the page.',
  views: 'Page views, not unique, of the site and of each page, by `total`, then by path.',
  timeseries:
    'Unique visitors in each interval of the range, the empty ones too. An interval is named by its first day and holds the days of it that are in the range.',
  'ai-agents': 'AI agents by unique visitors.',
  referrers: 'Sites that human visitors came from. Visits without a referring site are left out.',
  crawlers: 'Crawlers by page views, whatever the project counts them as.',
  'broken-pages': 'Pages that were answered with 404, by who asked for them.',
} as const
type Name = keyof typeof notes

type Json<Schema, Query> = {
  readonly operationId: string
  readonly summary: string
  readonly schema: Schema
  readonly query: Query
}

function jsonRoute<const N extends Name, Schema extends z.ZodType, Query extends z.ZodObject>(
  name: N,
  { operationId, summary, schema, query }: Json<Schema, Query>,
) {
  return createRoute({
    method: 'get',
    path: `/v1/analytics/{projectId}/${name}`,
    operationId,
    tags: ['Analytics'],
    summary,
    description: notes[name],
    request: { params: projectParams, query, headers: conditional },
    responses: {
      200: {
        description: 'The rows; with `Accept: text/csv` the same as CSV, without the totals.',
        headers: headers(...counted),
        content: { 'application/json': { schema }, 'text/csv': { schema: z.string() } },
      },
      ...unchanged(),
      ...refused(),
    },
  })
}

function csvRoute<const N extends Name, Query extends z.ZodObject>(
  name: N,
  { operationId, summary, query }: Omit<Json<undefined, Query>, 'schema'>,
) {
  return createRoute({
    method: 'get',
    path: `/v1/analytics/{projectId}/${name}.csv`,
    operationId,
    tags: ['Analytics'],
    summary,
    description: `All rows, as a stream. ${notes[name]} RFC 4180, UTF-8, with a header line. A cell that a spreadsheet would run as a formula begins with an apostrophe.`,
    request: { params: projectParams, query, headers: conditional },
    responses: {
      200: { description: 'The rows.', headers: headers(...counted), content: { 'text/csv': { schema: z.string() } } },
      ...unchanged(),
      ...refused(),
    },
  })
}

function unchanged() {
  return { 304: { description: 'Nothing changed since the answer with this tag.', headers: headers(...told) } }
}

function refused() {
  return problems(...guarded, 'invalid_input', 'rate_limited', 'question_too_large')
}

export const visitorsRoute = jsonRoute('visitors', {
  operationId: 'getVisitors',
  summary: 'Count unique visitors',
  schema: visitorsSchema,
  query: pageQuery,
})
export const visitorsCsvRoute = csvRoute('visitors', {
  operationId: 'exportVisitors',
  summary: 'Export unique visitors',
  query: rangeQuery,
})
export const viewsRoute = jsonRoute('views', {
  operationId: 'getViews',
  summary: 'Count page views',
  schema: viewsSchema,
  query: pageQuery,
})
export const viewsCsvRoute = csvRoute('views', {
  operationId: 'exportViews',
  summary: 'Export page views',
  query: rangeQuery,
})
export const timeseriesRoute = jsonRoute('timeseries', {
  operationId: 'getTimeseries',
  summary: 'Count unique visitors over time',
  schema: timeseriesSchema,
  query: timeseriesQuery,
})
export const timeseriesCsvRoute = csvRoute('timeseries', {
  operationId: 'exportTimeseries',
  summary: 'Export unique visitors over time',
  query: timeseriesQuery,
})
export const aiAgentsRoute = jsonRoute('ai-agents', {
  operationId: 'getAiAgents',
  summary: 'Count AI agents',
  schema: aiAgentsSchema,
  query: pageQuery,
})
export const aiAgentsCsvRoute = csvRoute('ai-agents', {
  operationId: 'exportAiAgents',
  summary: 'Export AI agents',
  query: rangeQuery,
})
export const referrersRoute = jsonRoute('referrers', {
  operationId: 'getReferrers',
  summary: 'Count visitors by referring site',
  schema: referrersSchema,
  query: pageQuery,
})
export const referrersCsvRoute = csvRoute('referrers', {
  operationId: 'exportReferrers',
  summary: 'Export referring sites',
  query: rangeQuery,
})
export const crawlersRoute = jsonRoute('crawlers', {
  operationId: 'getCrawlers',
  summary: 'Count views of crawlers',
  schema: crawlersSchema,
  query: pageQuery,
})
export const crawlersCsvRoute = csvRoute('crawlers', {
  operationId: 'exportCrawlers',
  summary: 'Export crawlers',
  query: rangeQuery,
})
export const brokenPagesRoute = jsonRoute('broken-pages', {
  operationId: 'getBrokenPages',
  summary: 'Find pages that are not there',
  schema: brokenPagesSchema,
  query: pageQuery,
})
export const brokenPagesCsvRoute = csvRoute('broken-pages', {
  operationId: 'exportBrokenPages',
  summary: 'Export pages that are not there',
  query: rangeQuery,
})
