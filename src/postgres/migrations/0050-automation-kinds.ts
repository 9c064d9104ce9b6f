// Adds the kinds of automations: `custom`, or the name of a ready-made one, whose instructions come with each release. A kind
// may have switches.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table automations
    add column kind text not null default 'custom',
    add column options text not null default '{}'`.execute(db)
}
