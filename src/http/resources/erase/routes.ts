// Erases page views over HTTP: parses which ones, and calls the feature. Days are those of the project's time zone.

import { invalidInput } from '../../../lib/failure.ts'
import { Temporal } from 'temporal-polyfill'
import { deleteAutomatedDays } from '../../../analytics/automated-days.ts'
import { deleteImported } from '../../../analytics/delete.ts'
import { startOfDay } from '../../../analytics/zone.ts'
import { eraseVisitor, type ErasureTarget } from '../../../analytics/upkeep/erase.ts'
import { networkOf } from '../../../analytics/collect/identify.ts'
import { findProject } from '../../request/auth.ts'
import type { App, AppDeps } from '../../context.ts'
import { eraseImportedRoute, eraseVisitorRoute } from './contract.ts'

export function addEraseRoute(app: App, deps: AppDeps): void {
  app.use('/v1/analytics/:projectId/visitors/erase', findProject(deps.projects))
  app.openapi(eraseVisitorRoute, async (c) => {
    const erased = await eraseVisitor(deps.analytics, c.get('project').id, toWho(c.req.valid('json')))
    return c.json({ erased }, 202)
  })
  app.use('/v1/analytics/:projectId/imports/erase', findProject(deps.projects))
  app.openapi(eraseImportedRoute, async (c) => {
    const { id: projectId, timeZone } = c.get('project')
    const { since, until } = c.req.valid('json')
    if (until !== undefined && Temporal.PlainDate.compare(since, until) > 0) {
      throw invalidInput('#/until', 'must not be before `since`')
    }
    const pageViews = await deleteImported(await deps.analytics.openStore(), {
      projectId,
      since: startOfDay(timeZone, since),
      until: until === undefined ? undefined : startOfDay(timeZone, until),
    })
    await deleteAutomatedDays(deps.analytics.db, { projectId, since, until })
    return c.json({ erased: { pageViews } }, 202)
  })
}

function toWho({
  visitorId,
  address,
}: {
  visitorId?: string | undefined
  address?: string | undefined
}): ErasureTarget {
  if (visitorId !== undefined && address === undefined) return { visitorId }
  if (address === undefined || visitorId !== undefined) {
    throw invalidInput('#', 'must have either `visitorId` or `address`')
  }
  if (networkOf(address) === undefined) throw invalidInput('#/address', 'is not an IP address')
  return { address }
}
