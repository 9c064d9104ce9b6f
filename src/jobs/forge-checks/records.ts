// Decides, once for each head of a job's pull request, whether its failed checks are given to the agent: once until a person acts.
// The row of the head, the message and what the job shows are written in one transaction.
//
//   first failed head ──► given ──► (the head that the agent published fails, too) ──► left
//                           ▲                                                           │
//                           └── a head that fails after a message of a person ◄─────────┘

import { sql } from 'kysely'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { isSameHead } from '../merging/records.ts'
import { addFollowUp } from '../message.ts'
import { lockJob, lockProject, type SentMessage, updateJob } from '../store.ts'
import { type ForgeChecksResponse, type ShownCheck, storeForgeChecks } from './show.ts'

export type FailedHead = {
  readonly job: JobRow
  readonly commit: string
  readonly failed: readonly ShownCheck[]
  readonly message: SentMessage
  /** Why the agent cannot do anything about them, as a sentence; null: it can. */
  readonly lacks: string | null
}

const onceOnly =
  'The agent got the failed checks of an earlier commit, and checks still fail. It gets them again after a message of a person.'

/** Returns false if the job or its head have changed, or another process has decided. Throws the failures of a message. */
export async function recordFailed(db: Db, head: FailedHead, now: Date): Promise<boolean> {
  const { job, commit, failed, message, lacks } = head
  return await db.transaction().execute(async (trx) => {
    await lockProject(trx, job.project_id)
    if (!isSameHead(await lockJob(trx, job.id), job)) return false
    if (await isKnown(trx, job.id, commit)) return false
    const reason = lacks ?? ((await wasGiven(trx, job.id)) ? onceOnly : null)
    const sent =
      reason === null ? await addFollowUp(trx, { ...message, projectId: job.project_id, jobId: job.id }) : undefined
    const shown: ForgeChecksResponse = {
      state: reason === null ? 'given' : 'left',
      commit,
      at: now.toISOString(),
      reason,
      failed,
    }
    await sql`/* forgeChecks.add */ insert into forge_checks
        (job_id, head_commit, state, reason, message_id, after_message, failed, seen_at)
      select ${job.id}, ${commit}, ${shown.state}, ${reason}, ${sent?.messageId ?? null}, coalesce(max(ordinal), 0),
        ${JSON.stringify(failed.map(({ name }) => name))}, ${now} from messages where job_id = ${job.id}`.execute(trx)
    await updateJob(trx, job.id, { forge_checks: storeForgeChecks(shown) })
    return true
  })
}

export async function isKnown(db: Db | Trx, jobId: string, commit: string): Promise<boolean> {
  const rows = db.selectFrom('forge_checks').select('state').where('job_id', '=', jobId)
  return (await rows.where('head_commit', '=', commit).executeTakeFirst()) !== undefined
}

/** No person has sent the job a message since the agent got failed checks. Those of automations and of the service do not count. */
async function wasGiven(trx: Trx, jobId: string): Promise<boolean> {
  const { rows } = await sql<{ was_given: boolean }>`/* forgeChecks.wasGiven */
    select coalesce(max(after_message) filter (where state = 'given'), -1) >= coalesce((
      select max(ordinal) from messages where job_id = ${jobId} and contribution is null
        and not exists (select from automation_runs where message_id = messages.id)
        and not exists (select from forge_checks as own where own.message_id = messages.id)), 0) as was_given
    from forge_checks where job_id = ${jobId}`.execute(trx)
  return rows[0]?.was_given ?? false
}
