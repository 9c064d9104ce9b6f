// Notifies of what became of the pull request of a job: when it was opened, merged and closed, and once if it has waited for a
// review for three days.

import { sql } from 'kysely'
import { Failure } from '../../lib/failure.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { pullKeyOf } from '../pulls/pull.ts'
import { lockJob } from '../store.ts'
import { notifyOfJob } from './job.ts'

const waitingDays = 3

/** `before`: the job before its change in this transaction, in which its lock is held. */
export async function notifyOfPull(trx: Trx, before: JobRow): Promise<void> {
  const now = await trx.selectFrom('jobs').selectAll().where('id', '=', before.id).executeTakeFirstOrThrow()
  const [known, pull] = [pullKeyOf(before), pullKeyOf(now)]
  if (!pull) return
  const isNew = known?.forge !== pull.forge || known.number !== pull.number
  if (isNew) await notifyOfJob(trx, now, 'pull_request.opened')
  const isOther = isNew || now.pull_state !== before.pull_state
  if (now.pull_state === 'merged' || now.pull_state === 'closed') {
    if (isOther) await notifyOfJob(trx, now, `pull_request.${now.pull_state}`)
    if (now.pull_waiting_after !== null) await stopWaiting(trx, now.id)
  } else if (isOther) {
    // Also one that was opened again.
    await sql`/* pulls.wait */ update jobs set pull_waiting_after = now() + make_interval(days => ${waitingDays})
      where id = ${now.id}`.execute(trx)
  }
}

/** Notifies of the open pull requests without a review that have waited until now, the time of the time guard. */
export async function notifyOfWaiting(db: Db, now: Date): Promise<void> {
  const due = db.selectFrom('jobs').select('id').where('pull_waiting_after', '<=', now)
  for (const { id } of await due.orderBy('pull_waiting_after').limit(1_000).execute()) {
    await db.transaction().execute(async (trx) => {
      const job = await lockIfThere(trx, id)
      if (!job || job.pull_waiting_after === null || job.pull_waiting_after > now) return
      await stopWaiting(trx, id)
      if (job.pull_state !== 'open' || job.pr_link === null || (await isReviewed(trx, job))) return
      await notifyOfJob(trx, job, 'pull_request.waiting')
    })
  }
}

/** It may be deleted since it was found. */
async function lockIfThere(trx: Trx, id: string): Promise<JobRow | undefined> {
  return await lockJob(trx, id).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  })
}

async function stopWaiting(trx: Trx, jobId: string): Promise<void> {
  await trx.updateTable('jobs').set({ pull_waiting_after: null }).where('id', '=', jobId).execute()
}

async function isReviewed(trx: Trx, job: JobRow): Promise<boolean> {
  const pull = pullKeyOf(job)
  if (!pull) return false
  const query = trx.selectFrom('pull_activity').select('id').where('job_id', '=', job.id).where('kind', '=', 'review')
  const ofPull = query.where('forge', '=', pull.forge).where('number', '=', pull.number).where('is_bot', '=', false)
  return (await ofPull.where('deleted_at', 'is', null).limit(1).executeTakeFirst()) !== undefined
}
