// Adds the ledger as a table: one row for each commit of a repository that automations with the trigger `code` follow, with the best
// state that any of them reached. The database keeps it, in the transaction that changes what it is made of, so that it holds for
// all that write: several features, and processes of earlier releases.
//
//   ledger_state()      the state of a commit for one automation
//   refresh_ledger()    the rows of some commits, from those of all automations that follow their repositories

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table ledger_commits (
    project_id text not null references projects on delete cascade,
    repository_id text not null,
    commit text not null,
    committed_at timestamptz not null,
    ordinal bigint not null,
    automation_id text not null,
    state text not null,
    is_saved boolean not null,
    primary key (commit, repository_id)
  )`,
  `create index ledger_commits_newest on ledger_commits (project_id, committed_at desc, ordinal desc)`,
  `create index ledger_commits_state on ledger_commits (project_id, state, committed_at desc, ordinal desc) include (is_saved)`,
  `create index ledger_commits_newest_of on ledger_commits (repository_id, committed_at desc, ordinal desc)`,
  `create index ledger_commits_state_of on ledger_commits (repository_id, state, committed_at desc, ordinal desc)
    include (is_saved)`,
  `create index automation_commits_asked on automation_commits (automation_id) where asked_at is not null`,
  // A run that asked a question contributed nothing, although its job may have a pull request of earlier runs.
  `create index automation_runs_without_job on automation_runs (settled_at) where job_id is null`,
  `create function ledger_state(state text, settled_at timestamptz, has_question boolean, pull_state text) returns text
    immutable language sql as $$
    select case when state <> 'in_run' then state when settled_at is null or has_question or pull_state is null then 'waiting'
      when pull_state = 'closed' then 'rejected' else 'documented' end $$`,
  // The rows are locked in one order, and read after that: another transaction may have changed the same commits for another automation.
  `create function refresh_ledger(changed text[]) returns void language plpgsql as $$
    begin
      perform 1 from ledger_commits where commit = any(changed) order by commit, repository_id for update;
      update ledger_commits l set state = best.state, automation_id = best.automation_id, is_saved = best.is_saved
        from (select distinct on (l.commit, l.repository_id) l.commit, l.repository_id, c.automation_id,
            ledger_state(c.state, r.settled_at, r.has_question, j.pull_state) as state,
            c.state = 'skipped' and c.score is not null and c.run_id is null as is_saved
          from ledger_commits l join automation_positions p on p.repository_id = l.repository_id
            join automations a on a.id = p.automation_id and a.trigger::jsonb ->> 'type' = 'code'
            join automation_commits c on c.automation_id = a.id and c.commit = l.commit and c.left_at is null
            left join automation_runs r on r.id = c.run_id left join jobs j on j.id = r.job_id
          where l.commit = any(changed)
          order by l.commit, l.repository_id, array_position(array['documented', 'rejected', 'set_aside', 'waiting', 'skipped'],
            ledger_state(c.state, r.settled_at, r.has_question, j.pull_state)), c.ordinal) best
        where l.commit = best.commit and l.repository_id = best.repository_id
          and (l.state, l.automation_id, l.is_saved) is distinct from (best.state, best.automation_id, best.is_saved);
      delete from ledger_commits l where commit = any(changed) and not exists (
        select from automation_positions p join automations a on a.id = p.automation_id and a.trigger::jsonb ->> 'type' = 'code'
          join automation_commits c on c.automation_id = a.id and c.commit = l.commit and c.left_at is null
        where p.repository_id = l.repository_id);
    end $$`,
  `create function ledger_follows_commits() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'DELETE' then
        insert into ledger_commits (project_id, repository_id, commit, committed_at, ordinal, automation_id, state, is_saved)
          select a.project_id, p.repository_id, c.commit, c.committed_at, c.ordinal, a.id, 'waiting', false
          from changed c join automations a on a.id = c.automation_id and a.trigger::jsonb ->> 'type' = 'code'
            join automation_positions p on p.automation_id = a.id
          where c.left_at is null order by c.commit, c.ordinal on conflict do nothing;
      end if;
      perform refresh_ledger(array(select distinct commit from changed));
      return null;
    end $$`,
  `create function ledger_follows_runs() returns trigger language plpgsql as $$
    begin
      perform refresh_ledger(array(select commit from automation_commits where run_id = new.id and state = 'in_run'));
      return null;
    end $$`,
  `create function ledger_follows_jobs() returns trigger language plpgsql as $$
    begin
      perform refresh_ledger(array(select c.commit from automation_runs r
        join automation_commits c on c.run_id = r.id and c.state = 'in_run' where r.job_id = new.id));
      return null;
    end $$`,
  ...(['insert', 'update', 'delete'] as const).map(
    (event) => `create trigger ledger_on_${event} after ${event} on automation_commits
      referencing ${event === 'delete' ? 'old' : 'new'} table as changed for each statement execute function ledger_follows_commits()`,
  ),
  `create trigger ledger_on_settled after update of settled_at, has_question on automation_runs for each row
    when ((old.settled_at, old.has_question) is distinct from (new.settled_at, new.has_question)) execute function ledger_follows_runs()`,
  `create trigger ledger_on_pull_state after update of pull_state on jobs for each row
    when (old.pull_state is distinct from new.pull_state) execute function ledger_follows_jobs()`,
  // The rows that are there already.
  `update automation_commits set left_at = left_at`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
