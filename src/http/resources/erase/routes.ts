// Erases a visitor over HTTP: parses who it is, and calls the feature.

import { invalidInput } from '../../../lib/failure.ts'
import { eraseVisitor, type ErasureTarget } from '../../../analytics/upkeep/erase.ts'
import { networkOf } from '../../../analytics/collect/identify.ts'
import { findProject } from '../../request/auth.ts'
import type { App, AppDeps } from '../../context.ts'
import { eraseVisitorRoute } from './contract.ts'

export function addEraseRoute(app: App, deps: AppDeps): void {
  app.use('/v1/analytics/:projectId/visitors/erase', findProject(deps.projects))
  app.openapi(eraseVisitorRoute, async (c) => {
    const erased = await eraseVisitor(deps.analytics, c.get('project').id, toWho(c.req.valid('json')))
    return c.json({ erased }, 202)
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
