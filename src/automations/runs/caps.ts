// The caps of a day: how many jobs an automation, and all of a project together, may start or continue in it, and what that may cost.

import { sql } from 'kysely'
import type { AutomationRow } from '../../postgres/schema/automations.ts'
import type { Trx } from '../../postgres/types.ts'
import { capsOf } from '../automation.ts'
import type { LockedForAutomations } from '../automations.ts'
import { startOfDay } from '../schedule/days.ts'

type Caps = ReturnType<typeof capsOf>
/** `unpriced`: runs whose cost is not known. */
type Spent = { readonly runs: number; readonly costUsd: number; readonly unpriced: number }

/** Explains which cap of the day is reached, or returns undefined if another job may start. The caller holds the lock of the project. */
export async function findReachedCap(
  trx: Trx,
  automation: AutomationRow,
  project: LockedForAutomations,
  now: Date,
): Promise<string | undefined> {
  const day = startOfDay(project.time_zone, now)
  const [own, all] = [capsOf(automation), capsOf({ caps: project.automation_caps })]
  const isCapped = ({ runsPerDay, costUsdPerDay }: Caps) => runsPerDay !== null || costUsdPerDay !== null
  const reached = isCapped(own) ? sayReached(own, await spentBy(trx, automation.id, day)) : undefined
  if (reached !== undefined) return `The automation ${reached}.`
  const together = isCapped(all) ? sayReached(all, await spentIn(trx, project.id, day)) : undefined
  return together === undefined ? undefined : `The automations of the project together ${together}.`
}

/** A cap in money without a known cost is never ignored. */
function sayReached({ runsPerDay, costUsdPerDay }: Caps, { runs, costUsd, unpriced }: Spent): string | undefined {
  if (runsPerDay !== null && runs >= runsPerDay) return `may start ${runsPerDay} ${sayRuns(runsPerDay)} a day`
  if (costUsdPerDay === null) return undefined
  if (unpriced > 0) {
    return `may cost ${costUsdPerDay} US dollars a day, and the cost of ${unpriced} ${sayRuns(unpriced)} of today is not known`
  }
  return costUsd >= costUsdPerDay ? `may cost ${costUsdPerDay} US dollars a day` : undefined
}

function sayRuns(count: number): string {
  return count === 1 ? 'run' : 'runs'
}

/** A run of a job that is several runs of automations costs once. A model may also have been asked without a job. */
const sums = sql`select (select count(*) from started)::int as runs, coalesce(sum(cost), 0)::float8 as "costUsd",
    count(*) filter (where cost is null)::int as unpriced
  from (select cost_usd as cost from runs where id in (select run_id from started) union all select cost from asked) as spent`
const costOfUsage = sql`((usage::jsonb) ->> 'costUsd')::float8 as cost`

async function spentBy(trx: Trx, automationId: string, day: Date): Promise<Spent> {
  const { rows } = await sql<Spent>`/* automations.spent_by */ with started as (
      select messages.run_id from automation_runs own join messages on messages.id = coalesce(own.message_id,
        (select id from messages where job_id = own.job_id order by ordinal limit 1))
      where automation_id = ${automationId} and messages.created_at >= ${day}
    ), asked as (
      select ${costOfUsage} from automation_runs
      where automation_id = ${automationId} and created_at >= ${day} and usage is not null
    ) ${sums}`.execute(trx)
  return rows[0] ?? nothing
}

/** Also those of automations that were deleted meanwhile: the first message of each job, and all that continue one. */
async function spentIn(trx: Trx, projectId: string, day: Date): Promise<Spent> {
  const { rows } = await sql<Spent>`/* automations.spent_in */ with started as (
      select messages.run_id from jobs join messages on messages.job_id = jobs.id
      where project_id = ${projectId} and origin like '{"kind":"automation"%' and messages.created_at >= ${day}
        and (contribution is not null or not exists (select 1 from messages earlier
          where earlier.job_id = jobs.id and earlier.ordinal < messages.ordinal))
    ), asked as (
      select ${costOfUsage} from automation_runs join automations on automations.id = automation_id
      where project_id = ${projectId} and automation_runs.created_at >= ${day} and usage is not null
    ) ${sums}`.execute(trx)
  return rows[0] ?? nothing
}

const nothing: Spent = { runs: 0, costUsd: 0, unpriced: 0 }
