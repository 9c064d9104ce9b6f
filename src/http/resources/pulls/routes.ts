// Pull requests over HTTP: operations that need a key, and a page for anyone with the link of one of Docent's own. Those
// on a forge are shown and updated here, and merged and closed there.

import { Failure } from '../../../lib/failure.ts'
import { closePull, diffPull, diffPullFiles, getPullPage, listPulls, mergePull } from '../../../forge/own/pulls.ts'
import { diffJob, diffJobFiles } from '../../../jobs/diff.ts'
import { previewFileOf, readFileOf } from '../../../jobs/files.ts'
import { rangeOfPull } from '../../../jobs/pulls/files.ts'
import { addComment, listComments } from '../../../jobs/pulls/comments.ts'
import { listHostedPulls, refuseHosted } from '../../../jobs/pulls/hosted.ts'
import { findAnyPull, findElsewhere, showNow } from '../../../jobs/pulls/show.ts'
import { updatePull } from '../../../jobs/pulls/update.ts'
import { sessionCookie } from '../../request/cookie.ts'
import type { App, AppContext, AppDeps } from '../../context.ts'
import {
  addCommentRoute,
  closePullRoute,
  diffPullFilesRoute,
  diffPullRoute,
  getPullFileRoute,
  getPullRoute,
  listCommentsRoute,
  listPullsRoute,
  mergePullRoute,
  previewPullFileRoute,
  pullPageRoute,
  updatePullRoute,
} from './contract.ts'
import { pageResponse, renderProblem, stylesheet } from '../../pages/page.ts'
import { renderPull } from '../../pages/pull.ts'
import { tokenPattern } from '../../contract/ids.ts'
import { personOf } from '../../../projects/keys.ts'
import { type RateLimit, readLimit } from '../../../requests/rate-limits.ts'
import { toIdempotentRequest } from '../../request/idempotency.ts'
import { withRateLimitHeaders } from '../../response/rate-limit-headers.ts'
import { respondDiff, respondFiles } from '../diffs.ts'
import { respondBytes, respondPreview } from '../files.ts'

/** For what fetches and pushes; a repository that takes longer does not respond. */
const pushTimeoutMs = 120_000

export function addPullRoutes(app: App, deps: AppDeps): void {
  const { pulls } = deps
  addPullPage(app, deps)
  app.openapi(listPullsRoute, async (c) => {
    const { id } = c.get('project')
    const { state } = c.req.valid('query')
    const own = await listPulls(pulls, id, state)
    return c.json({ pulls: [...own, ...(await listHostedPulls(pulls.db, id, state))] }, 200)
  })
  app.openapi(getPullRoute, async (c) => {
    const { projectId, number } = c.req.valid('param')
    return c.json(await showNow(pulls, projectId, await findAnyPull(pulls, projectId, number)), 200)
  })
  app.openapi(updatePullRoute, async (c) => {
    const { projectId, number } = c.req.valid('param')
    return c.json(await updatePull(pulls, { projectId, number }, AbortSignal.timeout(pushTimeoutMs)), 200)
  })
  app.openapi(mergePullRoute, async (c) => {
    const { projectId, number } = c.req.valid('param')
    const hosted = await findElsewhere(pulls, projectId, number)
    if (hosted) throw refuseHosted(hosted, 'merge')
    return c.json(await mergePull(pulls, projectId, number, AbortSignal.timeout(pushTimeoutMs)), 200)
  })
  app.openapi(closePullRoute, async (c) => {
    const { projectId, number } = c.req.valid('param')
    const hosted = await findElsewhere(pulls, projectId, number)
    if (hosted) throw refuseHosted(hosted, 'close')
    return c.json(await closePull(pulls, projectId, number), 200)
  })
  addDiffs(app, deps)
  addFiles(app, deps)
  addComments(app, deps)
}

