// Gives failed checks of a forge to the agent. A head has at most one row, which is added with the message that it leads to: a
// process that dies leaves both or neither, and two processes send it once.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table forge_checks (
    job_id text not null references jobs on delete cascade,
    head_commit text not null,
    state text not null,
    reason text,
    message_id text references messages on delete set null,
    after_message bigint not null,
    failed text not null,
    said text,
    seen_at timestamptz not null,
    primary key (job_id, head_commit)
  )`,
  `alter table jobs add column forge_checks text`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
