// The people whom the commit of a run names: everybody who sent the job a message so far while signed in. The list is
// stored with the end of the agent's work, so a commit that is made again has the same trailers, even if a person was
// removed or the setting changed meanwhile.

import { sql } from 'kysely'
import type { RunRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { type CoAuthor, coAuthorLines } from './describe/co-author-lines.ts'

/** Returns the lines as the text of JSON. In the order of first messages; empty if the project names nobody. */
export async function findCoAuthors(trx: Trx, run: RunRow): Promise<string> {
  const { rows } = await sql<CoAuthor>`/* runs.co-authors */
    select people.name, people.email from messages
    join people on people.id = messages.person_id
    join jobs on jobs.id = messages.job_id
    join projects on projects.id = jobs.project_id
    left join credentials on credentials.project_id = projects.id
    where messages.job_id = ${run.job_id} and messages.run_id is not null and (projects.co_authors = 'people'
      or projects.co_authors = 'private' and (projects.repository like 'file:%'
        or credentials.access::jsonb -> 'facts' -> 'isPublic' = 'false'))
    group by people.id order by min(messages.ordinal)`.execute(trx)
  return JSON.stringify(coAuthorLines(rows))
}

/** The stored lines; empty in a run that an earlier release finished. */
export async function loadCoAuthors(db: Db, runId: string): Promise<readonly string[]> {
  const { co_authors: stored } = await db
    .selectFrom('runs')
    .select('co_authors')
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  return stored === null ? [] : (JSON.parse(stored) as readonly string[])
}
