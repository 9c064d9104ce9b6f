// Adds the lease of the server that seals windows of visitors. Adds to each salt what page views carry as `salt_window`. Salts of before, and those that servers of the previous
// release still use during a rolling upgrade, have an empty one: page views of one visitor must not differ in it.

import { type Kysely, sql } from 'kysely'

const statements = [
  `alter table salts add column row_window text not null default ''`,
  `create table salt_naming (since timestamptz not null)`,
  `insert into salt_naming select case when exists (select from projects) then now() + interval '1 day' else now() end`,
  `create table seal_lease (
    id integer primary key check (id = 1),
    holder text not null,
    until timestamptz not null
  )`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
