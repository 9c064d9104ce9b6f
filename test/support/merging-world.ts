// A job of an automation that merges, whose pull request is on a loopback forge, with a run that has checked the change; and the
// service that polls it.

import { emptyReview, type Review } from '../../src/jobs/review/review.ts'
import { createId } from '../../src/lib/id.ts'
import type { ForgeKind } from '../../src/forge/host.ts'
import type { AutomationRow } from '../../src/postgres/schema/automations.ts'
import type { Db } from '../../src/postgres/types.ts'
import { toMerging } from '../../src/jobs/merging/show.ts'
import type { Cleanup } from './git-remote.ts'
import { lookedAt } from './looked-at.ts'
import { createManualClock } from './manual-clock.ts'

/** A review that says nothing. */
export const silentReview: Review = {
  ...emptyReview,
  checks: { ...emptyReview.checks, remaining: 0, coverage: { judged: 3, notJudged: [], site: null } },
}

const settings = {
  trigger: '{"type":"person"}',
  instructions: '"Fix it"',
  scope: '[]',
  budgets: '{}',
  caps: '{}',
  update_mode: 'merge',
  enabled: true,
} as const

export type Wished = { readonly automation?: Partial<AutomationRow>; readonly review?: Review | null }

/** The run of the job, as if it had made this commit on the branch. */
export async function addMergingRun(
  db: Db,
  { jobId, branch, head }: { readonly jobId: string; readonly branch: string; readonly head: string },
  { automation = {}, review = silentReview }: Wished = {},
): Promise<string> {
  const now = new Date()
  const { project_id: projectId } = await db
    .selectFrom('jobs')
    .select('project_id')
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  const id = createId('aut')
  const row = { ...settings, id, project_id: projectId, name: id, created_at: now, updated_at: now, ...automation }
  await db.insertInto('automations').values(row).execute()
  const run = { id: createId('aru'), automation_id: id, trigger: 'person', job_id: jobId, created_at: now } as const
  await db.insertInto('automation_runs').values(run).execute()
  await db.updateTable('jobs').set({ branch }).where('id', '=', jobId).execute()
  const checked = { branch, base_branch: 'main', commit_id: head, review: review && JSON.stringify(review) }
  await db.updateTable('runs').set(checked).where('job_id', '=', jobId).execute()
  return id
}

export async function mergingWorld(t: Cleanup, db: Db, kind: ForgeKind) {
  const clock = createManualClock()
  const world = await lookedAt(t, db, kind, { clock })
  let opened = 0
  const open = async (wished: Wished = {}) => {
    const branch = `docent/m${(opened += 1)}`
    const { jobId, number, headCommit: head } = await world.open(branch)
    const automationId = await addMergingRun(db, { jobId, branch, head }, wished)
    return { jobId, number, head, branch, automationId }
  }
  const merging = async (jobId: string) => toMerging(await world.job(jobId))
  /** The codes of its obstacles; `asked` or `merged` without one. */
  const waits = async (jobId: string) => {
    const shown = await merging(jobId)
    return shown?.state === 'waiting' ? shown.obstacles.map(({ code }) => code).join() : (shown?.state ?? 'nobody')
  }
  const look = async (jobId: string, seconds = 60) => {
    await clock.pass(seconds * 1000)
    await world.look(seconds)
    // The token of the App expires within an hour: the look that finds this out gets another one for the next.
    if ((await world.job(jobId)).pull_check_error !== null) await world.look(180)
    return await waits(jobId)
  }
  const record = (jobId: string) => db.selectFrom('merges').selectAll().where('job_id', '=', jobId).execute()
  const asked = () => world.forge.requests.filter(({ route }) => isMerge(kind, route)).map(({ body }) => body)
  return { ...world, clock, open, merging, waits, look, record, asked }
}

/** Whether the request asks for the merge. */
export function isMerge(kind: ForgeKind, route: string): boolean {
  if (kind === 'azure') return route.startsWith('PATCH ') && route.endsWith('/pullrequests/:pullRequestId')
  return /^(?:PUT|POST) .*\/merge$/.test(route)
}
