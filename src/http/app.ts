// The HTTP app: the checks that every request passes, in their order, then the resources. Its shape is that of `fetch`:
// the server, the socket in the data directory and tests call the same function.

import { OpenAPIHono } from '@hono/zod-openapi'
import { Failure } from '../lib/failure.ts'
import { auditChanges } from './request/audit.ts'
import { authenticate, authorize, findProject, seeProject } from './request/auth.ts'
import { createCallers } from './request/callers.ts'
import { type AppContext, type AppDeps, type AppEnv, prefixOf, type Resource } from './context.ts'
import { addAssetRoutes } from './dashboard/assets.ts'
import { createDashboardPage, isForPage } from './dashboard/page.ts'
import { wrapResponses } from './response/envelope.ts'
import { createErrorHandler } from './response/problem.ts'
import { addAuditRoutes } from './resources/audit/routes.ts'
import { addAnalyticsRoutes } from './resources/analytics/routes.ts'
import { createBrowserViews, type TakeBrowserView } from './resources/collect/browser-views.ts'
import { createPlainCollect, type PlainHandler } from './resources/collect/plain.ts'
import { addCollectRoutes } from './resources/collect/routes.ts'
import { addCredentialRoutes } from './resources/credential/routes.ts'
import { addForkRoutes } from './resources/fork/routes.ts'
import { addEraseRoute } from './resources/erase/routes.ts'
import { addHistoryRoutes } from './resources/histories/routes.ts'
import { addEventRoutes } from './resources/events/routes.ts'
import { addForgeAppPages } from './resources/forge-apps/pages.ts'
import { addForgeAppRoutes } from './resources/forge-apps/routes.ts'
import { addDeliveryAddress } from './resources/forge-webhooks/deliveries.ts'
import { addForgeWebhookRoutes } from './resources/forge-webhooks/routes.ts'
import { addJobRoutes } from './resources/jobs/routes.ts'
import { addKeyRoutes } from './resources/keys/routes.ts'
import { addLocalRoutes } from './resources/local.ts'
import { addMailRoutes } from './resources/mail/routes.ts'
import { addMetaRoutes } from './resources/meta/routes.ts'
import { addModelRoutes } from './resources/models/routes.ts'
import { addPageViewRoutes } from './resources/collect/page-views.ts'
import { addPeopleRoutes } from './resources/people/routes.ts'
import { addPolicyRoutes } from './resources/policy/routes.ts'
import { addProjectRoutes } from './resources/projects/routes.ts'
import { addPullRoutes } from './resources/pulls/routes.ts'
import { addSessionRoutes } from './resources/session/routes.ts'
import { addSegmentRoutes } from './resources/segments/routes.ts'
import { addShareRoutes } from './resources/shares/routes.ts'
import { addScriptRoute } from './resources/script.ts'
import { addReclassifyRoute } from './resources/reclassify/routes.ts'
import { addVisitorWindowRoutes } from './resources/visitor-windows/routes.ts'
import { addAffectedRoutes } from './resources/affected-pages/routes.ts'
import { addMcpRoute, refuseOtherOrigins } from './resources/mcp/routes.ts'
import { addCheckTextsRoute } from './resources/check-texts/routes.ts'
import { addLedgerRoutes } from './resources/ledger/routes.ts'
import { addEventAddress } from './resources/automations/events.ts'
import { addAutomationRoutes } from './resources/automations/routes.ts'
import { addWebhookRoutes } from './resources/webhooks/routes.ts'
import { addSourceRoutes } from './resources/sources/routes.ts'
import { addSiteRoutes } from './resources/sites/routes.ts'
import { createPathReader } from './request/path.ts'
import { createOperations, type Operations } from './request/operations.ts'
import { withoutMisspeltParameters } from './contract/operation.ts'
import { refuseMisspeltParameters } from './request/misspelt-parameters.ts'
import { refuseInvalid } from './request/validation.ts'

