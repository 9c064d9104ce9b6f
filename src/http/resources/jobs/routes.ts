// Jobs over HTTP: passes requests on to the feature and its results back. The rules of jobs are in src/jobs.

import { toNotes } from '../../../checks/hosts/notes.ts'
import { toSarif } from '../../../checks/hosts/sarif.ts'
import { invalidInput } from '../../../lib/failure.ts'
import { pageActivity } from '../../../jobs/activity/read.ts'
import { archiveJob } from '../../../jobs/archive.ts'
import { cancelJob } from '../../../jobs/cancel.ts'
import { createJob } from '../../../jobs/create.ts'
import { rangeOfJob } from '../../../jobs/diff.ts'
import { createJobReader, listJobs, listMessages } from '../../../jobs/list.ts'
import { readOverview } from '../../../jobs/overview.ts'
import { sendMessage } from '../../../jobs/message.ts'
import type { JobOrigin, JobResponse } from '../../../jobs/response.ts'
import { pageTranscript } from '../../../jobs/transcript/read.ts'
import { getReview } from '../../../jobs/review/load.ts'
import { entityTag, matchesTag } from '../../request/conditional.ts'
import { type App, type AppContext, type AppDeps, prefixOf } from '../../context.ts'
import {
  archiveJobRoute,
  cancelJobRoute,
  changeRoutes,
  createJobRoute,
  getJobChecksRoute,
  getJobRoute,
  getJobSarifRoute,
  listActivityRoute,
  listJobsRoute,
  listMessagesRoute,
  listTurnsRoute,
  overviewRoute,
  sendMessageRoute,
} from './contract.ts'
import { sarifType, toReviewResponse } from './review-schemas.ts'
import { toIdempotentRequest } from '../../request/idempotency.ts'
import { withRateLimitHeaders } from '../../response/rate-limit-headers.ts'
import { mayUse, personOf, type Principal } from '../../../projects/keys.ts'
import { type RateLimit, readLimit } from '../../../requests/rate-limits.ts'
import { respondDiff, respondFiles } from '../diffs.ts'
import { respondFile, respondPreview } from '../files.ts'

/** Seconds between polls of an active job. */
const pollSeconds = '2'

export function addJobRoutes(app: App, deps: AppDeps): void {
  addCreate(app, deps)
  addMessage(app, deps)
  addGet(app, deps)
  addLists(app, deps)
  addEnds(app, deps)
  addChange(app, deps)
  addChecks(app, deps)
}

function addCreate(app: App, deps: AppDeps): void {
  const limit: RateLimit = { name: 'creates', quota: deps.limits.createsPerHour }
  const prefix = prefixOf(deps)
  app.openapi(createJobRoute, async (c) => {
    const { projectId } = c.req.valid('param')
    const { branch: baseBranch, ...wanted } = c.req.valid('json')
    const prompt = deps.redactor.hide(wanted.prompt)
    refuseBranch(deps, baseBranch)
    const principal = c.get('principal')
    const by = { origin: originOf(principal), personId: personOf(principal) }
    const request = toIdempotentRequest(c)
    const { value, replayed } = await withRateLimitHeaders(
      c,
      () => readLimit(deps.jobs.db, limit, projectId),
      () => createJob(deps.jobs, { ...wanted, ...by, prompt, baseBranch, projectId }, request, limit),
    )
    setReplayHeader(c, replayed)
    setPollHeader(c, value.job)
    c.header('Location', `${prefix}/v2/agent/${projectId}/job/${value.job.id}`)
    return c.json(value.job, 201)
  })
}

function refuseBranch({ projects }: AppDeps, branch: string | undefined): void {
  const problem = branch === undefined ? null : projects.branchProblem(branch)
  if (problem !== null) throw invalidInput('#/branch', `is refused: ${problem}`)
}

const origins = { key: 'api', share: 'api', operator: 'command_line', person: 'person' } as const

function originOf({ kind, name }: Principal): JobOrigin {
  return { kind: origins[kind], name, link: null }
}

function addMessage(app: App, deps: AppDeps): void {
  const limit: RateLimit = { name: 'messages', quota: deps.limits.messagesPerHour }
  app.openapi(sendMessageRoute, async (c) => {
    const { projectId, id: jobId } = c.req.valid('param')
    const { model, branch, draft, context, ...given } = c.req.valid('json')
    const prompt = deps.redactor.hide(given.prompt)
    refuseBranch(deps, branch)
    const personId = personOf(c.get('principal'))
    const request = toIdempotentRequest(c)
    const { value, replayed } = await withRateLimitHeaders(
      c,
      () => readLimit(deps.jobs.db, limit, projectId),
      () =>
        sendMessage(deps.jobs, { projectId, jobId, prompt, personId, model, branch, draft, context }, request, limit),
    )
    setReplayHeader(c, replayed)
    setPollHeader(c, value.job)
    return c.json(value.job, 200)
  })
}

