// Serves every declared export, as JSON and as CSV. Counting is the work of the queries.

import { createExportLimit } from '../../../analytics/limits.ts'
import { createTurns } from './turns.ts'
import type { App, AppDeps } from '../../context.ts'
import { findProject } from '../../request/auth.ts'
import { addAboutRoute } from './about.ts'
import { addEffectRoute } from './effect.ts'
import { addBreakdownRoutes } from './breakdown.ts'
import { addBrokenLinksRoute } from './broken-links.ts'
import { csvRoute, jsonRoute } from './contract.ts'
import { respondWithAllRows, respondWithPage } from './export-response.ts'
import { exports } from './exports.ts'
import { withFilters } from './filters.ts'
import { addRealtimeRoute } from './realtime.ts'
import { addPageViewExport } from './page-views.ts'

export function addAnalyticsRoutes(app: App, deps: AppDeps): void {
  const { analytics, version } = deps
  const limit = createExportLimit(analytics, deps.limits.exportsPerHour)
  const context = { analytics, version, limit, turnOfLong: createTurns() }
  addAboutRoute(app, deps)
  addRealtimeRoute(app, deps, context)
  addEffectRoute(app, deps, context)
  addBrokenLinksRoute(app, deps, context)
  addPageViewExport(app, deps, context)
  addBreakdownRoutes(app, deps, context)
  for (const declared of exports) {
    const path = `/v1/analytics/:projectId/${declared.query.name}`
    app.use(path, findProject(deps.projects))
    app.use(`${path}.csv`, findProject(deps.projects))
    app.openapi(jsonRoute(declared), (c) => respondWithPage(c, context, declared, withFilters(c.req.valid('query'))))
    app.openapi(csvRoute(declared), (c) => respondWithAllRows(c, context, declared, withFilters(c.req.valid('query'))))
  }
}
