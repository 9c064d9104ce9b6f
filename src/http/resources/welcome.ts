// The page at `/` where the dashboard is not built. Callers that prefer JSON get the 404 of any path where the API has
// nothing.

import { createRoute } from '@hono/zod-openapi'
import { type App, type AppDeps, prefixOf } from '../context.ts'
import { problems, textBody } from '../contract/responses.ts'
import { Failure } from '../../lib/failure.ts'
import { pageResponse, stylesheet } from '../pages/page.ts'
import { renderWelcome } from '../pages/welcome.ts'
import { preferredType } from '../request/negotiation.ts'

const welcomeRoute = createRoute({
  method: 'get',
  path: '/',
  operationId: 'getWelcome',
  tags: ['Service'],
  security: [],
  summary: 'Welcome page',
  description: 'Shows people where to go next. Returns 404 if `Accept` prefers JSON.',
  responses: { 200: textBody('text/html', 'The page.'), ...problems('not_found') },
})

const types = ['text/html', 'application/json', 'application/problem+json'] as const

export function addWelcomeRoute(app: App, deps: AppDeps): void {
  if (deps.dashboard !== undefined) return
  const prefix = prefixOf(deps)
  const style = stylesheet('welcome')
  app.get('/welcome.css', (c) => style.respond(c))
  app.openapi(welcomeRoute, (c) => {
    c.header('Vary', 'Accept')
    if (preferredType(c.req.header('Accept'), types) !== 'text/html') {
      throw new Failure(
        'not_found',
        `There is nothing at this address. The API is described at ${prefix}/openapi.json.`,
      )
    }
    return pageResponse(c, renderWelcome({ ...deps, prefix, href: `${prefix}/${style.href}` }))
  })
}
