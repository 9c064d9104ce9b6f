// Reads jobs: one job, a page of jobs, and the messages of a job.

import type { JobsContext } from './context.ts'
import { createCursor, noCursor, toPage } from '../requests/cursor.ts'
import type { JobStatus } from './job.ts'
import { batchLookups } from '../lib/batch-lookups.ts'
import type { JobRow } from '../postgres/schema.ts'
import { type ListedJob, toListedJobs } from './listed.ts'
import { findJob, getJob, noJob } from './store.ts'
import { type MessageResponse, toMessageResponse, toVersionedJob, type VersionedJob } from './response.ts'

export type JobPage = { readonly jobs: readonly ListedJob[]; readonly nextCursor: string | null }
export type JobFilter = {
  readonly status: JobStatus | undefined
  readonly limit: number
  readonly cursor: string | undefined
}

const cursor = createCursor('j', 'job_[a-z0-9]{20}')

/** Reads one job; polls at the same moment share one query. Throws `not_found`. */
export type ReadJob = (projectId: string, jobId: string) => Promise<VersionedJob>

export function createJobReader({ db, publicUrl }: JobsContext): ReadJob {
  const find = batchLookups<JobRow>(
    (ids) => db.selectFrom('jobs').selectAll().where('id', 'in', ids).execute(),
    (job) => job.id,
  )
  return async (projectId, jobId) => {
    const job = await find(jobId)
    return job?.project_id === projectId ? toVersionedJob(job, publicUrl) : noJob()
  }
}

/** Newest first. Throws `invalid_input` for an invalid cursor. */
export async function listJobs(context: JobsContext, projectId: string, filter: JobFilter): Promise<JobPage> {
  let query = context.db.selectFrom('jobs').selectAll().where('project_id', '=', projectId)
  if (filter.status) query = query.where('status', '=', filter.status)
  if (filter.cursor !== undefined) {
    const last = await findJob(context.db, projectId, cursor.read(filter.cursor))
    query = query.where('ordinal', '<', last?.ordinal ?? noCursor())
  }
  const rows = await query
    .orderBy('ordinal', 'desc')
    .limit(filter.limit + 1)
    .execute()
  const { page, nextCursor } = toPage(rows, { limit: filter.limit, cursor, keyOf: ({ id }) => id })
  return { jobs: await toListedJobs(context, page), nextCursor }
}

/** Returns all messages of a job in order; the first is the prompt of the job. Throws `not_found`. */
export async function listMessages(
  context: JobsContext,
  projectId: string,
  jobId: string,
): Promise<readonly MessageResponse[]> {
  await getJob(context.db, projectId, jobId)
  const rows = await context.db
    .selectFrom('messages')
    .selectAll()
    .where('job_id', '=', jobId)
    .orderBy('ordinal')
    .execute()
  return rows.map(toMessageResponse)
}
