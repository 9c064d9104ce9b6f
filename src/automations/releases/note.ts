// Notes the newest release of a repository that automations follow: which of its changes a commit status is about. A release counts when
// its tag is on a commit that reached the branch after an automation began to follow it; older ones are not touched.

import { sql } from 'kysely'
import type { Oid, Past } from '../../git/types.ts'
import type { Db } from '../../postgres/types.ts'
import { chooseTag } from './words.ts'

type Noting = {
  readonly db: Db
  readonly repositoryId: string
  readonly past: Pick<Past, 'mainline' | 'resolve' | 'tagsOf'>
  readonly now: Date
}

/** Those of a release; the others are only counted. */
const mostCommits = 10_000
/** Changes that arrive with their tag are compared with the pages first. */
const firstMs = 20_000

/**
 * Does nothing for a release that is noted. `tagged`: the newest commit of the branch that has a tag. Throws the errors of git and of the
 * database.
 */
export async function noteRelease(
  { db, repositoryId, past, now }: Noting,
  tagged: Oid,
  signal: AbortSignal,
): Promise<void> {
  const seen = await findSeen(db, repositoryId, tagged)
  const tag = chooseTag(past.tagsOf(tagged))
  if (!seen || tag === undefined) return
  const before = seen.parent === null ? undefined : await past.resolve('last-tag', seen.parent, signal)
  const since = before === undefined ? null : (chooseTag(past.tagsOf(before)) ?? before.slice(0, 12))
  const all = await past.mainline({ to: tagged, from: before }, signal)
  if (!all) return
  const commits = all.slice(-mostCommits).map(({ commit }) => commit)
  const first = new Date(now.getTime() + firstMs)
  const row = { commit: tagged, tag, since, commits: JSON.stringify(commits), length: all.length }
  await db
    .insertInto('release_statuses')
    .values({ ...row, repository_id: repositoryId, seen_at: now, try_after: first })
    .onConflict((on) =>
      on
        .column('repository_id')
        // A credential that was refused for the release before is not tried sooner for this one.
        .doUpdateSet({ ...row, seen_at: now, state: null, text: null, said_at: null, try_after: afterRefusal(first) })
        .where(sql<boolean>`(release_statuses.commit, release_statuses.tag, release_statuses.since, release_statuses.length)
          is distinct from (${row.commit}, ${row.tag}, ${row.since}::text, ${row.length}::integer)`),
    )
    .execute()
}

function afterRefusal(first: Date) {
  return sql<Date>`case when release_statuses.refusal is null then ${first}::timestamptz else release_statuses.try_after end`
}

async function findSeen(
  db: Db,
  repositoryId: string,
  commit: Oid,
): Promise<{ readonly parent: string | null } | undefined> {
  const { rows } = await sql<{ parent: string | null }>`/* releases.seen */ select c.parent
    from automation_positions p join automations a on a.id = p.automation_id and (a.trigger::jsonb) ->> 'type' = 'code'
      join automation_commits c on c.automation_id = p.automation_id and c.commit = ${commit} and c.left_at is null
    where p.repository_id = ${repositoryId} limit 1`.execute(db)
  return rows[0]
}
