// Reclassifies page views over HTTP. Days are those of the project's time zone.

import { invalidInput } from '../../../lib/failure.ts'
import { Temporal } from 'temporal-polyfill'
import { reclassify } from '../../../analytics/upkeep/reclassify.ts'
import { startOfDay } from '../../../analytics/zone.ts'
import { findProject } from '../../request/auth.ts'
import type { App, AppDeps } from '../../context.ts'
import { reclassifyRoute } from './contract.ts'

export function addReclassifyRoute(app: App, deps: AppDeps): void {
  app.use('/v1/analytics/:projectId/reclassify', findProject(deps.projects))
  app.openapi(reclassifyRoute, async (c) => {
    const { id: projectId, timeZone, dimensionsOff } = c.get('project')
    const { since, until } = c.req.valid('json')
    if (until !== undefined && Temporal.PlainDate.compare(since, until) > 0) {
      throw invalidInput('#/until', 'must not be before `since`')
    }
    const store = await deps.analytics.openStore()
    const { looked, changed } = await reclassify(store, {
      projectId,
      since: startOfDay(timeZone, since),
      until: until === undefined ? undefined : startOfDay(timeZone, until),
      dimensionsOff: new Set(dimensionsOff),
    })
    return c.json({ looked, changed }, 200)
  })
}
