// How much the comparison before a model has saved, and how often it was wrong: what people asked for afterwards.

import { sql } from 'kysely'
import type { Db } from '../../postgres/types.ts'
import { entriesOf, followsSource, stateOfCommit } from './ledger.ts'

export type Savings = {
  /** Commits for which no model was asked. */
  readonly skipped: number
  /** Tokens that runs for them would have used, by the mean of the runs of these automations; null: no run has ended. */
  readonly tokens: number | null
  /** Commits that a person asked for after they were skipped. */
  readonly asked: number
  /** Those of them that are documented now. */
  readonly missed: number
}

/** Runs that the mean is of: older ones say little about the next. */
const newest = 1_000

/** `source` null: the repository of the project itself. Undefined: all. */
export async function readSavings(db: Db, projectId: string, source: string | null | undefined): Promise<Savings> {
  const ofAutomation = sql`a.project_id = ${projectId} and ${followsSource(source)}`
  const { rows } = await sql<Found>`/* ledger.savings */ select
      (select count(*)::int from ledger_commits l
        where ${await entriesOf(db, projectId, { source })} and l.state = 'skipped' and l.is_saved) as skipped,
      count(*)::int as asked, count(*) filter (where ${stateOfCommit} = 'documented')::int as missed,
      (select avg(used) from (select distinct on (r2.ordinal) (runs.input_tokens + runs.output_tokens)::float8 as used
        from automation_runs r2 join automations a on a.id = r2.automation_id
          join messages on messages.id = r2.message_id join runs on runs.id = messages.run_id
        where ${ofAutomation} and runs.state = 'ended' order by r2.ordinal desc limit ${newest}) as ended) as mean
    from automations a join automation_commits c on c.automation_id = a.id and c.left_at is null and c.asked_at is not null
      left join automation_runs r on r.id = c.run_id left join jobs j on j.id = r.job_id
    where ${ofAutomation} and c.score is not null`.execute(db)
  const { skipped = 0, mean = null, asked = 0, missed = 0 } = rows[0] ?? {}
  return { skipped, tokens: mean === null ? null : Math.round(mean * skipped), asked, missed }
}

type Found = Omit<Savings, 'tokens'> & { readonly mean: number | null }
