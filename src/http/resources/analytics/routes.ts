// The exports of analytics over HTTP: which operation answers with which rows. No rule of counting stands here.

import { createExportLimit } from '../../../analytics/limits.ts'
import { aiAgents, crawlers } from '../../../analytics/query/agents.ts'
import { brokenPages } from '../../../analytics/query/broken-pages.ts'
import { referrers } from '../../../analytics/query/referrers.ts'
import type { Query } from '../../../analytics/query/plan.ts'
import { type IntervalCounts, timeseries, type TimeseriesView } from '../../../analytics/query/timeseries.ts'
import { views } from '../../../analytics/query/views.ts'
import { toCounts, visitors } from '../../../analytics/query/visitors.ts'
import { answerCsv, answerRows, type Exporting, ranking, type Wanted } from './export-response.ts'
import { findProject } from '../../request/auth.ts'
import type { App, AppDeps } from '../../context.ts'
import {
  aiAgentsCsvRoute,
  aiAgentsRoute,
  brokenPagesCsvRoute,
  brokenPagesRoute,
  crawlersCsvRoute,
  crawlersRoute,
  referrersCsvRoute,
  referrersRoute,
  timeseriesCsvRoute,
  timeseriesRoute,
  viewsCsvRoute,
  viewsRoute,
  visitorsCsvRoute,
  visitorsRoute,
} from './contract.ts'

const exports = [visitors, views, timeseries, aiAgents, referrers, crawlers, brokenPages]

export function addAnalyticsRoutes(app: App, deps: AppDeps): void {
  const { analytics, version } = deps
  const exporting = { analytics, version, limit: createExportLimit(analytics, deps.limits.exportsPerHour) }
  for (const { name } of exports) {
    for (const path of [name, `${name}.csv`]) app.use(`/v1/analytics/:projectId/${path}`, findProject(deps.projects))
  }
  addPages(app, exporting)
  addBots(app, exporting)
  addTimeseries(app, exporting)
}

function addPages(app: App, exporting: Exporting): void {
  app.openapi(visitorsRoute, (c) => {
    const wanted = ranking(visitors, c.req.valid('query'), ({ totals, rows, hasMore }) => {
      return { totals: toCounts(totals), visitors: rows, hasMore }
    })
    return answerRows(c, exporting, wanted)
  })
  app.openapi(viewsRoute, (c) => {
    const wanted = ranking(views, c.req.valid('query'), ({ totals, rows, hasMore }) => {
      return { totals: toCounts(totals), views: rows, hasMore }
    })
    return answerRows(c, exporting, wanted)
  })
  app.openapi(brokenPagesRoute, (c) => {
    const wanted = ranking(brokenPages, c.req.valid('query'), ({ rows, hasMore }) => ({ brokenPages: rows, hasMore }))
    return answerRows(c, exporting, wanted)
  })
  app.openapi(visitorsCsvRoute, (c) => answerCsv(c, exporting, visitors, c.req.valid('query')))
  app.openapi(viewsCsvRoute, (c) => answerCsv(c, exporting, views, c.req.valid('query')))
  app.openapi(brokenPagesCsvRoute, (c) => answerCsv(c, exporting, brokenPages, c.req.valid('query')))
}

function addBots(app: App, exporting: Exporting): void {
  app.openapi(aiAgentsRoute, (c) => {
    const wanted = ranking(aiAgents, c.req.valid('query'), ({ rows, hasMore }) => ({ agents: rows, hasMore }))
    return answerRows(c, exporting, wanted)
  })
  app.openapi(crawlersRoute, (c) => {
    const wanted = ranking(crawlers, c.req.valid('query'), ({ rows, hasMore }) => ({ crawlers: rows, hasMore }))
    return answerRows(c, exporting, wanted)
  })
  app.openapi(referrersRoute, (c) => {
    const wanted = ranking(referrers, c.req.valid('query'), ({ rows, hasMore }) => ({ referrers: rows, hasMore }))
    return answerRows(c, exporting, wanted)
  })
  app.openapi(aiAgentsCsvRoute, (c) => answerCsv(c, exporting, aiAgents, c.req.valid('query')))
  app.openapi(crawlersCsvRoute, (c) => answerCsv(c, exporting, crawlers, c.req.valid('query')))
  app.openapi(referrersCsvRoute, (c) => answerCsv(c, exporting, referrers, c.req.valid('query')))
}

/** Few rows, the empty ones among them: both forms are the same answer, and neither has pages. */
function addTimeseries(app: App, exporting: Exporting): void {
  app.openapi(timeseriesRoute, (c) => answerRows(c, exporting, wantedSeries(c.req.valid('query'))))
  app.openapi(timeseriesCsvRoute, (c) =>
    answerRows(c, exporting, { ...wantedSeries(c.req.valid('query')), type: 'text/csv' }),
  )
}

function wantedSeries(query: Partial<Query>): Wanted<IntervalCounts, TimeseriesView> {
  return {
    exported: timeseries,
    query,
    read: async (question, signal) => {
      const view = await question.timeseries(signal)
      return { view, rows: view.timeseries }
    },
  }
}
