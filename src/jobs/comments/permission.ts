// May the author of a comment push to the repository? The forge is asked, at most once a person and hour for comments that
// arrive, and always before a run acts.

import { sql } from 'kysely'
import type { ForgeHost } from '../../forge/host.ts'
import type { Db } from '../../postgres/types.ts'

export type Person = { readonly id: string; readonly login: string }

type Asking = { readonly db: Db; readonly host: ForgeHost; readonly projectId: string }

/** Null: it is not known, and is asked again after an hour. Throws the failures of the host. */
export async function mayWriteLately(asking: Asking, person: Person, signal: AbortSignal): Promise<boolean | null> {
  const { db, host, projectId } = asking
  const { rows } = await sql<{ may_write: boolean | null; is_claimed: boolean }>`/* comments.claimPerson */
    with claimed as (insert into forge_people as known (project_id, forge, person_id, asked_at)
      values (${projectId}, ${host.kind}, ${person.id}, now())
      on conflict (project_id, forge, person_id) do update set asked_at = now()
        where known.asked_at < now() - interval '1 hour'
      returning person_id)
    select (select may_write from forge_people where project_id = ${projectId} and forge = ${host.kind}
      and person_id = ${person.id}) as may_write, exists (select 1 from claimed) as is_claimed`.execute(db)
  const [known] = rows
  if (known?.is_claimed !== true) return known?.may_write ?? null
  try {
    return await mayWriteNow(asking, person, signal)
  } catch (error) {
    await sql`/* comments.unclaimPerson */ update forge_people set asked_at = now() - interval '1 hour'
      where project_id = ${projectId} and forge = ${host.kind} and person_id = ${person.id}`.execute(db)
    throw error
  }
}

/** Throws the failures of the host. */
export async function mayWriteNow(
  { db, host, projectId }: Asking,
  person: Person,
  signal: AbortSignal,
): Promise<boolean | null> {
  const mayWrite = await host.activity.mayWrite({ ...person, isBot: false }, signal)
  await db
    .insertInto('forge_people')
    .values({
      project_id: projectId,
      forge: host.kind,
      person_id: person.id,
      may_write: mayWrite,
      asked_at: new Date(),
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'forge', 'person_id']).doUpdateSet({ may_write: mayWrite }),
    )
    .execute()
  return mayWrite
}
