// Adds the lease of the server that seals windows of visitors to databases that lack it: for an hour, 0021-salt-windows
// was a migration without it.

import { type Kysely, sql } from 'kysely'

const statements = [
  `create table if not exists seal_lease (
    id integer primary key check (id = 1),
    holder text not null,
    until timestamptz not null
  )`,
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
