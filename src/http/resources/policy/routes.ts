// Tests of paths and texts over HTTP: judges them by the settings of the project.

import { createPathJudge } from '../../../jobs/policy/judge-path.ts'
import type { App, AppDeps } from '../../context.ts'
import { testPolicyRoute } from './contract.ts'

export function addPolicyRoutes(app: App, { policy }: Pick<AppDeps, 'policy'>): void {
  app.openapi(testPolicyRoute, async (c) => {
    const project = c.get('project')
    const { paths = [], files = [] } = c.req.valid('json')
    const judged = { paths: paths.map(createPathJudge(project.pathPolicy)) }
    if (files.length === 0) return c.json({ ...judged, files: [], basis: null }, 200)
    return c.json({ ...judged, ...(await policy.ask(project, files)) }, 200)
  })
}
