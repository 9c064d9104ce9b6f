// The operation that answers what readers do now: the last five minutes, and today by the hour.

import { z } from '@hono/zod-openapi'
import type { Realtime } from '../../../analytics/realtime/count.ts'
import { createRealtime } from '../../../analytics/realtime/realtime.ts'
import type { App, AppDeps } from '../../context.ts'
import { list, string } from '../../contract/fields.ts'
import { projectParams } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { conditional, type HeaderName, json, notModified } from '../../contract/responses.ts'
import { schemaOf } from '../../contract/schema-of.ts'
import { findProject } from '../../request/auth.ts'
import { entityTag, matchesTag } from '../../request/conditional.ts'
import { withRateLimitHeaders } from '../../response/rate-limit-headers.ts'
import { resolveFilters } from './asked-filters.ts'
import { callerOf, type ExportContext } from './export-response.ts'
import { filterParameters, withFilters } from './filters.ts'
import { uniqueTotals, viewTotals } from './exports.ts'

const activity = { visitors: uniqueTotals, views: viewTotals }

const example: Realtime = {
  now: {
    visitors: { human: 4, ai: 1, total: 5 },
    views: { human: 9, ai: 2, total: 11 },
    pages: [
      { path: '/quickstart', visitors: { human: 3, ai: 1, total: 4 }, views: { human: 6, ai: 2, total: 8 } },
      { path: '/', visitors: { human: 2, ai: 0, total: 2 }, views: { human: 3, ai: 0, total: 3 } },
    ],
  },
  today: {
    date: '2026-11-21',
    visitors: { human: 41, ai: 12, total: 52 },
    views: { human: 96, ai: 30, total: 126 },
    hours: [
      {
        start: '2026-11-21T00:00:00+01:00',
        visitors: { human: 2, ai: 1, total: 3 },
        views: { human: 5, ai: 1, total: 6 },
      },
    ],
  },
}

const realtimeSchema = schemaOf<Realtime>()(
  z
    .object({
      now: z
        .object({
          ...activity,
          pages: list(
            z.object({ path: string('Path of the page, normalised.'), ...activity }),
            'At most ten pages, those with the most page views first.',
          ),
        })
        .openapi({ description: 'The last five minutes.' }),
      today: z
        .object({
          date: z.string().openapi({ format: 'date', description: "Today in the project's time zone." }),
          ...activity,
          hours: list(
            z.object({
              start: z.string().openapi({
                format: 'date-time',
                description: "Its first instant, as the clock of the project's time zone shows it.",
              }),
              ...activity,
            }),
            'All hours of the day, those to come as well: 24, or 23 or 25 when the clock changes.',
          ),
        })
        .openapi({ description: 'The same numbers as those of the exports for this day, and by the hour.' }),
    })
    .openapi('Realtime', { example }),
)

const dataHeaders: readonly HeaderName[] = ['Docent-Count', 'Docent-Visitor-Window']

const realtimeRoute = operationsOn('Analytics').get('statistics', '/v1/analytics/{projectId}/realtime', {
  operationId: 'getRealtime',
  summary: 'Count the last five minutes and today',
  description:
    'Unique visitors and page views of the last five minutes, the pages that are viewed now, and today by the hour, all exact. A visitor of several hours counts once in each. All who ask within five seconds share one answer, so requests without filters do not count against the limit of exports; those with filters do.',
  request: { params: projectParams, query: z.object(filterParameters), headers: conditional },
  responses: { 200: json('The counts.', realtimeSchema, 'ETag', ...dataHeaders), ...notModified(...dataHeaders) },
  codes: ['rate_limited', 'question_too_large'],
})

export function addRealtimeRoute(app: App, deps: AppDeps, { limit }: ExportContext): void {
  const answer = createRealtime(deps.analytics)
  app.use('/v1/analytics/:projectId/realtime', findProject(deps.projects))
  app.openapi(realtimeRoute, async (c) => {
    const project = c.get('project')
    const { filters } = await resolveFilters(c, deps.analytics.db, withFilters(c.req.valid('query')))
    const { version, asked, read } = await answer({ projectId: project.id, settings: project, filters })
    const tag = entityTag(version, JSON.stringify([deps.version, project.visitorWindow, asked]))
    const isKnown = matchesTag(c.req.header('If-None-Match'), tag)
    const { signal } = c.req.raw
    const spend = async () => (await limit.spend(callerOf(c), read, signal)).result
    const readInLimit = () => withRateLimitHeaders(c, () => limit.read(callerOf(c)), spend)
    const counts = isKnown ? undefined : await (filters.length === 0 ? read() : readInLimit())
    // Set only after the query, so that a failure has no such headers.
    c.header('ETag', tag)
    c.header('Cache-Control', 'private, no-cache')
    c.header('Docent-Count', 'exact')
    c.header('Docent-Visitor-Window', project.visitorWindow)
    return counts === undefined ? c.body(null, 304) : c.json(counts, 200)
  })
}
