// Erases the transcripts that their projects no longer keep. Only the turns of a job that is not active, what
// outsiders sent with its messages, and the addresses of pages that its runs were given: the messages, events, edits and results stay, and a later run begins without the conversation of
// the earlier ones.

import { sql } from 'kysely'
import type { Db, Trx } from '../../postgres/types.ts'
import { lockJob } from '../store.ts'

/** In one sweep; the others wait for the next. */
const mostJobs = 100

/** `now` is the time of the time guard. Returns how many jobs lost their transcript. */
export async function eraseTranscripts(db: Db, now: Date): Promise<number> {
  const { rows } = await findOld(db, now)
  let erased = 0
  for (const { id } of rows) if (await eraseOne(db, id, now)) erased += 1
  return erased
}

function findOld(db: Db | Trx, now: Date, jobId?: string) {
  const isWanted = jobId === undefined ? sql`true` : sql`jobs.id = ${jobId}`
  return sql<{ id: string }>`/* transcript.old */
    select jobs.id from jobs join projects on projects.id = jobs.project_id
    where ${isWanted} and jobs.status <> 'active' and (projects.transcripts::json ->> 'keepDays') is not null
      and exists (select 1 from turns join runs on runs.id = turns.run_id where runs.job_id = jobs.id)
      and not exists (select 1 from runs where runs.job_id = jobs.id and (runs.ended_at is null or runs.ended_at
        > ${now}::timestamptz - make_interval(days => (projects.transcripts::json ->> 'keepDays')::int)))
    limit ${mostJobs}`.execute(db)
}

/** Looks again under the lock of the job: a message may just have made it active. */
function eraseOne(db: Db, jobId: string, now: Date): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockJob(trx, jobId)
    const { rows } = await findOld(trx, now, jobId)
    if (rows.length === 0) return false
    await sql`/* transcript.erase */
      delete from turns where run_id in (select id from runs where job_id = ${jobId})`.execute(trx)
    await trx.updateTable('runs').set({ given_pages: null }).where('job_id', '=', jobId).execute()
    await trx.updateTable('messages').set({ data: null }).where('job_id', '=', jobId).execute()
    await trx.updateTable('jobs').set({ transcript_erased_at: now }).where('id', '=', jobId).execute()
    return true
  })
}
