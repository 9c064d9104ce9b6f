// How many page views of browsers in imported logs are probably automated, by day. An import judges them when it ends, from
// its logs alone (import/address/part-use.ts); here its judgement is kept, summed for a range, and deleted with its page
// views. It changes no number.
//
// A day keeps the import that judged most of its page views, and of equal ones the newest. So a log that is imported again
// never counts twice, and a log that grew replaces what it was. Two logs of a day that are imported apart don't add up: the
// larger one stands for the day, so `of` may be fewer than the log has, and the share is that of what was judged. Days are
// those of the project's time zone at the time of the import.

import { sql } from 'kysely'
import type { Db } from '../postgres/types.ts'
import { describeDays } from './import/address/hint-words.ts'
import type { AutomatedDay } from './import/address/part-use.ts'
import type { ProbablyAutomated } from './counts/query/exports/visitors.ts'
import type { Plan } from './counts/query/plan.ts'

/** Each day at most once. Call it in the transaction that finishes the import. */
export async function keepAutomatedDays(trx: Db, projectId: string, days: readonly AutomatedDay[]): Promise<void> {
  if (days.length === 0) return
  const column = (of: keyof AutomatedDay) => days.map((one) => String(one[of]))
  await sql`/* automated_days.keep */ insert into automated_days (project_id, day, page_views, judged)
    select ${projectId}, day::date, page_views::bigint, judged::bigint
    from unnest(${column('day')}::text[], ${column('pageViews')}::text[], ${column('of')}::text[])
      as found (day, page_views, judged)
    order by day
    on conflict (project_id, day) do update set page_views = excluded.page_views, judged = excluded.judged
      where excluded.judged >= automated_days.judged`.execute(trx)
}

type Counted = Pick<Plan, 'projectId' | 'dateFrom' | 'dateTo' | 'human' | 'source'>

/** Undefined: nothing was judged in the range, or browsers in logs do not count as humans. */
export async function readAutomated(db: Db, plan: Counted): Promise<ProbablyAutomated | undefined> {
  if (plan.source === 'browser' || !plan.human.includes('browser') || plan.dateFrom >= plan.dateTo) return undefined
  const { rows } = await sql<{ pageViews: number | null; of: number | null }>`/* automated_days.sum */ select
    sum(page_views)::bigint as "pageViews", sum(judged)::bigint as "of" from automated_days
    where project_id = ${plan.projectId} and day >= ${plan.dateFrom}::date and day < ${plan.dateTo}::date`.execute(db)
  const [{ pageViews, of } = { pageViews: null, of: null }] = rows
  if (pageViews === null || of === null || of === 0) return undefined
  return { pageViews, of, share: Math.round((pageViews / of) * 10_000) / 10_000, note: describeDays({ pageViews, of }) }
}

type Days = { readonly projectId: string; readonly since?: string; readonly until?: string | undefined }

/** `until`: the day after the last one. Without an end, all days. */
export async function deleteAutomatedDays(db: Db, { projectId, since, until }: Days): Promise<void> {
  await sql`/* automated_days.delete */ delete from automated_days where project_id = ${projectId}
    and (${since ?? null}::date is null or day >= ${since ?? null}::date)
    and (${until ?? null}::date is null or day < ${until ?? null}::date)`.execute(db)
}
