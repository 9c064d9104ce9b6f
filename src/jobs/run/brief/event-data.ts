// The payload of the event that started a job, for the first turn of each of its runs: every attempt sees the same. One that started
// a run of a job that several share is for that run, and for those that continue it.

import { type EventData, eventNotice } from '../../../agent/notices/notices.ts'
import type { ModelMessage } from '../../../agent/model/types.ts'
import type { RunPart } from '../context.ts'
import { findContinued } from './continued.ts'

export async function eventNotices(context: RunPart<'job' | 'run', 'db'>): Promise<readonly ModelMessage[]> {
  const { deps, job } = context
  const runs = await findContinued(context)
  const rows = await deps.db
    .selectFrom('messages')
    .select('data')
    .where('job_id', '=', job.id)
    .where('data', 'is not', null)
    .where((e) => e.or([e('contribution', 'is', null), e('run_id', 'in', runs)]))
    .orderBy('ordinal')
    .execute()
  const all = rows.flatMap(({ data }) => (data === null ? [] : [JSON.parse(data) as EventData]))
  // The data of a comment and of failed checks follow their message, in the turn that takes it.
  return all.filter(({ about }) => about === undefined).map(eventNotice)
}
