// The statements on jobs and messages that several files need. Each takes the caller's transaction.

import { sql } from 'kysely'
import type { EventData } from '../agent/notices/notices.ts'
import { Failure } from '../lib/failure.ts'
import { createId } from '../lib/id.ts'
import type { Contribution } from './appends/contribution.ts'
import type { JobRow, ProjectRow } from '../postgres/schema.ts'
import type { Db, Trx } from '../postgres/types.ts'
import type { ReadingName } from './options/readings.ts'
import { appendEvents, cut, eventLimits, type JobEvent, type Place } from './events/events.ts'

/** Returns undefined for a job of another project, as for a job that does not exist. */
export function findJob(db: Db, projectId: string, jobId: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', jobId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
}

/** Throws `not_found`. */
export async function getJob(db: Db, projectId: string, jobId: string): Promise<JobRow> {
  return (await findJob(db, projectId, jobId)) ?? noJob()
}

/**
 * The base of the branch that the job published: that of its pull request, which people may have retargeted. Undefined if
 * it has not published its present branch.
 */
export async function findBase(db: Db, job: JobRow): Promise<string | undefined> {
  return job.pull_base ?? (await findRunBase(db, job))
}

/** The base that the last run of the published branch started from. */
export async function findRunBase(db: Db, job: JobRow): Promise<string | undefined> {
  if (job.head_commit === null) return undefined
  const run = await db
    .selectFrom('runs')
    .select('base_branch')
    .where('job_id', '=', job.id)
    .where('branch', '=', job.branch)
    .where('base_branch', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run?.base_branch ?? undefined
}

export type LockedProject = Pick<ProjectRow, 'repository' | 'branch' | 'model' | 'models' | 'pull_request'>

/**
 * Returns the project, which stays unchanged until the transaction ends; many transactions may hold this lock at once.
 * Lock it before a job. Throws `not_found`.
 */
export async function lockProject(trx: Trx, projectId: string): Promise<LockedProject> {
  const row = await trx
    .selectFrom('projects')
    .select(['repository', 'branch', 'model', 'models', 'pull_request'])
    .where('id', '=', projectId)
    .forKeyShare()
    .executeTakeFirst()
  if (row) return row
  throw new Failure('not_found', 'There is no such project.')
}

/** Locks the job until the transaction ends. Every change of a job's state begins with this. */
export async function lockJob(trx: Trx, jobId: string, projectId?: string): Promise<JobRow> {
  let query = trx.selectFrom('jobs').selectAll().where('id', '=', jobId).forUpdate()
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
  return (await query.executeTakeFirst()) ?? noJob()
}

export type JobChange = Partial<Omit<JobRow, 'id' | 'project_id' | 'ordinal' | 'created_at' | 'version'>>

/** Changes a job and raises its version. */
export async function updateJob(trx: Trx, jobId: string, change: JobChange): Promise<JobRow> {
  return trx.updateTable('jobs').set(raised(change)).where('id', '=', jobId).returningAll().executeTakeFirstOrThrow()
}

/** Changes a job as `updateJob` does, and adds events, in one statement. The caller holds the lock of the job. */
export function changeJob(trx: Trx, place: Place, change: JobChange, events: readonly JobEvent[]): Promise<void> {
  return appendEvents(trx, place, events, raised(change))
}

function raised(change: JobChange) {
  return { ...change, updated_at: change.updated_at ?? new Date(), version: sql<number>`version + 1` }
}

/**
 * `data`: what an outsider sent with it. `reads`: data that its run is given. `personId`: undefined when no person who is signed in
 * sent it. `at`: undefined for now.
 */
export type SentMessage = {
  readonly prompt: string
  readonly data?: EventData | undefined
  readonly reads?: readonly ReadingName[] | undefined
  readonly personId?: string | undefined
  readonly contribution?: Contribution | undefined
  readonly at?: Date | undefined
}

/** Adds a message and returns its id. The caller holds the lock of the job, or has just created it. */
export async function addMessage(trx: Trx, jobId: string, sent: SentMessage): Promise<string> {
  const { prompt, data, reads = [], personId, contribution, at = new Date() } = sent
  const row = {
    id: createId('msg'),
    job_id: jobId,
    prompt: JSON.stringify(prompt),
    data: data === undefined ? null : JSON.stringify(data),
    contribution: contribution === undefined ? null : JSON.stringify(contribution),
    reads: reads.length === 0 ? null : JSON.stringify(reads),
    person_id: personId ?? null,
    created_at: at,
  }
  await trx.insertInto('messages').values(row).execute()
  await showMessage(trx, jobId, { id: row.id, prompt })
  return row.id
}

/** Adds the event of a message. */
export async function showMessage(trx: Trx, jobId: string, { id, prompt }: { id: string; prompt: string }) {
  const event = { type: 'message', messageId: id, prompt: cut(prompt, eventLimits.prompt) } as const
  await appendEvents(trx, { jobId, runId: null }, [event])
}

/** `joining`: those that the present run may take; the others wait for the next one. */
export async function countWaitingMessages(trx: Trx, jobId: string, which: 'all' | 'joining' = 'all'): Promise<number> {
  const query = trx
    .selectFrom('messages')
    .select((e) => e.fn.countAll<number>().as('waiting'))
    .where('job_id', '=', jobId)
    .where('run_id', 'is', null)
  const row = await (which === 'all' ? query : query.where('contribution', 'is', null)).executeTakeFirstOrThrow()
  return row.waiting
}

/** Throws `not_found`, also for a job of another project. */
export function noJob(): never {
  throw new Failure('not_found', 'There is no such job in this project.')
}
