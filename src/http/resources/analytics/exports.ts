// The analytics exports, one entry each. Operations, schemas, examples and handlers of both forms (JSON and CSV) derive
// from this table: a new export needs its query and an entry here.

import { count, string } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import { type AiAgent, aiAgents, type Crawler, crawlers } from '../../../analytics/counts/query/exports/agents.ts'
import { type Referrer, referrers } from '../../../analytics/counts/query/exports/referrers.ts'
import { brokenPages, downloads, type RequestCounts } from '../../../analytics/counts/query/exports/requests.ts'
import type { Export, Row } from '../../../analytics/counts/query/rows.ts'
import { type IntervalCounts, timeseries } from '../../../analytics/counts/query/exports/timeseries.ts'
import { views } from '../../../analytics/counts/query/exports/views.ts'
import type { Counts, PageCounts } from '../../../analytics/counts/query/sums.ts'
import { visitors } from '../../../analytics/counts/query/exports/visitors.ts'
import { schemaOf } from '../../contract/schema-of.ts'

/** An export as the API offers it. Its path and its CSV columns are those of the query. */
export type DeclaredExport<R extends Row = Row> = {
  readonly query: Export<R>
  /** In operation ids (`getAiAgents`, `exportAiAgents`), and the name of the response's schema. */
  readonly id: string
  /** The verb of the JSON operation, and its object: "List broken pages", "Export broken pages as CSV". */
  readonly title: readonly [verb: 'Count' | 'List', object: string]
  readonly description: string
  readonly row: z.ZodType<R>
  /** The field of the JSON response that contains the rows. */
  readonly field: string
  readonly totals?: z.ZodType<Counts>
  /** True: the response says how visitors of the range are distinguished. */
  readonly countsVisitors?: true
  readonly example: { readonly totals?: Counts; readonly rows: readonly R[] }
}

const path = string('Path of the page, normalised.')
const agent = string('Name of the client; empty if it has no name.')
const operator = string('Organisation that runs it; empty if unknown.')

export const unique = {
  human: count('Unique human visitors.'),
  ai: count('Unique visitors through AI agents.'),
  total: count('Unique visitors. A visitor who came as both counts once.'),
}
const viewed = {
  human: count('Page views by human visitors.'),
  ai: count('Page views by AI agents.'),
  total: count('Sum of both.'),
}
export const uniqueTotals = z.object(unique).openapi('VisitorCounts')
export const viewTotals = z.object(viewed).openapi('ViewCounts')

