// Lists the windows of visitors over HTTP, and counts their counters again.

import { readWindows } from '../../../analytics/counts/query/version.ts'
import { rebuildWindow } from '../../../analytics/counts/uniques/rebuild.ts'
import { Failure } from '../../../lib/failure.ts'
import { findProject } from '../../request/auth.ts'
import type { App, AppDeps } from '../../context.ts'
import { rebuildRoute, windowsRoute } from './contract.ts'

export function addVisitorWindowRoutes(app: App, deps: AppDeps): void {
  const { analytics, log, metrics } = deps
  for (const path of ['', '/rebuild'])
    app.use(`/v1/analytics/:projectId/visitor-windows${path}`, findProject(deps.projects))
  app.openapi(windowsRoute, async (c) => {
    const windows = await readWindows(await analytics.openStore(), c.get('projectId'))
    const visitorWindows = windows
      .toSorted((a, b) => a.first - b.first)
      .map(({ window, views, first, last }) => {
        const [from, to] = [new Date(first).toISOString(), new Date(last).toISOString()]
        return { name: window, pageViews: Number(views), from, to }
      })
    return c.json({ visitorWindows }, 200)
  })
  app.openapi(rebuildRoute, async (c) => {
    const { id: projectId, ...settings } = c.get('project')
    const { name: window } = c.req.valid('json')
    const task = { projectId, settings, window, now: analytics.clock.now() }
    const result = await rebuildWindow(await analytics.openStore(), task)
    if (!result) throw new Failure('not_found', 'The project has no page views in this window.')
    if (result === 'different') {
      metrics.countersDiffered()
      log.error({ projectId, window }, 'the stored counters of a window were wrong; they were counted again')
    }
    return c.json({ result }, 200)
  })
}
