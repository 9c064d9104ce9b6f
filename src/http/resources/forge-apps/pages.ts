// Serves the pages of a GitHub App that is being created. Anyone can open them, so GitHub is only
// asked for a caller with a state, or seldom.

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Failure } from '../../../lib/failure.ts'
import { finishForgeApp, readManifestForm } from '../../../projects/forge-apps/create.ts'
import { findInstallation } from '../../../projects/forge-apps/forge-apps.ts'
import { type App, type AppContext, type AppDeps, prefixOf } from '../../context.ts'
import { renderCreatedApp, renderInstalledApp, renderNewApp } from '../../pages/github-app.ts'
import { type Html, pageResponse, renderProblem, stylesheet } from '../../pages/page.ts'
import { createdAppPageRoute, installedAppPageRoute, newAppPageRoute } from './pages-contract.ts'

/** The limit for all callers together. A person needs one or two requests. */
const asksPerMinute = 20

type Shown = { readonly page: Html; readonly formTarget?: string }

export function addForgeAppPages(app: App, deps: AppDeps): void {
  const context = deps.forgeApps
  const style = stylesheet('github-app')
  const href = `${prefixOf(deps)}/${style.href}`
  app.get('/github-app.css', (c) => style.respond(c))
  const limiter = new RateLimiterMemory({ points: asksPerMinute, duration: 60 })
  const respond = async (c: AppContext, show: () => Promise<Shown>) => {
    c.header('X-Robots-Tag', 'noindex')
    try {
      const { page, formTarget } = await show()
      return await pageResponse(c, page, 200, formTarget)
    } catch (error) {
      return pageResponse(c, ...renderProblem(deps.log, { error, href, requestId: c.get('requestId') }))
    }
  }
  app.openapi(newAppPageRoute, (c) =>
    respond(c, async () => {
      const form = await readManifestForm(context, c.req.valid('query').state ?? '')
      return { page: renderNewApp({ ...form, href }), formTarget: form.webUrl }
    }),
  )
  app.openapi(createdAppPageRoute, (c) =>
    respond(c, async () => {
      const { code = '', state = '' } = c.req.valid('query')
      const created = await finishForgeApp(context, { code, state })
      return { page: renderCreatedApp({ app: created, href }) }
    }),
  )
  app.openapi(installedAppPageRoute, (c) =>
    respond(c, async () => {
      const id = Number(/^[1-9]\d{0,14}$/.exec(c.req.valid('query').installation_id ?? '')?.[0] ?? Number.NaN)
      await count(limiter)
      const found = Number.isNaN(id) ? undefined : await findInstallation(context, id, c.req.raw.signal)
      if (!found) throw new Failure('not_found', 'No GitHub App of this service has this installation.')
      return { page: renderInstalledApp({ installationId: id, href }) }
    }),
  )
}

async function count(limiter: RateLimiterMemory): Promise<void> {
  try {
    await limiter.consume('all')
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    throw new Failure('rate_limited', 'Too many requests: wait a minute, then open the address again.')
  }
}