/** The diff of a pull request on a forge is that of its job. */
function addDiffs(app: App, deps: AppDeps): void {
  const { pulls, jobs } = deps
  const readFiles = async (projectId: string, number: number) => {
    const hosted = await findElsewhere(pulls, projectId, number)
    return hosted ? diffJobFiles(jobs, projectId, hosted.jobId) : diffPullFiles(pulls, projectId, number)
  }
  const readText = async (projectId: string, number: number) => {
    const hosted = await findElsewhere(pulls, projectId, number)
    return hosted ? diffJob(jobs, projectId, hosted.jobId) : diffPull(pulls, projectId, number)
  }
  app.openapi(diffPullRoute, (c) => {
    const { projectId, number } = c.req.valid('param')
    return respondDiff(c, { text: () => readText(projectId, number), files: () => readFiles(projectId, number) })
  })
  app.openapi(diffPullFilesRoute, (c) => {
    const { projectId, number } = c.req.valid('param')
    return respondFiles(c, { files: () => readFiles(projectId, number) })
  })
}

function addFiles(app: App, deps: AppDeps): void {
  const { previews } = deps.jobs
  type Asked = { readonly projectId: string; readonly number: number }
  const range =
    ({ projectId, number }: Asked) =>
    () =>
      rangeOfPull(deps, projectId, number)
  app.openapi(getPullFileRoute, async (c) => {
    const find = range(c.req.valid('param'))
    const { preview, ...wanted } = c.req.valid('query')
    if (preview === 'true') return respondPreview(c, await previewFileOf(previews, find, wanted))
    return respondBytes(c, await readFileOf(find, wanted))
  })
  app.openapi(previewPullFileRoute, async (c) =>
    respondPreview(c, await previewFileOf(previews, range(c.req.valid('param')), c.req.valid('query'))),
  )
}

function addComments(app: App, deps: AppDeps): void {
  const limit: RateLimit = { name: 'messages', quota: deps.limits.messagesPerHour }
  app.openapi(listCommentsRoute, async (c) => {
    const { projectId, number } = c.req.valid('param')
    const hosted = await findElsewhere(deps.pulls, projectId, number)
    // Those on the forge are shown there.
    const comments = hosted ? [] : await listComments(deps, projectId, number)
    return c.json({ comments }, 200)
  })
  app.openapi(addCommentRoute, async (c) => {
    const place = c.req.valid('param')
    const hosted = await findElsewhere(deps.pulls, place.projectId, place.number)
    if (hosted) throw refuseHosted(hosted, 'comment on')
    const principal = c.get('principal')
    const by = { author: principal.name, personId: personOf(principal) }
    const comment = { ...place, ...c.req.valid('json'), ...by }
    const { value, replayed } = await withRateLimitHeaders(
      c,
      () => readLimit(deps.jobs.db, limit, place.projectId),
      () => addComment(deps, comment, toIdempotentRequest(c), limit),
    )
    if (replayed) c.header('Idempotency-Replayed', 'true')
    return c.json(value, 201)
  })
}

function addPullPage(app: App, deps: AppDeps): void {
  const style = stylesheet('pulls')
  app.get('/pulls.css', (c) => style.respond(c))
  const href = `../${style.href}`
  const cookie = sessionCookie(deps)
  const isSignedIn = async (c: AppContext) => {
    const token = deps.dashboard === undefined ? undefined : cookie.read(c)
    return token !== undefined && (await deps.identifySession(token)) !== undefined
  }
  app.openapi(pullPageRoute, async (c) => {
    c.header('X-Robots-Tag', 'noindex')
    try {
      const { token } = c.req.valid('param')
      if (!tokenPattern.test(token)) throw new Failure('not_found', 'There is no such pull request.')
      const page = await getPullPage(deps.pulls, token)
      const inDashboard = `../projects/${page.projectId}/pulls/${page.pull.number}`
      c.header('Vary', 'Cookie')
      // Links in messages lead people who may merge to where they can. `?plain` is the page that others see.
      if (c.req.query('plain') === undefined && (await isSignedIn(c))) return c.redirect(inDashboard, 303)
      const pull = await showNow(deps.pulls, page.projectId, page.pull)
      const dashboard = deps.dashboard === undefined || pull.state !== 'open' ? undefined : inDashboard
      return pageResponse(c, renderPull({ ...page, pull, dashboard }, href))
    } catch (error) {
      return pageResponse(c, ...renderProblem(deps.log, { error, href, requestId: c.get('requestId') }))
    }
  })
}
