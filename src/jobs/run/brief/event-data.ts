// The payload of the event that started a job, for the first turn of each of its runs: every attempt sees the same.

import { type EventData, eventNotice } from '../../../agent/notices/notices.ts'
import type { ModelMessage } from '../../../agent/model/types.ts'
import type { RunPart } from '../context.ts'

export async function eventNotices({ deps, job }: RunPart<'job', 'db'>): Promise<readonly ModelMessage[]> {
  const rows = await deps.db
    .selectFrom('messages')
    .select('data')
    .where('job_id', '=', job.id)
    .where('data', 'is not', null)
    .orderBy('ordinal')
    .execute()
  const all = rows.flatMap(({ data }) => (data === null ? [] : [JSON.parse(data) as EventData]))
  // The data of a comment follow its message, in the turn that takes it.
  return all.filter(({ about }) => about === undefined).map(eventNotice)
}
