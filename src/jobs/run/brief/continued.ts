// The runs whose work a run does: its own, and that of the runs directly before it that failed or asked, which people continue with
// a message. What those were given counts for it, too.

import { sql } from 'kysely'
import type { RunPart } from '../context.ts'

/** Returns the ids of the runs, with its own. A contribution takes nothing over: its automation gives it everything that is left. */
export async function findContinued({ deps, run }: RunPart<'run', 'db'>): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`/* runs.continued */ with before as (
      select id, number, error_code is null and outcome is distinct from 'needs_input' as well,
        exists (select from messages where run_id = runs.id and contribution is not null) as contributes
      from runs where job_id = ${run.job_id} and number <= ${run.number})
    select id from before where number > coalesce((select max(number) from before where well and number < ${run.number}), 0)
      and number >= coalesce((select max(number) from before where contributes), 0)
    order by number`.execute(deps.db)
  return rows.map(({ id }) => id)
}
