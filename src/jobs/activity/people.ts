// Asks a forge whether the authors of entries may push to the repository: at most once a person and hour, however many
// entries they write and however many processes look. A claim comes before the question, so one that is lost is not
// repeated within the hour.

import { sql } from 'kysely'
import type { Author } from '../../forge/activity/activity.ts'
import type { ForgeHost } from '../../forge/host.ts'
import type { Db } from '../../postgres/types.ts'

/** In one look at a pull request; the others wait for the next. */
const mostQuestions = 20

export type Asking = { readonly projectId: string; readonly jobId: string }

/** Throws the failures of the host. */
export async function askAboutPeople(db: Db, asking: Asking, host: ForgeHost, signal: AbortSignal): Promise<void> {
  for (let asked = 0; asked < mostQuestions; asked += 1) {
    const person = await claimPerson(db, asking, host.kind)
    if (!person) return
    const mayWrite = await host.activity.mayWrite(person, signal)
    await sql`/* activity.answer */ update forge_people set may_write = ${mayWrite}
      where project_id = ${asking.projectId} and forge = ${host.kind} and person_id = ${person.id}`.execute(db)
  }
}

/** One who has written since the last question about them, the newest entry first. Bots are not asked about. */
async function claimPerson(db: Db, { projectId, jobId }: Asking, forge: string): Promise<Author | undefined> {
  const { rows } = await sql<{ id: string; login: string }>`/* activity.claimPerson */
    with author as (select author_id as id, author as login from pull_activity
        left join forge_people as known on known.project_id = ${projectId} and known.forge = pull_activity.forge
          and known.person_id = author_id
      where job_id = ${jobId} and pull_activity.forge = ${forge} and author_id is not null and not is_bot
        and (known.asked_at is null or (known.asked_at < seen_at and known.asked_at < now() - interval '1 hour'))
      order by seen_at desc limit 1),
    claimed as (insert into forge_people as known (project_id, forge, person_id, asked_at)
      select ${projectId}, ${forge}, id, now() from author
      on conflict (project_id, forge, person_id) do update set asked_at = now()
        where known.asked_at < now() - interval '1 hour'
      returning person_id)
    select id, login from author join claimed on person_id = id`.execute(db)
  const [row] = rows
  return row && { ...row, isBot: false }
}
