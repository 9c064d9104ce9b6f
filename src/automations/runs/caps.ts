// The caps of a day: how many jobs an automation, and all of a project together, may start in it, and what these may cost.

import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import type { AutomationRow } from '../../postgres/schema/automations.ts'
import type { Trx } from '../../postgres/types.ts'
import { capsOf } from '../automation.ts'
import type { LockedForAutomations } from '../automations.ts'

type Caps = ReturnType<typeof capsOf>
/** `unpriced`: jobs whose cost is not known. */
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

function startOfDay(timeZone: string, now: Date): Date {
  const zoned = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone)
  return new Date(zoned.startOfDay().epochMilliseconds)
}

/** A cap in money without a known cost is never ignored. */
function sayReached({ runsPerDay, costUsdPerDay }: Caps, { runs, costUsd, unpriced }: Spent): string | undefined {
  if (runsPerDay !== null && runs >= runsPerDay) return `may start ${runsPerDay} ${jobs(runsPerDay)} a day`
  if (costUsdPerDay === null) return undefined
  if (unpriced > 0) {
    return `may cost ${costUsdPerDay} US dollars a day, and the cost of ${unpriced} ${jobs(unpriced)} of today is not known`
  }
  return costUsd >= costUsdPerDay ? `may cost ${costUsdPerDay} US dollars a day` : undefined
}

function jobs(count: number): string {
  return count === 1 ? 'job' : 'jobs'
}

/** A model may have been asked without a job. */
const cost = sql`case when jobs.id is null then ((automation_runs.usage::jsonb) ->> 'costUsd')::float8 else jobs.cost_usd end`
const ofDay = sql<Spent>`select count(jobs.id)::int as runs, coalesce(sum(${cost}), 0)::float8 as "costUsd",
    count(*) filter (where ${cost} is null)::int as unpriced
  from automation_runs left join jobs on jobs.id = automation_runs.job_id`

async function spentBy(trx: Trx, automationId: string, day: Date): Promise<Spent> {
  const { rows } = await sql<Spent>`/* automations.spent_by */ ${ofDay}
    where automation_id = ${automationId} and automation_runs.created_at >= ${day}
      and (automation_runs.job_id is not null or automation_runs.usage is not null)`.execute(trx)
  return rows[0] ?? nothing
}

/** Also jobs of automations that were deleted meanwhile. */
async function spentIn(trx: Trx, projectId: string, day: Date): Promise<Spent> {
  const { rows } = await sql<Spent>`/* automations.spent_in */ select count(*) filter (where "isJob")::int as runs,
      coalesce(sum(cost), 0)::float8 as "costUsd", count(*) filter (where cost is null)::int as unpriced
    from (select cost_usd as cost, true as "isJob" from jobs
        where project_id = ${projectId} and created_at >= ${day} and origin like '{"kind":"automation"%'
      union all select ((usage::jsonb) ->> 'costUsd')::float8, false from automation_runs
        join automations on automations.id = automation_id
        where project_id = ${projectId} and automation_runs.created_at >= ${day} and usage is not null) as spent`.execute(
    trx,
  )
  return rows[0] ?? nothing
}

const nothing: Spent = { runs: 0, costUsd: 0, unpriced: 0 }
