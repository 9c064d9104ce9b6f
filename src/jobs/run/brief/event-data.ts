// The payload of the event that started a job, for the first turn of each of its runs: every attempt sees the same. One that started
// a run of a job that several share is for that run alone.

import { type EventData, eventNotice } from '../../../agent/notices/notices.ts'
import type { ModelMessage } from '../../../agent/model/types.ts'
import type { RunPart } from '../context.ts'

export async function eventNotices({ deps, job, run }: RunPart<'job' | 'run', 'db'>): Promise<readonly ModelMessage[]> {
  const rows = await deps.db
    .selectFrom('messages')
    .select('data')
    .where('job_id', '=', job.id)
    .where('data', 'is not', null)
    .where((e) => e.or([e('contribution', 'is', null), e('run_id', '=', run.id)]))
    .orderBy('ordinal')
    .execute()
  const all = rows.flatMap(({ data }) => (data === null ? [] : [JSON.parse(data) as EventData]))
  // The data of a comment follow its message, in the turn that takes it.
  return all.filter(({ about }) => about === undefined).map(eventNotice)
}
