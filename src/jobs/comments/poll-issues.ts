// Reads the comments on the issues of projects that want it: one list for the whole repository, on GitHub the one that has the
// comments on pull requests, too. Comments count from the time at which a project began to want it. A claim lasts until
// `claimed_until`, and `check_after` is its end, so that an earlier time there is a delivery that came meanwhile. What is read is noted
// by its ids, so that each step may be done again.

import { sql } from 'kysely'
import type { ForgeHost } from '../../forge/host.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Db } from '../../postgres/types.ts'
import { countUses } from '../../requests/rate-limits.ts'
import { lookAtRepository } from '../activity/look.ts'
import { readRepositoryMarks, storeRepositoryMarks } from '../activity/marks.ts'
import { hour, minute } from '../pulls/polls.ts'
import { budget, missedBy, openHost, pace, type PollOptions } from '../upkeep/poll-pulls.ts'
import { readNames } from './names.ts'
import { noteOnIssues } from './note.ts'

const claimSeconds = 5 * minute
/** While people write, and otherwise. On GitHub a list without a change costs nothing. */
const oftenSeconds = minute
const seldomSeconds = 5 * minute

/** The hosts whose issues are read. */
export const issueKinds = ['github', 'gitlab', 'gitea'] as const

/** Throws only errors of the database. */
export async function pollIssues(options: PollOptions): Promise<void> {
  const { db, signal } = options
  await followSettings(db)
  for (const { project_id: projectId, since } of await claimDue(db)) {
    if (signal.aborted) return
    await pollProject(options, projectId, since)
  }
}

/** Begins with the projects that want it, also again for another repository, and forgets the others. */
async function followSettings(db: Db): Promise<void> {
  await sql`/* issues.end */ delete from issue_polls where project_id in
    (select id from projects where mentions <> 'everywhere')`.execute(db)
  await sql`/* issues.begin */ insert into issue_polls as known (project_id, repository)
    select projects.id, projects.repository from projects join credentials on credentials.owner = projects.id
      where mentions = 'everywhere' and forge = any(${[...issueKinds]}::text[])
    on conflict (project_id) do update set repository = excluded.repository, since = now(), check_after = now()
      where known.repository <> excluded.repository`.execute(db)
}

type Due = { readonly project_id: string; readonly since: Date }

async function claimDue(db: Db): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`/* issues.claimDue */ update issue_polls
    set claimed_until = now() + make_interval(secs => ${claimSeconds}),
      check_after = now() + make_interval(secs => ${claimSeconds})
    where project_id in (select project_id from issue_polls
      where check_after <= now() and (claimed_until is null or claimed_until <= now())
      order by check_after limit 50 for update skip locked)
    returning project_id, since`.execute(db)
  return rows
}

async function pollProject(options: PollOptions, projectId: string, since: Date): Promise<void> {
  const { db } = options
  const host = await openHost(options, projectId)
  if ('seconds' in host) {
    return await record(db, projectId, { error: host.error?.message ?? null, after: host.seconds, least: 0 })
  }
  const before = host.countRequests()
  const polled = await readOrMiss(options, host, { projectId, since })
  const uses = await countUses(db, budget, host.account, host.countRequests() - before)
  await record(db, projectId, { ...polled, least: pace(options, host, uses) })
}

async function readOrMiss(options: PollOptions, host: ForgeHost, begun: Begun): Promise<Omit<Polled, 'least'>> {
  try {
    return { error: (await read(options, host, begun)) ?? null, after: undefined }
  } catch (error) {
    const missed = await missedBy(options, { project_id: begun.projectId }, error)
    return { error: missed.error?.message ?? null, after: missed.seconds }
  }
}

/** Returns why the list could not be read. Throws the failures of the host that concern more than it. */
async function read({ db, git, signal }: PollOptions, host: ForgeHost, { projectId, since }: Begun) {
  const names = await readNames(db, projectId)
  const { ofIssues } = host.activity
  if (!ofIssues) return (await lookAtRepository({ db, git, host, names, signal }, projectId)).failure?.message
  const { repository } = host
  const marks = await readRepositoryMarks(db, projectId, repository)
  const from = 'issues' in marks ? marks : { issues: { since: since.toISOString() } }
  const found = await ofIssues(from, signal)
  await noteOnIssues({ db, host, names }, projectId, found.entries)
  await storeRepositoryMarks(db, projectId, { repository, marks: found.marks })
  return undefined
}

type Begun = { readonly projectId: string; readonly since: Date }
/** `after`, `least`: seconds until the next look. `after` undefined: as usual. */
type Polled = { readonly error: string | null; readonly after: number | undefined; readonly least: number }

async function record(db: Db, projectId: string, { error, after, least }: Polled): Promise<void> {
  const reason = error === null ? null : plainText(error)
  await sql`/* issues.record */ update issue_polls set claimed_until = null, error = ${reason},
      checked_at = case when ${reason}::text is null then now() else checked_at end,
      check_after = case when check_after < claimed_until and ${reason}::text is null then check_after
        else now() + make_interval(secs => greatest(${least}::float8, coalesce(${after ?? null}::float8, case when exists (select 1 from mentions
          where mentions.project_id = issue_polls.project_id and thread = 'issue'
            and seen_at > now() - make_interval(secs => ${hour})) then ${oftenSeconds}::float8 else ${seldomSeconds}::float8 end))) end
    where project_id = ${projectId}`.execute(db)
}
