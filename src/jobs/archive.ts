// Archives inactive jobs: permanently on the request of a person, and idle jobs until their next message.

import { sql } from 'kysely'
import type { Db } from '../postgres/types.ts'
import type { JobsContext } from './context.ts'
import { appendEvents, eventsChannel } from './events/events.ts'
import { onArchive } from './job.ts'
import { lockJob, updateJob } from './store.ts'
import { toVersionedJob, type VersionedJob } from './response.ts'

/** Archives a job; archiving it twice changes nothing. Throws `not_found` and `job_active`. */
export function archiveJob(context: JobsContext, projectId: string, jobId: string): Promise<VersionedJob> {
  return context.db.transaction().execute(async (trx) => {
    const job = await lockJob(trx, jobId, projectId)
    if (onArchive(job.status) === 'nothing') return toVersionedJob(job, context.publicUrl)
    const archived = await updateJob(trx, jobId, {
      status: 'archived',
      archived_at: context.clock.now(),
      archived_by: 'person',
    })
    await appendEvents(trx, { jobId, runId: null }, [{ type: 'archived' }])
    return toVersionedJob(archived, context.publicUrl)
  })
}

/** Archives inactive jobs without a change since `before`. */
export async function archiveIdleJobs(db: Db, before: Date): Promise<void> {
  await sql`/* jobs.archiveIdle */ with archived as (
      update jobs set status = 'archived', archived_at = now(), archived_by = 'service', updated_at = now(), version = version + 1,
        last_event = last_event + 1
      where status in ('completed', 'failed') and updated_at < ${before}
      returning id, last_event
    ), noted as (
      insert into events (job_id, sequence, run_id, type, data, created_at)
      select id, last_event, null, 'archived', '{}', now() from archived
    ) select pg_notify(${eventsChannel}, id) from archived`.execute(db)
}
