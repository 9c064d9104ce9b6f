// Whether the automation of a job has its pull request merged. It is read when it is needed, so a person who changes, pauses or
// deletes the automation decides about its open pull requests, too.

import type { AutomationRow } from '../../postgres/schema/automations.ts'
import type { Db, Trx } from '../../postgres/types.ts'

export type MergeMode = Pick<AutomationRow, 'enabled' | 'ends_at' | 'merge_without_checks'>

/** Undefined: people merge it. */
export async function findMergeMode(db: Db | Trx, jobId: string): Promise<MergeMode | undefined> {
  const row = await db
    .selectFrom('automation_runs')
    .innerJoin('automations', 'automations.id', 'automation_id')
    .select(['enabled', 'ends_at', 'merge_without_checks', 'update_mode'])
    .where('job_id', '=', jobId)
    .orderBy('ordinal', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.update_mode === 'merge' ? row : undefined
}

export function isStopped({ enabled, ends_at: end }: MergeMode, now: Date): boolean {
  return !enabled || (end !== null && end <= now)
}
