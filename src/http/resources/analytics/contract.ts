// The two operations of every export: a page as JSON, and all rows as CSV.

import { boolean, count, string } from '../../contract/fields.ts'
import { operationsOn } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import type { FailureCode } from '../../../lib/failure.ts'
import { describeDays } from '../../../analytics/import/address/hint-words.ts'
import { toCsv } from '../../../analytics/counts/query/csv.ts'
import type { ProbablyAutomated } from '../../../analytics/counts/query/exports/visitors.ts'
import type { PerWindow } from '../../../analytics/counts/query/per-window.ts'
import { intervals } from '../../../analytics/counts/query/plan.ts'
import type { DeclaredExport } from './exports.ts'
import { breakdownCsvQuery, breakdownQuery, csvQuery, pageQuery, timeseriesQuery } from './parameters.ts'
import { fewestOfShare } from './filters.ts'
import { projectParams } from '../../contract/ids.ts'
import { conditional, type HeaderName, json, notModified, textBody } from '../../contract/responses.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'

const operations = operationsOn('Analytics')

const exportsPath = '/v1/analytics/{projectId}'

export const dataHeaders: readonly HeaderName[] = [
  'Docent-Count',
  'Docent-Visitor-Window',
  'Docent-Visitor-Windows',
  'Docent-Date-From',
  'Docent-Date-To',
]
export const successHeaders: readonly HeaderName[] = [
  'ETag',
  ...dataHeaders,
  'Docent-Answered-From',
  'RateLimit',
  'RateLimit-Policy',
]

/** Ends the description of exports of which shared links don't see all rows. */
function wordsForShares({ query }: DeclaredExport): string {
  return query.isOfPages ? '' : ` A shared link gets only rows with a count of at least ${fewestOfShare}.`
}

export function jsonRoute(declared: DeclaredExport) {
  const { name, emptyRows, sorts = [] } = declared.query
  return describeJson(declared, name, emptyRows ? timeseriesQuery : pageQuery(sorts))
}

export function csvRoute(declared: DeclaredExport) {
  const { name, emptyRows, sorts = [] } = declared.query
  return describeCsv(declared, name, emptyRows ? timeseriesQuery : csvQuery(sorts))
}

/** `declared`: one of the breakdowns, which differ in nothing that callers see. */
export function breakdownRoutes(declared: DeclaredExport) {
  return {
    json: describeJson(declared, 'breakdown', breakdownQuery),
    csv: describeCsv(declared, 'breakdown', breakdownCsvQuery),
  }
}

function describeJson<Query extends z.ZodObject>(declared: DeclaredExport, name: string, query: Query) {
  const { id, title, description } = declared
  return operations.get('statistics', `${exportsPath}/${name}`, {
    operationId: `get${id}`,
    summary: title.join(' '),
    description: description + wordsForShares(declared),
    request: {
      params: projectParams,
      query,
      headers: conditional,
    },
    ...answers(json('A page of rows.', responseSchema(declared), ...successHeaders)),
  })
}

function describeCsv<Query extends z.ZodObject>(declared: DeclaredExport, name: string, query: Query) {
  const { id, title, description, example } = declared
  const [, object] = title
  const rows = toCsv(declared.query.columns, example.rows)
  return operations.get('statistics', `${exportsPath}/${name}.csv`, {
    operationId: `export${id}`,
    summary: `Export ${object} as CSV`,
    description: `Streams all rows. ${description}${wordsForShares(declared)}`,
    request: {
      params: projectParams,
      query,
      headers: conditional,
    },
    ...answers(textBody('text/csv', 'All rows.', { example: rows, headers: successHeaders })),
  })
}

function answers<Success>(success: Success) {
  const codes: readonly FailureCode[] = ['rate_limited', 'question_too_large']
  return { responses: { 200: success, ...notModified(...dataHeaders) }, codes }
}

const perWindowSchema = schemaOf<PerWindow>()(
  z
    .object({
      window: namedEnum('Interval', intervals),
      windows: z.int().openapi({ minimum: 2, description: 'How many the range spans.' }),
      note: string('A text for people that continues a number.'),
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
      pageViews: count('Probably automated.'),
      of: z.int().openapi({ minimum: 1, description: 'Judged.' }),
      share: z.number().openapi({ minimum: 0, maximum: 1 }),
      note: string('A sentence for people.'),
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
      ...(isWhole ? {} : { hasMore: boolean('True if there are rows after this page.') }),
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
