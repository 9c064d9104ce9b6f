// The trusted time of the time guard: one row. Data of an earlier release starts with the newest time that it shows, so
// that a wrong clock at the first start after the upgrade is noticed. Only adds.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table trusted_time (
    only_row boolean primary key default true check (only_row),
    trusted_at timestamptz not null,
    running_ms bigint not null default 0 check (running_ms >= 0),
    seen_at timestamptz
  )`,
  `insert into trusted_time (trusted_at)
    select max(newest) from (
      select max(updated_at) as newest from jobs
      union all select max(updated_at) from projects
      union all select max(updated_at) from imports
      union all select max(last_used_at) from keys
      union all select max(created_at) from salts
    ) as times having max(newest) is not null`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