function addGet(app: App, deps: AppDeps): void {
  const salt = `${deps.version} ${deps.publicUrl}`
  const readJob = createJobReader(deps.jobs)
  app.openapi(getJobRoute, async (c) => {
    const { projectId, id } = c.req.valid('param')
    const { job, version } = await readJob(projectId, id)
    const tag = entityTag(version, salt)
    c.header('ETag', tag)
    c.header('Cache-Control', 'private, no-cache')
    setPollHeader(c, job)
    return matchesTag(c.req.header('If-None-Match'), tag) ? c.body(null, 304) : c.json(job, 200)
  })
}

function addLists(app: App, deps: AppDeps): void {
  app.openapi(listJobsRoute, async (c) => {
    const { status, limit, cursor } = c.req.valid('query')
    return c.json(await listJobs(deps.jobs, c.get('project').id, { status, limit, cursor }), 200)
  })
  app.openapi(overviewRoute, async (c) => {
    const principal = c.get('principal')
    const wanted = { projectIds: principal.projectIds, showsCredentials: mayUse(principal, 'admin') }
    return c.json(await readOverview(deps.jobs, wanted), 200)
  })
  app.openapi(listMessagesRoute, async (c) => {
    const { projectId, id } = c.req.valid('param')
    return c.json({ messages: await listMessages(deps.jobs, projectId, id) }, 200)
  })
  const context = { db: deps.jobs.db, redactor: deps.redactor, publicUrl: deps.publicUrl }
  app.openapi(listTurnsRoute, async (c) => {
    const { projectId, id: jobId } = c.req.valid('param')
    return c.json(await pageTranscript(context, { projectId, jobId, ...c.req.valid('query') }), 200)
  })
  app.openapi(listActivityRoute, async (c) => {
    const { projectId, id: jobId } = c.req.valid('param')
    return c.json(await pageActivity(context, { projectId, jobId, ...c.req.valid('query') }), 200)
  })
}

function addEnds(app: App, deps: AppDeps): void {
  app.openapi(cancelJobRoute, async (c) => {
    const { projectId, id } = c.req.valid('param')
    const { job } = await cancelJob(deps.jobs, projectId, id)
    return c.json(job, 200)
  })
  app.openapi(archiveJobRoute, async (c) => {
    const { projectId, id } = c.req.valid('param')
    const { job } = await archiveJob(deps.jobs, projectId, id)
    return c.json(job, 200)
  })
}

/** The change of the job, by its diff and by its files. */
function addChange(app: App, { jobs }: AppDeps): void {
  const { previews } = jobs
  const finder = (job: { readonly projectId: string; readonly id: string }) => () =>
    rangeOfJob(jobs, job.projectId, job.id)
  app.openapi(changeRoutes.diff, (c) => respondDiff(c, finder(c.req.valid('param'))))
  app.openapi(changeRoutes.diffFiles, (c) => respondFiles(c, finder(c.req.valid('param'))))
  app.openapi(changeRoutes.file, (c) =>
    respondFile(c, { find: finder(c.req.valid('param')), previews }, c.req.valid('query')),
  )
  app.openapi(changeRoutes.preview, (c) =>
    respondPreview(c, { find: finder(c.req.valid('param')), previews }, c.req.valid('query')),
  )
}

function addChecks(app: App, { jobs, version }: AppDeps): void {
  app.openapi(getJobChecksRoute, async (c) => {
    const { projectId, id } = c.req.valid('param')
    return c.json(toReviewResponse(await getReview(jobs.db, projectId, id)), 200)
  })
  app.openapi(getJobSarifRoute, async (c) => {
    const { projectId, id } = c.req.valid('param')
    const { checks, ungrounded } = await getReview(jobs.db, projectId, id)
    const introduced = checks.findings.filter(({ state }) => state === 'introduced')
    const notes = toNotes({ findings: introduced, ungrounded })
    const log = toSarif(notes, { version, coverage: checks.coverage, drift: checks.drift })
    return c.json(log, 200, { 'Content-Type': sarifType })
  })
}

function setPollHeader(c: AppContext, job: JobResponse): void {
  if (job.status === 'active') c.header('Retry-After', pollSeconds)
}

function setReplayHeader(c: AppContext, replayed: boolean): void {
  if (replayed) c.header('Idempotency-Replayed', 'true')
}
