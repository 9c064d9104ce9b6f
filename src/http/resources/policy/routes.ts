// Tests of paths over HTTP: judges them by the settings of the project.

import { createPathJudge } from '../../../jobs/policy/judge-path.ts'
import type { App } from '../../context.ts'
import { testPolicyRoute } from './contract.ts'

export function addPolicyRoutes(app: App): void {
  app.openapi(testPolicyRoute, (c) => {
    const judge = createPathJudge(c.get('project').pathPolicy)
    return c.json({ paths: c.req.valid('json').paths.map(judge) }, 200)
  })
}
