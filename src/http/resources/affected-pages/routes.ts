// Affected pages over HTTP: passes the question on to src/jobs.

import { readAffected } from '../../../jobs/affected-pages/read.ts'
import type { App, AppDeps } from '../../context.ts'
import { getAffectedRoute } from './contract.ts'

/** How long a client waits for repositories that were not fetched before. */
const deadlineMs = 120_000

export function addAffectedRoutes(app: App, { affected }: AppDeps): void {
  app.openapi(getAffectedRoute, async (c) => {
    const { source, from, to, limit } = c.req.valid('query')
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(deadlineMs)])
    const found = await readAffected(affected, c.get('project').id, { source, from, to, limit }, signal)
    return c.json(found, 200)
  })
}
