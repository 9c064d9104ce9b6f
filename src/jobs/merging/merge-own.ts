// Merges Docent's own pull requests whose automations want that. Nobody polls these, so this searches for them: at first every minute,
// and less often later, as forges are polled.

import { sql } from 'kysely'
import { createOwnMerging } from '../../forge/own/merging.ts'
import { type PullsContext, refreshPull } from '../../forge/own/pulls.ts'
import type { Db } from '../../postgres/types.ts'
import { nextPollSeconds } from '../pulls/polls.ts'
import { mergeIfReady, mergeMs, type MergingContext } from './merge.ts'
import { recordRefused } from './records.ts'

export type OwnContext = MergingContext & PullsContext

/** Merges those that are due and ready. Throws only errors of the database, and the reason of the signal. */
export async function mergeOwnPulls(context: OwnContext): Promise<void> {
  const { db, clock, log, signal } = context
  for (const due of await findDue(db, clock.now())) {
    signal.throwIfAborted()
    try {
      await look(context, due)
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ err: error, jobId: due.id }, 'a pull request of the service could not be merged')
    }
    const after = new Date(clock.now().getTime() + nextPollSeconds(due.age) * 1000)
    await sql`/* merges.wait */ update merges set look_after = ${after}
      where job_id = ${due.id} and head_commit = ${due.head_commit}`.execute(db)
  }
}

type Due = {
  readonly id: string
  readonly project_id: string
  readonly pull_number: number
  readonly head_commit: string
  /** When it was asked for; null: it is not asked for, or was refused. */
  readonly asked: Date | null
  /** Seconds since the job changed. */
  readonly age: number
}

const batch = 50

/** Also those that were to be merged before a person changed or deleted the automation. */
async function findDue(db: Db, now: Date): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`/* merges.due */ select id, project_id, pull_number, jobs.head_commit,
      case when state = 'asked' then asked_at end as asked, extract(epoch from now() - updated_at)::float8 as age
    from jobs left join merges on job_id = id and merges.head_commit = jobs.head_commit
    where pull_forge = 'docent' and pull_state = 'open' and pull_number is not null and jobs.head_commit is not null
      and status <> 'active' and (look_after is null or look_after <= ${now}) and (merging is not null
        or exists (select 1 from automation_runs join automations on automations.id = automation_id
          where automation_runs.job_id = jobs.id and update_mode = 'merge'))
    order by look_after nulls first, id limit ${batch}`.execute(db)
  return rows
}

/** Longer than a merge takes. */
const interruptedMs = 2 * mergeMs

/** The process that asked may have died: the branch shows what became of it. */
async function look(context: OwnContext, due: Due): Promise<void> {
  const { id, project_id: projectId, pull_number: number, head_commit: commit } = due
  if (due.asked !== null) {
    if (context.clock.now().getTime() - due.asked.getTime() < interruptedMs) return
    const pull = await refreshPull(context, { projectId, number }, context.signal)
    if (pull?.state !== 'open') return
    await recordRefused(context.db, { jobId: id, commit }, 'The service was stopped before it merged.')
  }
  await mergeIfReady(context, { merging: createOwnMerging(context, projectId), hasChecks: false }, id)
}
