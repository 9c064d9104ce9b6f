// Projects over HTTP.

import { Failure } from '../../lib/failure.ts'
import { createProject, listProjects } from '../../projects/projects.ts'
import type { App, AppDeps } from '../context.ts'
import { createProjectRoute, getProjectRoute, listProjectsRoute } from '../contract/projects.ts'

export function addProjectRoutes(app: App, deps: AppDeps): void {
  const prefix = new URL(deps.publicUrl).pathname.replace(/\/$/, '')
  app.openapi(listProjectsRoute, async (c) => {
    return c.json({ projects: await listProjects(deps.projects.db, c.get('principal').projectIds) }, 200)
  })
  app.openapi(createProjectRoute, async (c) => {
    if (c.get('principal').projectIds !== null) {
      throw new Failure('forbidden', 'A key for certain projects cannot create others.')
    }
    const project = await createProject(deps.projects, c.req.valid('json'))
    c.header('Location', `${prefix}/v1/projects/${project.id}`)
    return c.json(project, 201)
  })
  app.openapi(getProjectRoute, (c) => c.json(c.get('project'), 200))
}
