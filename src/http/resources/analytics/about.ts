// The operation that describes the statistics of a project: with the exports, all that a shared link opens.

import { count, string } from '../../contract/fields.ts'
import { operationsOn } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { type About, describeStatistics } from '../../../analytics/counts/query/about.ts'
import { collectionSources, unverifiedAiAgents, visitorWindows } from '../../../projects/setting-fields.ts'
import type { App, AppDeps } from '../../context.ts'
import { projectParams } from '../../contract/ids.ts'
import { json } from '../../contract/responses.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { findProject } from '../../request/auth.ts'

const day = (description: string) => z.string().openapi({ format: 'date', description })

const aboutSchema = schemaOf<About>()(
  z
    .object({
      name: z.string(),
      timeZone: string('Its days are the days of the statistics.'),
      visitorWindow: namedEnum('VisitorWindow', visitorWindows).openapi({
        description: 'How long a visitor is recognised.',
      }),
      collectionSource: namedEnum('CollectionSource', collectionSources),
      retentionMonths: z.int(),
      unverifiedAiAgents: namedEnum('UnverifiedAiAgents', unverifiedAiAgents),
      today: day('Today in the time zone.'),
      firstDay: day('The first day whose page views count.'),
      firstPageView: day('The day of the first stored page view; null: there is no page view.').nullable(),
      pageViews: count('Stored page views, crawlers and tools included.'),
    })
    .openapi('Statistics', {
      example: {
        name: 'Acme docs',
        timeZone: 'Europe/Berlin',
        visitorWindow: 'month',
        collectionSource: 'both',
        retentionMonths: 25,
        unverifiedAiAgents: 'count',
        today: '2026-11-21',
        firstDay: '2024-10-21',
        firstPageView: '2026-03-02',
        pageViews: 48_210,
      },
    }),
)

const aboutRoute = operationsOn('Analytics').get('statistics', '/v1/analytics/{projectId}', {
  operationId: 'getStatistics',
  summary: 'Describe the statistics',
  description: 'The settings of the project that explain its numbers. Shared links can read it too.',
  request: { params: projectParams },
  responses: { 200: json('The settings.', aboutSchema) },
})

export function addAboutRoute(app: App, deps: AppDeps): void {
  app.use('/v1/analytics/:projectId', findProject(deps.projects))
  app.openapi(aboutRoute, async (c) => {
    c.header('Cache-Control', 'no-store')
    return c.json(await describeStatistics(deps.analytics, c.get('project'), c.req.raw.signal), 200)
  })
}
