// The HTTP app: the order in which a request meets what judges it, and the routes. It has the shape of `fetch`:
// the server, the socket in the data directory and the command line in process call the same function.

import { OpenAPIHono } from '@hono/zod-openapi'
import { METHODS } from 'hono/router'
import { Failure } from '../lib/failure.ts'
import { authenticate, findProject, seeProject } from './request/auth.ts'
import type { AppContext, AppDeps, AppEnv } from './context.ts'
import { buildDocument } from './document.ts'
import { wrapAnswers } from './response/envelope.ts'
import { createErrorHandler } from './response/problem.ts'
import { addAnalyticsRoutes } from './resources/analytics/routes.ts'
import { addCollectRoutes } from './resources/collect/routes.ts'
import { addEraseRoute } from './resources/erase/routes.ts'
import { addEventRoutes } from './resources/events/routes.ts'
import { addJobRoutes } from './resources/jobs/routes.ts'
import { addKeyRoutes } from './resources/keys/routes.ts'
import { addLocalRoutes } from './resources/local/routes.ts'
import { addDocumentRoutes, addMetaRoutes } from './resources/meta/routes.ts'
import { addPageViewRoutes } from './resources/collect/page-views.ts'
import { addProjectRoutes } from './resources/projects/routes.ts'
import { addPullPage, addPullRoutes } from './resources/pulls/routes.ts'
import { addScriptRoute } from './resources/script/routes.ts'
import { addReclassifyRoute } from './resources/reclassify/routes.ts'
import { addSiteRoutes } from './resources/sites/routes.ts'
import { refuseInvalid } from './request/validation.ts'

export type App = ReturnType<typeof createApp>

/** Throws nothing and opens nothing; limits are counted from here on. */
export function createApp(deps: AppDeps): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({ defaultHook: (finding) => refuseInvalid(finding) })
  app.use(wrapAnswers(deps))
  for (const path of ['/v1/*', '/v2/*']) app.use(path, authenticate(deps.identify))
  for (const path of ['/v1/projects/:projectId/*', '/v1/analytics/:projectId/*', '/v2/agent/:projectId/*'])
    app.use(path, seeProject)
  for (const path of ['/v1/projects/:projectId/*', '/v2/agent/:projectId/jobs'])
    app.use(path, findProject(deps.projects))
  addAnalyticsRoutes(app, deps)
  addCollectRoutes(app, deps)
  addPageViewRoutes(app, deps)
  addEraseRoute(app, deps)
  addReclassifyRoute(app, deps)
  addJobRoutes(app, deps)
  addEventRoutes(app, deps)
  addProjectRoutes(app, deps)
  addSiteRoutes(app, deps)
  addPullRoutes(app, deps)
  addScriptRoute(app)
  addKeyRoutes(app, deps)
  addPullPage(app, deps)
  addMetaRoutes(app, deps)
  addLocalRoutes(app, deps)
  addDocumentRoutes(app, () => buildDocument(app, deps))
  const answerError = createErrorHandler(deps)
  app.notFound((c) => answerError(refuseUnrouted(app, c), c))
  app.onError(answerError)
  return app
}

/** The framework answers a wrong method like a wrong path; a caller wants to know which of the two it is. */
function refuseUnrouted(app: OpenAPIHono<AppEnv>, c: AppContext): Failure {
  const methods = METHODS.map((method) => method.toUpperCase()).filter((method) => {
    const [handlers] = app.router.match(method, c.req.path)
    return handlers.some(([[, route]]) => route.method !== 'ALL')
  })
  if (methods.length === 0) return new Failure('not_found', 'There is nothing at this address.')
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  c.header('Allow', allowed.join(', '))
  return new Failure('method_not_allowed', `Use ${allowed.join(' or ')} here.`)
}
