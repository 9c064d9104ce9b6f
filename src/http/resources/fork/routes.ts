// The fork of a project over HTTP: passes requests on to src/projects.

import { leaveFork, setFork } from '../../../projects/access/fork.ts'
import { getProject } from '../../../projects/projects.ts'
import { withSourcesOf } from '../../../projects/sources/sources.ts'
import type { App, AppDeps } from '../../context.ts'
import { leaveForkRoute, setForkRoute } from './contract.ts'

export function addForkRoutes(app: App, { access, projects }: AppDeps): void {
  app.openapi(setForkRoute, async (c) => {
    const { id } = c.get('project')
    await setFork(
      { ...access, checkAddress: projects.checkAddress },
      id,
      c.req.valid('json').repository,
      c.req.raw.signal,
    )
    return c.json(await withSourcesOf(projects.db, await getProject(projects.db, id)), 200)
  })
  app.openapi(leaveForkRoute, async (c) => {
    await leaveFork(projects.db, c.get('project').id)
    return c.body(null, 204)
  })
}
