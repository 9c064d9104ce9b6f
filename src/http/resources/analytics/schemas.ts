// Analytics as the API takes and gives them: the range and page of a question, and its rows.

import { z } from '@hono/zod-openapi'
import type { AiAgentsView, CrawlersView } from '../../../analytics/query/agents.ts'
import type { BrokenPagesView } from '../../../analytics/query/broken-pages.ts'
import { parseDay } from '../../../analytics/query/parse.ts'
import { intervals } from '../../../analytics/query/plan.ts'
import type { ReferrersView } from '../../../analytics/query/referrers.ts'
import type { TimeseriesView } from '../../../analytics/query/timeseries.ts'
import type { ViewsView } from '../../../analytics/query/views.ts'
import type { VisitorsView } from '../../../analytics/query/visitors.ts'
import { integerParameter } from '../../contract/text.ts'
import { schemaOf } from '../../contract/schema-of.ts'

const noDate = 'must be a date that exists, YYYY-MM-DD or ISO 8601'

function dateParameter(description: string) {
  return z
    .string()
    .transform((text, context) => {
      const day = parseDay(text)
      if (day !== undefined) return day
      context.addIssue({ code: 'custom', message: noDate })
      return z.NEVER
    })
    .optional()
    .openapi({ type: 'string', description, example: '2026-11-01' })
}

const range = {
  dateFrom: dateParameter(
    'The first day, in the time zone of the project. Of a date-time the date as written counts. Default: the first day kept.',
  ),
  dateTo: dateParameter(
    'The day after the last one: results include days before it but not it. Default: through today.',
  ),
}

const offset = z
  .string()
  .regex(/^\d{1,40}$/, 'must be a whole number from 0')
  // Beyond this nothing stands, and all numbers are exact.
  .transform((digits) => Math.min(Number(digits), 1e15))
  .default(0)
  .openapi({ type: 'integer', minimum: 0, default: 0, description: 'Rows to skip: (page - 1) * `limit`.' })

type Range = { readonly dateFrom?: string | undefined; readonly dateTo?: string | undefined }

function inOrder({ dateFrom, dateTo }: Range, context: z.core.$RefinementCtx): void {
  if (dateFrom === undefined || dateTo === undefined || dateFrom <= dateTo) return
  context.issues.push({ code: 'custom', input: dateFrom, path: ['dateFrom'], message: 'must not be after `dateTo`' })
}

export const rangeQuery = z.object(range).superRefine(inOrder)

export const pageQuery = z
  .object({
    ...range,
    limit: integerParameter({ min: 1, max: 250, fallback: 50, description: 'Rows on a page.' }),
    offset,
  })
  .superRefine(inOrder)

const interval = z.enum(intervals).default('day')

export const timeseriesQuery = z
  .object({ ...range, interval: interval.openapi({ description: 'Weeks begin on Monday.' }) })
  .superRefine(inOrder)

const count = (description: string) => z.int().openapi({ minimum: 0, description })
const path = z.string().openapi({ description: 'Path of the page, normalised.' })
const hasMore = z.boolean().openapi({ description: 'Are there rows after these?' })
const agent = z.string().openapi({ description: 'Name of the client; empty: it has none.' })
const operator = z.string().openapi({ description: 'Who runs it; empty: not known.' })

function counts(what: string, total: string) {
  return { human: count(`${what}: human.`), ai: count(`${what}: AI.`), total: count(total) }
}

const unique = counts('Unique visitors', 'Unique visitors: who came as both counts once.')
const viewed = counts('Page views', 'Page views: the sum.')
const uniqueTotals = z.object(unique).openapi('VisitorCounts')
const viewTotals = z.object(viewed).openapi('ViewCounts')

export const visitorsSchema = schemaOf<VisitorsView>()(
  z
    .object({
      totals: uniqueTotals,
      visitors: z.array(z.object({ path, ...unique })).readonly(),
      hasMore,
    })
    .openapi('Visitors', {
      example: {
        totals: { human: 812, ai: 164, total: 958 },
        visitors: [{ path: '/quickstart', human: 401, ai: 96, total: 490 }],
        hasMore: true,
      },
    }),
)

export const viewsSchema = schemaOf<ViewsView>()(
  z.object({ totals: viewTotals, views: z.array(z.object({ path, ...viewed })).readonly(), hasMore }).openapi('Views'),
)

export const timeseriesSchema = schemaOf<TimeseriesView>()(
  z
    .object({
      interval: z.enum(intervals),
      totals: uniqueTotals,
      timeseries: z
        .array(
          z.object({
            date: z.string().openapi({ format: 'date', description: 'First day of the interval.' }),
            ...unique,
          }),
        )
        .readonly(),
    })
    .openapi('Timeseries'),
)

export const aiAgentsSchema = schemaOf<AiAgentsView>()(
  z
    .object({
      agents: z
        .array(
          z.object({
            agent,
            operator,
            visitors: count('Unique visitors.'),
            verified: count('Of these, those from an address that the operator publishes.'),
            unverified: count('Those from another one, though the operator publishes its addresses.'),
            views: count('Page views.'),
            topPath: z.string().openapi({ description: 'The page that it viewed most.' }),
          }),
        )
        .readonly(),
      hasMore,
    })
    .openapi('AiAgents'),
)

export const crawlersSchema = schemaOf<CrawlersView>()(
  z
    .object({
      crawlers: z
        .array(
          z.object({
            agent,
            operator,
            category: z.string().openapi({ description: 'What it crawls for, such as `search` or `ai_training`.' }),
            views: count('Page views.'),
          }),
        )
        .readonly(),
      hasMore,
    })
    .openapi('Crawlers'),
)

export const referrersSchema = schemaOf<ReferrersView>()(
  z
    .object({
      referrers: z
        .array(
          z.object({
            referrer: z.string().openapi({ description: 'Host of the referring site.' }),
            visitors: count('Unique human visitors who came from it.'),
          }),
        )
        .readonly(),
      hasMore,
    })
    .openapi('Referrers'),
)

export const brokenPagesSchema = schemaOf<BrokenPagesView>()(
  z
    .object({
      brokenPages: z
        .array(
          z.object({
            path,
            human: count('Asked for by browsers.'),
            ai: count('Asked for by AI agents.'),
            neither: count('Asked for by crawlers, tools and scanners.'),
            total: count('All of them.'),
          }),
        )
        .readonly(),
      hasMore,
    })
    .openapi('BrokenPages'),
)
