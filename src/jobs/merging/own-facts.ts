// The service's own facts about the merge of a pull request: the automation, the last run of the job and its review, the words of
// outsiders that the agent has read, and whether the forge was asked before.

import { sql } from 'kysely'
import type { JobRow, RunRow } from '../../postgres/schema.ts'
import type { MergeRow } from '../../postgres/schema/automations.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { isOfOutsiders, type ReadingName } from '../options/readings.ts'
import { parsePagesRead } from '../pages-read.ts'
import { outcomeOf } from '../response.ts'
import { parseReview } from '../review/load.ts'
import { readRunSources } from '../sources/run-sources.ts'
import { isStopped, type MergeMode } from './mode.ts'
import type { Obstacle, OwnFacts } from './obstacles.ts'

export type Asking = { readonly job: JobRow; readonly mode: MergeMode; readonly merge: MergeRow | undefined }

export async function loadOwnFacts(db: Db, { job, mode, merge }: Asking, now: Date): Promise<OwnFacts> {
  const run = await findLastRun(db, job)
  return {
    automation: { isStopped: isStopped(mode, now), mergeWithoutChecks: mode.merge_without_checks },
    unfinished: sayUnfinished(job),
    commentWaits: await hasWaitingComment(db, job.id),
    outsiders: await findOutsiders(db, job),
    review: run === undefined || run.review === null ? null : parseReview(run.review),
    checked: checkedBy(run),
    asked: merge === undefined ? null : sayAsked(merge, now),
  }
}

function findLastRun(db: Db, { id, branch }: JobRow): Promise<RunRow | undefined> {
  const runs = db.selectFrom('runs').selectAll().where('job_id', '=', id).where('branch', '=', branch)
  return runs.where('state', '=', 'ended').orderBy('number', 'desc').limit(1).executeTakeFirst()
}

/** A run without a change of its own has checked the branch as it was. */
function checkedBy(run: RunRow | undefined): OwnFacts['checked'] {
  const commit = run?.commit_id ?? run?.start_commit ?? null
  const base = run?.base_branch ?? null
  return commit === null || base === null ? null : { commit, base }
}

function sayUnfinished(job: JobRow): string | null {
  if (job.status === 'active') return 'The job is active.'
  if (job.status !== 'completed') return `The job is ${job.status}.`
  const outcome = outcomeOf(job)
  if (outcome === 'needs_input') return 'The agent asks a question.'
  if (outcome === 'partial') return 'The change is a part of the work.'
  return outcome === 'pull_request' ? null : 'The branch has no change.'
}

/** A comment is a message to the job only when it is known who wrote it, which may take a day. */
export async function hasWaitingComment(db: Db | Trx, jobId: string): Promise<boolean> {
  const waiting = db.selectFrom('mentions').select('id').where('job_id', '=', jobId).where('state', '=', 'new')
  return (await waiting.limit(1).executeTakeFirst()) !== undefined
}

/**
 * The data of a run that was given commits are these commits, which people with the right to push have made. After the data
 * were erased with the transcript, each message counts that may have had some: people send messages without data, and a run
 * of an automation still has its own.
 */
async function findOutsiders(db: Db, job: JobRow): Promise<string | null> {
  if (parsePagesRead(job.pages_read).length > 0) return 'pages of the web'
  if (await hasReadOutsiders(db, job.id)) return 'addresses of page views'
  const source = await findOutsidersSource(db, job.id)
  if (source !== undefined) return `the source @${source}`
  type Found = { readonly is_erased: boolean; readonly about: string | null }
  const { rows } = await sql<Found>`/* merges.outsiders */ select messages.data is null as is_erased,
      messages.data::jsonb ->> 'about' as about from messages
    left join automation_runs as own on own.message_id = messages.id
    where messages.job_id = ${job.id} and (messages.data is not null
        or (messages.created_at <= ${job.transcript_erased_at}::timestamptz
          and (own.data is not null or (own.id is null and messages.person_id is null))))
      and coalesce(own.ranges = '[]', true) limit 1`.execute(db)
  const [found] = rows
  if (!found) return null
  if (found.is_erased) return 'a message whose data were erased'
  return found.about === 'checks' ? 'logs of failed checks' : 'data that came with a message'
}

/** Also before the automation was changed to one that reads nothing. */
async function hasReadOutsiders(db: Db, jobId: string): Promise<boolean> {
  const asked = db.selectFrom('messages').select('reads').where('job_id', '=', jobId).where('reads', 'is not', null)
  const rows = await asked.execute()
  return rows.some(({ reads }) => (JSON.parse(reads ?? '[]') as readonly ReadingName[]).some(isOfOutsiders))
}

/** A source that a run of the job has read, and to which outsiders commit as it is set now. */
async function findOutsidersSource(db: Db, jobId: string): Promise<string | undefined> {
  const runs = await db.selectFrom('runs').select('sources').where('job_id', '=', jobId).execute()
  const read = runs.flatMap(({ sources }) => readRunSources(sources)).filter(({ commit }) => commit !== null)
  const ids = [...new Set(read.map(({ id }) => id))]
  if (ids.length === 0) return undefined
  const query = db.selectFrom('sources').select('name').where('id', 'in', ids).where('outsiders_commit', '=', true)
  return (await query.orderBy('name').limit(1).executeTakeFirst())?.name
}

const hourMs = 3_600_000
/** After each refusal for the same commit; the last one from then on. */
const pausesMs = [hourMs / 6, hourMs, 6 * hourMs, 24 * hourMs]

/** Null: the forge may be asked. One that did not say no is never asked again. */
function sayAsked({ state, asked_at: at, refusals, refusal }: MergeRow, now: Date): Obstacle | null {
  if (at === null) return null
  if (state === 'asked') {
    const words = `The merge was asked for at ${at.toISOString()}, and the forge does not show it. It is not asked again.`
    return { code: 'asked_already', message: words }
  }
  const pause = pausesMs[Math.min(refusals, pausesMs.length) - 1] ?? 0
  if (now.getTime() - at.getTime() >= pause) return null
  return { code: 'merge_refused', message: refusal ?? 'The forge refused the merge.' }
}