export const exports: readonly DeclaredExport[] = [
  declare({
    query: visitors,
    id: 'Visitors',
    title: ['Count', 'unique visitors'],
    description: 'Exact unique visitors of the site and of each page, sorted by `total` (descending), then by `path`.',
    field: 'visitors',
    countsVisitors: true,
    row: schemaOf<PageCounts>()(z.object({ path, ...unique })),
    totals: uniqueTotals,
    example: {
      totals: { human: 812, ai: 164, total: 958 },
      rows: [{ path: '/quickstart', human: 401, ai: 96, total: 490 }],
    },
  }),
  declare({
    query: views,
    id: 'Views',
    title: ['Count', 'page views'],
    description:
      'Page views (not unique) of the site and of each page, sorted by `total` (descending), then by `path`.',
    field: 'views',
    row: schemaOf<PageCounts>()(z.object({ path, ...viewed })),
    totals: viewTotals,
    example: {
      totals: { human: 2_310, ai: 408, total: 2_718 },
      rows: [{ path: '/quickstart', human: 950, ai: 211, total: 1_161 }],
    },
  }),
  declare({
    query: timeseries,
    id: 'Timeseries',
    title: ['Count', 'unique visitors over time'],
    description:
      'Unique visitors in each interval of the range, empty intervals included. An interval is named after its first day and contains those of its days that are in the range.',
    field: 'timeseries',
    countsVisitors: true,
    row: schemaOf<IntervalCounts>()(
      z.object({
        date: z.string().openapi({ format: 'date', description: 'First day of the interval.' }),
        ...unique,
      }),
    ),
    totals: uniqueTotals,
    example: {
      totals: { human: 812, ai: 164, total: 958 },
      rows: [{ date: '2026-11-01', human: 64, ai: 12, total: 75 }],
    },
  }),
  declare({
    query: aiAgents,
    id: 'AiAgents',
    title: ['List', 'AI agents'],
    description: 'AI agents by unique visitors.',
    field: 'agents',
    countsVisitors: true,
    row: schemaOf<AiAgent>()(
      z.object({
        agent,
        operator,
        visitors: count('Unique visitors.'),
        verified: count('Visitors from an address that the operator publishes.'),
        unverified: count('Visitors from any other address of an operator that publishes its addresses.'),
        views: count('Page views.'),
        topPath: string('The page that it viewed most.'),
      }),
    ),
    example: {
      rows: [
        {
          agent: 'ChatGPT-User',
          operator: 'OpenAI',
          visitors: 96,
          verified: 91,
          unverified: 5,
          views: 240,
          topPath: '/quickstart',
        },
      ],
    },
  }),
  declare({
    query: referrers,
    id: 'Referrers',
    title: ['List', 'referring sites'],
    description:
      'Sites that human visitors came from, grouped: without `www.`, and country domains, apps and short links with their site. Visits without a referring site, or from a site of the project, are left out.',
    field: 'referrers',
    countsVisitors: true,
    row: schemaOf<Referrer>()(
      z.object({
        referrer: string('Host of the referring site, or `android-app://` with the id of an app.'),
        visitors: count('Unique human visitors who came from it.'),
      }),
    ),
    example: { rows: [{ referrer: 'docs.example.org', visitors: 57 }] },
  }),
  declare({
    query: crawlers,
    id: 'Crawlers',
    title: ['List', 'crawlers'],
    description: 'Crawlers by page views, including those that the project counts as human or AI.',
    field: 'crawlers',
    row: schemaOf<Crawler>()(
      z.object({
        agent,
        operator,
        category: string('The purpose of the crawler, such as `search` or `ai_training`.'),
        views: count('Page views.'),
        verified: count('Page views from an address that the operator publishes.'),
        unverified: count('Page views from any other address of an operator that publishes its addresses.'),
      }),
    ),
    example: {
      rows: [{ agent: 'Googlebot', operator: 'Google', category: 'search', views: 318, verified: 290, unverified: 28 }],
    },
  }),
  declare({
    query: brokenPages,
    id: 'BrokenPages',
    title: ['List', 'broken pages'],
    description: 'Pages that returned 404, by the class of the client that requested them.',
    field: 'brokenPages',
    row: schemaOf<RequestCounts>()(
      z.object({
        path,
        human: count('Requests by browsers.'),
        ai: count('Requests by AI agents.'),
        neither: count('Requests by crawlers, tools and scanners.'),
        total: count('All requests.'),
      }),
    ),
    example: { rows: [{ path: '/old-guide', human: 12, ai: 3, neither: 41, total: 56 }] },
  }),
  declare({
    query: downloads,
    id: 'Downloads',
    title: ['List', 'downloads'],
    description:
      'Files that are not pages (programs, packages, archives, documents, scripts) and were downloaded, by the class of the client. The parts (status 206) that a visitor fetches of a file on a day count as one download, unless there is a whole one. No other export counts them.',
    field: 'downloads',
    row: schemaOf<RequestCounts>()(
      z.object({
        path: string('Path of the file, normalised.'),
        human: count('Requests by browsers.'),
        ai: count('Requests by AI agents.'),
        neither: count('Requests by crawlers, tools and package managers.'),
        total: count('All requests.'),
      }),
    ),
    example: { rows: [{ path: '/files/app-2.1.zip', human: 31, ai: 2, neither: 88, total: 121 }] },
  }),
]

/** Checks that query, schema and example have the same row. The table and its readers need any row. */
function declare<R extends Row>(declared: DeclaredExport<R>): DeclaredExport {
  return declared as unknown as DeclaredExport
}
