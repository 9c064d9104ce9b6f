// Refreshes the ledger by the ids of the commits that changed. A connection keeps the plan of its first calls, when the tables are
// empty and reading a whole one is cheapest: later it read all commits at each change. So each call has a plan of its own, which begins
// with the commits that changed.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create or replace function refresh_ledger(changed text[]) returns void language plpgsql
  set plan_cache_mode = force_custom_plan set join_collapse_limit = 1 as $$
  begin
    if cardinality(changed) = 0 then return; end if;
    perform 1 from ledger_commits where commit = any(changed) order by commit, repository_id for update;
    with wanted as materialized (select commit, repository_id from ledger_commits where commit = any(changed)),
      best as materialized (select distinct on (w.commit, w.repository_id) w.commit, w.repository_id, c.automation_id,
          ledger_state(c.state, r.settled_at, r.has_question, j.pull_state) as state,
          c.state = 'skipped' and c.score is not null and c.run_id is null as is_saved
        from wanted w join automation_positions p on p.repository_id = w.repository_id
          join automations a on a.id = p.automation_id and a.trigger::jsonb ->> 'type' = 'code'
          join automation_commits c on c.automation_id = a.id and c.commit = w.commit and c.left_at is null
          left join automation_runs r on r.id = c.run_id left join jobs j on j.id = r.job_id
        order by w.commit, w.repository_id, array_position(array['documented', 'rejected', 'set_aside', 'waiting', 'skipped'],
          ledger_state(c.state, r.settled_at, r.has_question, j.pull_state)), c.ordinal)
    update ledger_commits l set state = best.state, automation_id = best.automation_id, is_saved = best.is_saved
      from best where l.commit = best.commit and l.repository_id = best.repository_id
        and (l.state, l.automation_id, l.is_saved) is distinct from (best.state, best.automation_id, best.is_saved);
    delete from ledger_commits l where commit = any(changed) and not exists (
      select from automation_positions p join automations a on a.id = p.automation_id and a.trigger::jsonb ->> 'type' = 'code'
        join automation_commits c on c.automation_id = a.id and c.commit = l.commit and c.left_at is null
      where p.repository_id = l.repository_id);
  end $$`,
  `alter function ledger_follows_runs() set plan_cache_mode = force_custom_plan`,
  `alter function ledger_follows_jobs() set plan_cache_mode = force_custom_plan`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
