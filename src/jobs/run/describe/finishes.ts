// Loads what the agent said at the end of each run of a branch that published its edits.

import type { Finish } from '../../../agent/tool.ts'
import type { BranchHistory } from '../../review/branch-history.ts'

/** In the order of the runs. */
export async function loadFinishes({ db, jobId, branch, upTo }: BranchHistory): Promise<readonly Finish[]> {
  const rows = await db
    .selectFrom('runs')
    .select('finish')
    .where('job_id', '=', jobId)
    .where('branch', '=', branch)
    .where('number', '<=', upTo)
    .where('error_code', 'is', null)
    .orderBy('number')
    .execute()
  return rows.flatMap((row): Finish[] => (row.finish === null ? [] : [JSON.parse(row.finish) as Finish]))
}
