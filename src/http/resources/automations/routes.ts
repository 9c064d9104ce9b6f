// Automations over HTTP: passes requests on to src/automations.

import { createPageViewReader } from '../../../analytics/pages-for-runs.ts'
import { toAutomation } from '../../../automations/automation.ts'
import {
  createAutomation,
  deleteAutomation,
  listAutomations,
  readAutomation,
  rotateEventSecret,
  type SavedAutomation,
  updateAutomation,
} from '../../../automations/automations.ts'
import { listReady } from '../../../automations/ready/list.ts'
import { type AskedRun, refuseStopped, refuseUntriggerable, runNow } from '../../../automations/runs/by-person.ts'
import { readRunFailures } from '../../../automations/runs/pages/failures.ts'
import { readShownPositions } from '../../../automations/positions/show.ts'
import { lastRuns, listRuns } from '../../../automations/runs/list.ts'
import { personOf } from '../../../projects/keys.ts'
import { getProject } from '../../../projects/projects.ts'
import { type RateLimit, readLimit } from '../../../requests/rate-limits.ts'
import { type App, type AppContext, type AppDeps, prefixOf } from '../../context.ts'
import { toIdempotentRequest } from '../../request/idempotency.ts'
import { withRateLimitHeaders } from '../../response/rate-limit-headers.ts'
import {
  createAutomationRoute,
  deleteAutomationRoute,
  getAutomationRoute,
  getRunFailuresRoute,
  listReadyAutomationsRoute,
  listAutomationRunsRoute,
  listAutomationsRoute,
  rotateEventSecretRoute,
  runAutomationRoute,
  triggerAutomationRoute,
  updateAutomationRoute,
} from './contract.ts'
import type { ShownAutomation } from './schemas.ts'

type Row = Awaited<ReturnType<typeof readAutomation>>

export function addAutomationRoutes(app: App, deps: AppDeps): void {
  const { redactor } = deps
  const context = { ...deps.jobs, secrets: deps.access.secrets }
  const prefix = prefixOf(deps)
  const read = async (rows: readonly Row[]) => {
    const [runs, positions] = await Promise.all([lastRuns(context, rows), readShownPositions(context.db, rows)])
    return rows.map((row) => toShown(deps, row, { lastRun: runs.get(row.id), position: positions.get(row.id) }))
  }
  const show = async (row: Row) => (await read([row]))[0] ?? toShown(deps, row, {})
  const showSaved = async ({ row, secret }: SavedAutomation) => ({ ...(await show(row)), secret })
  app.openapi(listAutomationsRoute, async (c) => {
    const rows = await listAutomations(context.db, c.get('projectId'))
    return c.json({ automations: await read(rows) }, 200)
  })
  app.openapi(listReadyAutomationsRoute, async (c) => {
    return c.json({ kinds: await listReady(context, c.get('projectId')) }, 200)
  })
  app.openapi(createAutomationRoute, async (c) => {
    const given = c.req.valid('json')
    const wanted = { ...given, instructions: redactor.hide(given.instructions ?? '') }
    const saved = await createAutomation(context, c.get('principal'), c.get('projectId'), wanted)
    c.header('Location', `${prefix}/v1/projects/${saved.row.project_id}/automations/${saved.row.id}`)
    return c.json(await showSaved(saved), 201)
  })
  app.openapi(getAutomationRoute, async (c) => {
    const { projectId, automationId } = c.req.valid('param')
    return c.json(await show(await readAutomation(context.db, projectId, automationId)), 200)
  })
  app.openapi(updateAutomationRoute, async (c) => {
    const { projectId, automationId: id } = c.req.valid('param')
    const { instructions, ...given } = c.req.valid('json')
    const change = { ...given, instructions: instructions === undefined ? undefined : redactor.hide(instructions) }
    return c.json(await showSaved(await updateAutomation(context, c.get('principal'), { projectId, id }, change)), 200)
  })
  app.openapi(rotateEventSecretRoute, async (c) => {
    const { projectId, automationId: id } = c.req.valid('param')
    return c.json(await showSaved(await rotateEventSecret(context, c.get('principal'), { projectId, id })), 200)
  })
  app.openapi(deleteAutomationRoute, async (c) => {
    const { projectId, automationId } = c.req.valid('param')
    await deleteAutomation(context.db, projectId, automationId)
    return c.body(null, 204)
  })
  app.openapi(listAutomationRunsRoute, async (c) => {
    const { projectId, automationId } = c.req.valid('param')
    const { id } = await readAutomation(context.db, projectId, automationId)
    return c.json(await listRuns(context, id, c.req.valid('query')), 200)
  })
  addFailures(app, deps)
  addStarts(app, deps)
}

function addFailures(app: App, { jobs: { db, publicUrl }, analytics: { openStore, clock } }: AppDeps): void {
  const pageViews = createPageViewReader({
    settingsOf: (projectId) => getProject(db, projectId),
    openIfThere: openStore,
    clock,
  })
  app.openapi(getRunFailuresRoute, async (c) => {
    const wanted = c.req.valid('param')
    await readAutomation(db, wanted.projectId, wanted.automationId)
    const context = { db, publicUrl, now: clock.now(), pageViews }
    return c.json(await readRunFailures(context, wanted, c.req.raw.signal), 200)
  })
}

function addStarts(app: App, { jobs: context, limits }: AppDeps): void {
  const limit: RateLimit = { name: 'creates', quota: limits.createsPerHour }
  const start = async (c: AppContext, params: Pick<AskedRun, 'projectId' | 'automationId' | 'refuse'>) => {
    const principal = c.get('principal')
    const asked = { ...params, by: { name: principal.name, personId: personOf(principal) } }
    const { value, replayed } = await withRateLimitHeaders(
      c,
      () => readLimit(context.db, limit, params.projectId),
      () => runNow(context, asked, toIdempotentRequest(c), limit),
    )
    if (replayed) c.header('Idempotency-Replayed', 'true')
    return value
  }
  app.openapi(runAutomationRoute, async (c) => {
    return c.json(await start(c, { ...c.req.valid('param'), refuse: refuseStopped }), 202)
  })
  app.openapi(triggerAutomationRoute, async (c) => {
    const params = c.req.valid('param')
    const run = await start(c, { ...params, refuse: refuseUntriggerable })
    return c.json({ schemaId: params.automationId, instanceId: run.id, jobId: run.jobId }, 202)
  })
}

const doubted = 'The clock of the service is in doubt: nothing scheduled starts until it is trusted again.'

type Seen = { readonly [Name in 'lastRun' | 'position']?: ShownAutomation[Name] | undefined }

function toShown({ clockState, publicUrl }: AppDeps, row: Row, { lastRun, position }: Seen): ShownAutomation {
  const automation = toAutomation(row)
  const isHeld = automation.nextRunAt !== null && clockState().kind === 'doubted'
  return {
    ...automation,
    nextRunAt: isHeld ? null : automation.nextRunAt,
    heldBack: isHeld ? doubted : null,
    eventAddress: automation.trigger.type === 'event' ? `${publicUrl}/v1/events/${row.id}` : null,
    secret: null,
    position: position ?? null,
    lastRun: lastRun ?? null,
  }
}
