// Docent's own pull requests over HTTP: operations that need a key, and a page for anyone with its link.

import { Failure } from '../../../lib/failure.ts'
import {
  closePull,
  diffPull,
  diffPullFiles,
  getPull,
  getPullPage,
  listPulls,
  mergePull,
} from '../../../forge/own/pulls.ts'
import type { App, AppDeps } from '../../context.ts'
import {
  closePullRoute,
  diffPullFilesRoute,
  diffPullRoute,
  getPullRoute,
  listPullsRoute,
  mergePullRoute,
  pullPageRoute,
} from './contract.ts'
import { pageResponse, renderProblem, stylesheet } from '../../pages/page.ts'
import { renderPull } from '../../pages/pull.ts'
import { tokenPattern } from '../../contract/ids.ts'
import { respondDiff, respondFiles } from '../diffs.ts'

/** A merge fetches and pushes; a repository that takes longer does not respond. */
const mergeTimeoutMs = 120_000

export function addPullRoutes(app: App, deps: AppDeps): void {
  const { pulls } = deps
  addPullPage(app, deps)
  app.openapi(listPullsRoute, async (c) => {
    return c.json({ pulls: await listPulls(pulls, c.get('project').id, c.req.valid('query').state) }, 200)
  })
  app.openapi(getPullRoute, async (c) => {
    const { projectId, number } = c.req.valid('param')
    return c.json(await getPull(pulls, projectId, number), 200)
  })
  app.openapi(diffPullRoute, (c) => {
    const { projectId, number } = c.req.valid('param')
    return respondDiff(c, {
      text: () => diffPull(pulls, projectId, number),
      files: () => diffPullFiles(pulls, projectId, number),
    })
  })
  app.openapi(diffPullFilesRoute, (c) => {
    const { projectId, number } = c.req.valid('param')
    return respondFiles(c, { files: () => diffPullFiles(pulls, projectId, number) })
  })
  app.openapi(mergePullRoute, async (c) => {
    const { projectId, number } = c.req.valid('param')
    return c.json(await mergePull(pulls, projectId, number, AbortSignal.timeout(mergeTimeoutMs)), 200)
  })
  app.openapi(closePullRoute, async (c) => {
    const { projectId, number } = c.req.valid('param')
    return c.json(await closePull(pulls, projectId, number), 200)
  })
}

function addPullPage(app: App, deps: AppDeps): void {
  const style = stylesheet('pulls')
  app.get('/pulls.css', (c) => style.respond(c))
  const href = `../${style.href}`
  app.openapi(pullPageRoute, async (c) => {
    c.header('X-Robots-Tag', 'noindex')
    try {
      const { token } = c.req.valid('param')
      if (!tokenPattern.test(token)) throw new Failure('not_found', 'There is no such pull request.')
      const page = await getPullPage(deps.pulls, token)
      return pageResponse(c, renderPull(page, href))
    } catch (error) {
      return pageResponse(c, ...renderProblem(deps.log, { error, href, requestId: c.get('requestId') }))
    }
  })
}
