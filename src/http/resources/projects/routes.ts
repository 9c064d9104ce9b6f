// Projects over HTTP: passes requests on to src/projects, and refuses what a key for certain projects may not do.

import { examineAccess } from '../../../projects/access/access.ts'
import { requireReach } from '../../../projects/keys.ts'
import { createProject, deleteProject, listProjects, updateProject } from '../../../projects/projects.ts'
import { withSources, withSourcesOf } from '../../../projects/sources/sources.ts'
import { type App, type AppDeps, prefixOf } from '../../context.ts'
import {
  createProjectRoute,
  deleteProjectRoute,
  getProjectRoute,
  listProjectsRoute,
  updateProjectRoute,
} from './contract.ts'

export function addProjectRoutes(app: App, deps: AppDeps): void {
  const prefix = prefixOf(deps)
  const { db } = deps.projects
  app.openapi(listProjectsRoute, async (c) => {
    const { limit, cursor } = c.req.valid('query')
    const page = await listProjects(db, c.get('principal').projectIds, { limit, cursor })
    return c.json({ ...page, projects: await withSources(db, page.projects) }, 200)
  })
  app.openapi(createProjectRoute, async (c) => {
    const project = await createProject(deps.projects, c.req.valid('json'))
    c.set('projectId', project.id)
    c.header('Location', `${prefix}/v1/projects/${project.id}`)
    const access = await examineAccess(deps.access, project.id, c.req.raw.signal)
    return c.json({ ...project, sources: [], access }, 201)
  })
  app.openapi(getProjectRoute, async (c) => c.json(await withSourcesOf(db, c.get('project')), 200))
  app.openapi(updateProjectRoute, async (c) => {
    const change = c.req.valid('json')
    const { id, repository } = c.get('project')
    const moves = change.repository !== undefined && change.repository !== repository
    // The service can read repositories of other projects, which this key may not see.
    if (moves) requireReach(c.get('principal'), 'all projects')
    const project = await updateProject(deps.projects, id, change)
    const hasMoved = project.repository !== repository
    const access = hasMoved ? await examineAccess(deps.access, id, c.req.raw.signal) : null
    return c.json({ ...(await withSourcesOf(db, project)), access }, 200)
  })
  app.openapi(deleteProjectRoute, async (c) => {
    await deleteProject(db, c.get('project').id)
    return c.body(null, 204)
  })
}
