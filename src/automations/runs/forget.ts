// Deletes runs that started no job, such as those that were skipped or capped, when they are old. A run with a job is kept as long as the
// job, which shows it, and its commits name it. The rows of commits are the ledger, and are kept as long as the automation.

import { sql } from 'kysely'
import type { ReadUpkeepTime } from '../../lib/clock.ts'
import type { Db } from '../../postgres/types.ts'

const keptDays = 400
const dayMs = 24 * 3_600_000

/** Keeps the last run of each automation. Does nothing while the clock is doubted. */
export async function forgetRuns(db: Db, upkeepTime: ReadUpkeepTime): Promise<void> {
  const now = await upkeepTime()
  if (!now) return
  const before = new Date(now.getTime() - keptDays * dayMs)
  await sql`/* automations.forget_runs */ delete from automation_runs old where job_id is null and settled_at < ${before}
    and exists (select from automation_runs later where later.automation_id = old.automation_id and later.ordinal > old.ordinal)`.execute(
    db,
  )
}
