// Imports from other tools over HTTP: passes requests on to src/analytics/histories.

import { invalidInput } from '../../../lib/failure.ts'
import { normalisePath } from '../../../analytics/collect/path.ts'
import type { DailySum } from '../../../analytics/histories/daily-sums.ts'
import { readEarlierDays } from '../../../analytics/histories/earlier-days.ts'
import { deleteHistory, listHistories } from '../../../analytics/histories/histories.ts'
import { addSums, createHistory, type History, noHistory } from '../../../analytics/histories/records.ts'
import { addDays, dayOf } from '../../../analytics/zone.ts'
import { findProject } from '../../request/auth.ts'
import type { App, AppContext, AppDeps } from '../../context.ts'
import {
  addSumsRoute,
  createHistoryRoute,
  deleteHistoryRoute,
  earlierDaysRoute,
  listHistoriesRoute,
} from './contract.ts'

export function addHistoryRoutes(app: App, deps: AppDeps): void {
  const { analytics } = deps
  for (const path of ['histories', 'histories/*', 'earlier-days']) {
    app.use(`/v1/analytics/:projectId/${path}`, findProject(deps.projects))
  }
  const show = async (c: AppContext, id: string): Promise<History> => {
    const [history] = await listHistories(analytics, c.get('project'), id)
    if (!history) throw noHistory()
    return history
  }
  const check = (sums: readonly DailySum[]) => refuseFuture(sums, analytics.clock.now())
  app.openapi(listHistoriesRoute, async (c) => {
    c.header('Cache-Control', 'no-store')
    return c.json({ histories: await listHistories(analytics, c.get('project')) }, 200)
  })
  app.openapi(createHistoryRoute, async (c) => {
    const given = c.req.valid('json')
    check(given.sums)
    const id = await createHistory(analytics.db, { projectId: c.get('projectId'), ...given })
    c.set('subject', id)
    return c.json(await show(c, id), 200)
  })
  app.openapi(addSumsRoute, async (c) => {
    const { projectId, historyId: id } = c.req.valid('param')
    const more = c.req.valid('json')
    check(more.sums)
    await addSums(analytics.db, { projectId, id }, more)
    return c.json(await show(c, id), 200)
  })
  app.openapi(deleteHistoryRoute, async (c) => {
    const { projectId, historyId: id } = c.req.valid('param')
    return c.json({ deleted: await deleteHistory(analytics, { projectId, id }) }, 200)
  })
  app.openapi(earlierDaysRoute, async (c) => {
    const { path, ...query } = c.req.valid('query')
    const page = path === undefined ? '' : normalisePath(path)
    if (page === undefined) throw invalidInput('#/query/path', 'must have at most 2,048 bytes')
    c.header('Cache-Control', 'no-store')
    const asked = { project: c.get('project'), query: { ...query, path: page } }
    return c.json(await readEarlierDays(analytics, asked, c.req.raw.signal), 200)
  })
}

/** Tomorrow is a day that has begun somewhere. */
function refuseFuture(sums: readonly DailySum[], now: Date): void {
  const end = addDays(dayOf('UTC', now.getTime()), 1)
  const index = sums.findIndex(({ date }) => date > end)
  if (index >= 0) throw invalidInput(`#/sums/${index}/date`, 'must not be in the future')
}
