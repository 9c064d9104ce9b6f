// The things that need somebody's attention in the projects that a caller may see, and their latest jobs: the start page
// of the dashboard in one response.

import type { ExpressionBuilder } from 'kysely'
import type { JobRow, Schema } from '../postgres/schema.ts'
import type { JobsContext } from './context.ts'
import { type ListedJob, toListedJobs } from './listed.ts'

export type Overview = {
  /** Their last run ended with a question. The newest first. */
  readonly asking: readonly ListedJob[]
  /** Failed within `failedDays` and not merged since, except those that a person cancelled. The newest first. */
  readonly failed: readonly ListedJob[]
  /** Their pull request is open, and nothing has changed for `waitingDays`. The oldest first. */
  readonly waiting: readonly ListedJob[]
  /** The newest jobs. */
  readonly latest: readonly ListedJob[]
  readonly credentials: readonly { readonly projectId: string; readonly problem: string }[]
}

export type OverviewOf = {
  /** null: all projects. */
  readonly projectIds: readonly string[] | null
  /** Only admins manage credentials. */
  readonly showsCredentials: boolean
}

const failedDays = 14
export const waitingDays = 3
export const mostShown = 10
const dayMs = 86_400_000

export async function readOverview(context: JobsContext, { projectIds, showsCredentials }: OverviewOf) {
  const { db, clock } = context
  const ago = (days: number) => new Date(clock.now().getTime() - days * dayMs)
  // An empty list is no SQL, and no project has an empty id.
  const ids = projectIds === null ? undefined : [...projectIds, '']
  let jobs = db.selectFrom('jobs').selectAll().limit(mostShown)
  if (ids) jobs = jobs.where('project_id', 'in', ids)
  const asking = await jobs
    .where('status', '=', 'completed')
    .where('outcome', '=', 'needs_input')
    .orderBy('updated_at', 'desc')
    .execute()
  const failed = await jobs
    .where('status', '=', 'failed')
    .where('error_code', '<>', 'cancelled')
    .where('updated_at', '>', ago(failedDays))
    .where(notMergedSince)
    .orderBy('updated_at', 'desc')
    .execute()
  const waiting = await jobs
    .where('status', '=', 'completed')
    .where('pull_number', 'is not', null)
    .where('pull_state', '=', 'open')
    .where('updated_at', '<=', ago(waitingDays))
    .orderBy('updated_at')
    .execute()
  const latest = await jobs.orderBy('ordinal', 'desc').execute()
  const listed = await listOnce(context, [asking, failed, waiting, latest])
  const credentials = showsCredentials ? await findBroken(context, ids) : []
  return {
    asking: listed(asking),
    failed: listed(failed),
    waiting: listed(waiting),
    latest: listed(latest),
    credentials,
  } satisfies Overview
}

/** Somebody who merges what a failed run left open has decided about it. */
function notMergedSince(eb: ExpressionBuilder<Schema, 'jobs'>) {
  const later = eb
    .selectFrom('runs')
    .select('runs.id')
    .whereRef('runs.job_id', '=', 'jobs.id')
    .whereRef('runs.ended_at', '>', 'jobs.pull_merged_at')
  return eb.or([eb('jobs.pull_merged_at', 'is', null), eb.exists(later)])
}

/** The same job may be in two of the lists. */
async function listOnce(context: JobsContext, lists: readonly (readonly JobRow[])[]) {
  const rows = new Map(lists.flat().map((row) => [row.id, row]))
  const all = new Map((await toListedJobs(context, [...rows.values()])).map((job) => [job.id, job]))
  return (wanted: readonly JobRow[]) => wanted.flatMap(({ id }) => all.get(id) ?? [])
}

type Checked = { readonly problem: string | null; readonly missing: readonly { readonly remedy: string }[] }

/** The credentials whose last check found that they cannot be used, or that a right is missing. */
async function findBroken({ db }: JobsContext, ids: readonly string[] | undefined): Promise<Overview['credentials']> {
  let query = db
    .selectFrom('credentials')
    .innerJoin('projects', 'projects.id', 'credentials.project_id')
    .select(['projects.id as projectId', 'access'])
    .where('access', 'is not', null)
  if (ids) query = query.where('project_id', 'in', ids)
  const rows = await query.orderBy('project_id').execute()
  return rows.flatMap(({ projectId, access }) => {
    const { problem, missing } = JSON.parse(access ?? '{}') as Partial<Checked>
    const said = problem ?? missing?.[0]?.remedy
    return said === undefined ? [] : [{ projectId, problem: said }]
  })
}
