// The rows of merges, and what the job shows of them. The state of a commit:
//
//   first found at the head ──► waiting ──► asked ──► (the forge says no) ──► refused ──► asked …
//                                             └─ (no response, or the process dies): it stays asked, and the next look at the
//                                                pull request finds whether it was merged
//
// `asked` is committed before the request is sent, under the lock of the job, so no two processes ask for the same commit.

import { sql } from 'kysely'
import type { JobRow } from '../../postgres/schema.ts'
import type { MergeRow } from '../../postgres/schema/automations.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { pullKeyOf } from '../pulls/pull.ts'
import { lockJob, updateJob } from '../store.ts'
import { findMergeMode, isStopped } from './mode.ts'
import type { Obstacle } from './obstacles.ts'
import { hasWaitingComment } from './own-facts.ts'
import { type StoredMerging, storeMerging } from './show.ts'

export type Head = { readonly jobId: string; readonly commit: string }

/** Adds the row of a commit that is found for the first time. */
export async function seeHead(db: Db, { jobId, commit }: Head, now: Date): Promise<MergeRow> {
  const row = { job_id: jobId, head_commit: commit, state: 'waiting', seen_at: now } as const
  await db
    .insertInto('merges')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await rowsOf(db, { jobId, commit }).executeTakeFirstOrThrow()
}

function rowsOf(db: Db | Trx, { jobId, commit }: Head) {
  return db.selectFrom('merges').selectAll().where('job_id', '=', jobId).where('head_commit', '=', commit)
}

/** Shows what the merge waits for. The version of the job grows only if that differs. */
export async function recordWaiting(
  db: Db,
  { job, merge }: { readonly job: JobRow; readonly merge: MergeRow },
  obstacles: readonly Obstacle[],
): Promise<void> {
  const askedAt = merge.asked_at?.toISOString() ?? null
  await db.transaction().execute(async (trx) => {
    const now = await lockJob(trx, job.id)
    if (now.head_commit === merge.head_commit) await show(trx, now, { commit: merge.head_commit, askedAt, obstacles })
  })
}

/** People merge it from now on. */
export async function forgetMerging(db: Db, { id, merging }: JobRow): Promise<void> {
  if (merging === null) return
  await db.transaction().execute(async (trx) => {
    await lockJob(trx, id)
    await updateJob(trx, id, { merging: null })
  })
}

/** Returns false if the job, its automation or the commit have changed, a comment waits, or another process has asked. */
export async function recordAsked(db: Db, job: JobRow, { commit }: Head, now: Date): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const locked = await lockJob(trx, job.id)
    const mode = await findMergeMode(trx, job.id)
    if (!mode || isStopped(mode, now) || !isSameHead(locked, job)) return false
    if (await hasWaitingComment(trx, job.id)) return false
    const { rows } = await sql`/* merges.ask */ update merges set state = 'asked', asked_at = ${now}
      where job_id = ${job.id} and head_commit = ${commit} and state <> 'asked' returning 1`.execute(trx)
    if (rows.length === 0) return false
    await show(trx, locked, { commit, askedAt: now.toISOString(), obstacles: [] })
    return true
  })
}

/** No run has begun, and the pull request is the same. */
export function isSameHead(locked: JobRow, job: JobRow): boolean {
  const [one, other] = [pullKeyOf(locked), pullKeyOf(job)]
  return (
    locked.status === 'completed' &&
    locked.pull_state === 'open' &&
    locked.head_commit === job.head_commit &&
    one?.forge === other?.forge &&
    one?.number === other?.number
  )
}

/** The forge certainly did not do it, or says so. */
export async function recordRefused(db: Db, { jobId, commit }: Head, reason: string): Promise<void> {
  await sql`/* merges.refuse */ update merges set state = 'refused', refusals = refusals + 1, refusal = ${reason}
    where job_id = ${jobId} and head_commit = ${commit} and state = 'asked'`.execute(db)
}

async function show(trx: Trx, job: JobRow, merging: StoredMerging): Promise<void> {
  const stored = storeMerging(merging)
  if (stored !== job.merging) await updateJob(trx, job.id, { merging: stored })
}
