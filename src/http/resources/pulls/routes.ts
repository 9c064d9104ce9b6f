// Pull requests over HTTP: operations that need a key, and a page for anyone with the link of one of Docent's own. Those
// on a forge are shown, updated and closed here, and merged there.

import { Failure } from '../../../lib/failure.ts'
import { getPullPage, listPulls, mergePull } from '../../../forge/own/pulls.ts'
import { startOfDay } from '../../../analytics/zone.ts'
import { closeAnyPull } from '../../../jobs/pulls/close.ts'
import { rangeOfPull } from '../../../jobs/pulls/files.ts'
import { mapStrings } from '../../../lib/outbound/map-strings.ts'
import { addComment, listComments } from '../../../jobs/pulls/comments.ts'
import { listHostedPulls } from '../../../jobs/pulls/hosted.ts'
import { findAnyPull, findElsewhere, refuseElsewhere, showNow } from '../../../jobs/pulls/show.ts'
import { updatePull } from '../../../jobs/pulls/update.ts'
import { findSession } from '../../request/cookie.ts'
import type { App, AppContext, AppDeps } from '../../context.ts'
import {
  addCommentRoute,
  changeRoutes,
  closePullRoute,
  getPullRoute,
  listCommentsRoute,
  listPullsRoute,
  mergePullRoute,
  previewPullTextRoute,
  pullPageRoute,
  updatePullRoute,
} from './contract.ts'
import { pageResponse, renderProblem, stylesheet } from '../../pages/page.ts'
import { renderPull } from '../../pages/pull.ts'
import { toSafeHtml, toSafeTexts } from '../../pages/pull-texts.ts'
import { tokenPattern } from '../../contract/ids.ts'
import { personOf } from '../../../projects/keys.ts'
import { type RateLimit, readLimit } from '../../../requests/rate-limits.ts'
import { toIdempotentRequest } from '../../request/idempotency.ts'
import { withRateLimitHeaders } from '../../response/rate-limit-headers.ts'
import { respondDiff, respondFiles } from '../diffs.ts'
import { respondFile, respondHtml, respondPreview } from '../files.ts'

type Place = { readonly projectId: string; readonly number: number }

/** For what fetches and pushes; a repository that takes longer does not respond. */
const pushTimeoutMs = 120_000

export function addPullRoutes(app: App, deps: AppDeps): void {
  const { pulls } = deps
  addPullPage(app, deps)
  app.openapi(listPullsRoute, async (c) => {
    const { id, timeZone } = c.get('project')
    const { state, mergedFrom, mergedTo } = c.req.valid('query')
    const merged =
      (mergedFrom ?? mergedTo) ? { from: startOf(timeZone, mergedFrom), to: startOf(timeZone, mergedTo) } : undefined
    const wanted = { state, merged }
    const own = await listPulls(pulls, id, wanted)
    return c.json({ pulls: [...own, ...(await listHostedPulls(pulls.db, id, wanted))] }, 200)
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
    await refuseElsewhere(pulls, { projectId, number, verb: 'merge' })
    return c.json(await mergePull(pulls, { projectId, number }, AbortSignal.timeout(pushTimeoutMs)), 200)
  })
  app.openapi(closePullRoute, async (c) => {
    const { projectId, number } = c.req.valid('param')
    return c.json(await closeAnyPull(pulls, { projectId, number }, AbortSignal.timeout(pushTimeoutMs)), 200)
  })
  addChange(app, deps)
  addComments(app, deps)
}

/** Nothing was merged before 1970, and the database reads no year 0. */
function startOf(timeZone: string, day: string | undefined): Date | undefined {
  return day === undefined ? undefined : new Date(Math.max(0, startOfDay(timeZone, day)))
}

/** The change of the pull request, by its diff and by its files. */
function addChange(app: App, deps: AppDeps): void {
  const { previews } = deps.jobs
  const finder =
    ({ projectId, number }: Place) =>
    () =>
      rangeOfPull(deps, projectId, number)
  app.openapi(changeRoutes.diff, (c) => respondDiff(c, finder(c.req.valid('param'))))
  app.openapi(changeRoutes.diffFiles, (c) => respondFiles(c, finder(c.req.valid('param'))))
  app.openapi(changeRoutes.file, (c) =>
    respondFile(c, { find: finder(c.req.valid('param')), previews }, c.req.valid('query')),
  )
  app.openapi(changeRoutes.preview, (c) =>
    respondPreview(c, { find: finder(c.req.valid('param')), previews }, c.req.valid('query')),
  )
  app.openapi(previewPullTextRoute, async (c) => {
    const { projectId, number } = c.req.valid('param')
    const { body, note } = await findAnyPull(deps.pulls, projectId, number)
    return respondHtml(c, await toSafeHtml(previews, body.startsWith(note) ? body.slice(note.length) : body))
  })
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
    await refuseElsewhere(deps.pulls, { ...place, verb: 'comment on' })
    const principal = c.get('principal')
    const by = { author: principal.name, personId: personOf(principal) }
    const comment = { ...place, ...mapStrings(c.req.valid('json'), deps.redactor.hide), ...by }
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
  const isSignedIn = async (c: AppContext) => deps.dashboard !== undefined && (await findSession(c, deps)) !== undefined
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
      const texts = await toSafeTexts(deps.jobs.previews, page)
      return pageResponse(c, renderPull({ ...page, pull, texts, dashboard }, href))
    } catch (error) {
      return pageResponse(c, ...renderProblem(deps.log, { error, href, requestId: c.get('requestId') }))
    }
  })
}