/** Everything in `resources/`, in the order of the reference. No two add the same path. */
const resourcesWith = (take: TakeBrowserView): readonly Resource[] => [
  addJobRoutes,
  addEventRoutes,
  addProjectRoutes,
  addPolicyRoutes,
  addCredentialRoutes,
  addForkRoutes,
  addSourceRoutes,
  addAffectedRoutes,
  addCheckTextsRoute,
  addLedgerRoutes,
  addAutomationRoutes,
  addEventAddress,
  addWebhookRoutes,
  addForgeWebhookRoutes,
  addDeliveryAddress,
  addSiteRoutes,
  addAnalyticsRoutes,
  addEraseRoute,
  addHistoryRoutes,
  addReclassifyRoute,
  addVisitorWindowRoutes,
  addScriptRoute,
  (app) => addCollectRoutes(app, take),
  addPageViewRoutes,
  addPullRoutes,
  addKeyRoutes,
  addSegmentRoutes,
  addShareRoutes,
  addSessionRoutes,
  addMailRoutes,
  addPeopleRoutes,
  addAuditRoutes,
  addForgeAppRoutes,
  addForgeAppPages,
  addModelRoutes,
  addMcpRoute,
  addMetaRoutes,
  addLocalRoutes,
]

const unbuilt =
  'The dashboard is not built. Run `npm ci && npm run build` in the folder of Docent, and start it again. The API works.'

export type App = ReturnType<typeof createApp>

/**
 * Opens nothing. In-memory limits live as long as the app. `plain` answers some requests before `fetch`, if the server offers
 * them to it.
 */
export function createApp(deps: AppDeps): OpenAPIHono<AppEnv> & { readonly plain: PlainHandler } {
  const prefix = prefixOf(deps)
  const takeBrowserView = createBrowserViews(deps)
  const app: OpenAPIHono<AppEnv> = new OpenAPIHono<AppEnv>({
    defaultHook: (finding) => refuseInvalid(finding),
    getPath: createPathReader(prefix),
  })
  app.use(wrapResponses(deps))
  const callers = createCallers(deps)
  const operations = createOperations(app)
  app.use('/mcp', refuseOtherOrigins(deps.publicUrl))
  for (const path of ['/v1/*', '/v2/*', '/mcp']) app.use(path, authenticate(callers, operations))
  for (const path of ['/v1/projects', '/v1/analytics', '/v1/workflow', '/v2/agent'])
    app.use(`${path}/:projectId/*`, seeProject)
  // The requests that its tools send are recorded, not the message.
  app.use('/mcp', authorize(operations))
  for (const path of ['/v1/*', '/v2/*']) app.use(path, authorize(operations), auditChanges(deps, operations))
  app.use(withoutMisspeltParameters, refuseMisspeltParameters(operations))
  for (const path of ['/v1/projects/:projectId/*', '/v2/agent/:projectId/jobs'])
    app.use(path, findProject(deps.projects))
  for (const add of resourcesWith(takeBrowserView)) add(app, deps)
  const respondError = createErrorHandler(deps)
  const page = deps.dashboard === undefined ? undefined : createDashboardPage(deps.dashboard, prefix)
  if (deps.dashboard !== undefined) addAssetRoutes(app, deps.dashboard)
  app.notFound((c) => {
    if (!isForPage(c)) return respondError(refuseUnrouted(operations, c), c)
    return page?.(c) ?? respondError(new Failure('not_found', unbuilt), c)
  })
  app.onError(respondError)
  return Object.assign(app, { plain: createPlainCollect(deps, takeBrowserView) })
}

/** The framework treats a wrong method like a wrong path. For a wrong method, callers get 405 and `Allow`. */
function refuseUnrouted(operations: Operations, c: AppContext): Failure {
  const methods = operations.methodsAt(c.req.path)
  if (methods.length === 0) return new Failure('not_found', 'There is nothing at this address.')
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  c.header('Allow', allowed.join(', '))
  return new Failure('method_not_allowed', `Use ${allowed.join(' or ')} here.`)
}
