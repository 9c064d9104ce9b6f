// Polls the branches that automations follow: one question for each repository, however many automations follow it. What is
// new is stored as rows before anything starts, so nothing is forgotten wherever a process dies, and a second process that polls
// at the same time adds nothing.
//
//   due ──► claimed ──► head as before, says the host or git ───► due again after a minute
//     ▲                 head moved: fetched, rows of commits ───► due again after a minute
//     │                 no response ────────────────────────────► due again after two to thirty minutes
//     │                 a webhook hastened it meanwhile ─────────► due again at once: the push may have come after the look
//     └── (the process dies) when the claim ends, after five minutes
//
// A claimed row has the end of its claim as `look_after`, so that an earlier time there is one that came meanwhile.

import { sql } from 'kysely'
import type { Git } from '../../git/types.ts'
import { toFailure } from '../../lib/failure.ts'
import type { Log } from '../../lib/observability/log.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { FollowedRow, PositionRow } from '../../postgres/schema/automations.ts'
import { notify } from '../../postgres/notify.ts'
import type { Db } from '../../postgres/types.ts'
import { noteRelease } from '../releases/note.ts'
import { askHost, type Asked, type AskOptions, type Due } from './ask-host.ts'
import { createFollow } from './follow.ts'
import { healPositions } from './heal.ts'
import { openPlace, type OpenPlace, type Place, placeOfProject, placeOfSource } from './places.ts'
import { isUnseen } from './unseen.ts'

export type LookOptions = AskOptions & {
  readonly db: Db
  readonly git: Git
  readonly log: Pick<Log, 'error' | 'info' | 'warn'>
  readonly now: () => Date
}

const claimSeconds = 300
const againSeconds = 60
const failedSeconds = { least: 120, most: 1_800 }
/** How long the word of a host counts without git. */
const hostSeconds = 3_600
/** How long a host is not asked after it gave no answer. */
const refusedSeconds = 900
/** How long a tag may be there before it is read, if nothing else happens. */
const tagSeconds = 3_600
/** The same where a release gets a commit status. */
const releaseSeconds = 600
/** The code of an error that a push may end. */
const missingBranch = 'base_not_found'
const batch = 50
const together = 4

/** Polls every branch that is due. Throws only errors of the database. */
export async function lookAtBranches(options: LookOptions): Promise<void> {
  await healPositions(options.db)
  for (;;) {
    const due = await claimDue(options.db)
    const waiting = [...due]
    const one = async () => {
      for (let row = waiting.shift(); row && !options.signal.aborted; row = waiting.shift()) await look(options, row)
    }
    await Promise.all(Array.from({ length: together }, one))
    if (due.length < batch || options.signal.aborted) return
  }
}

async function claimDue(db: Db): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`/* automations.claim_branches */ update followed_repositories
    set claimed_until = now() + make_interval(secs => ${claimSeconds}),
      look_after = now() + make_interval(secs => ${claimSeconds})
    where repository_id in (select repository_id from followed_repositories
      where look_after <= now() and (claimed_until is null or claimed_until <= now())
      order by look_after limit ${batch} for update skip locked)
    returning *, coalesce(git_looked_at > now() - make_interval(secs => ${hostSeconds})
      and coalesce(ask_host_after <= now(), true), false) as asks_host`.execute(db)
  return rows
}

/** Notified when a poll is due before its time. */
export const branchesChannel = 'docent_branches'

/** A webhook says that something was pushed, perhaps a tag: its poll is due now, by git, because its API may be late. */
export async function hastenLook(db: Db, repositoryIds: readonly string[]): Promise<void> {
  if (repositoryIds.length === 0) return
  await sql`/* automations.hasten */ update followed_repositories set look_after = now(), git_looked_at = null
    where repository_id in (${sql.join(repositoryIds)})
      and (error is null or error::jsonb ->> 'code' = ${missingBranch})`.execute(db)
  await sql`/* automations.hasten_tags */ update automation_positions set tagged_at = 'epoch'
    where repository_id in (${sql.join(repositoryIds)}) and tagged_at is not null`.execute(db)
  await notify(db, branchesChannel)
}

async function look(options: LookOptions, row: Due): Promise<void> {
  const { db, log, signal } = options
  try {
    const { head, confirmed, isRefused, isByGit } = await lookAt(options, row)
    await sql`/* automations.looked */ update followed_repositories set head = ${head}, looked_at = now(), error = null,
      confirmed = coalesce(${confirmed ?? null}, confirmed),
      git_looked_at = case when ${isByGit} and look_after >= claimed_until then now() else git_looked_at end,
      ask_host_after = case when ${isRefused} then now() + make_interval(secs => ${refusedSeconds}) else ask_host_after end,
      claimed_until = null, look_after = case when look_after < claimed_until then look_after
        else now() + make_interval(secs => ${againSeconds * (0.95 + Math.random() / 10)}) end
      where repository_id = ${row.repository_id}`.execute(db)
  } catch (error) {
    const { code, message } = toFailure(error)
    if (signal.aborted) return
    log.warn({ err: error, code, repositoryId: row.repository_id }, 'a branch could not be looked at')
    const reason = JSON.stringify({ code, message: plainText(message) })
    const since = row.error === null || row.looked_at === null ? 0 : (Date.now() - row.looked_at.getTime()) / 2_000
    const most = code === missingBranch ? failedSeconds.least : failedSeconds.most
    const seconds = Math.min(Math.max(since, failedSeconds.least), most)
    await sql`/* automations.not_looked */ update followed_repositories set error = ${reason}, claimed_until = null,
      look_after = now() + make_interval(secs => ${seconds}) where repository_id = ${row.repository_id}`.execute(db)
  }
}

type Looked = Pick<Asked, 'confirmed' | 'isRefused'> & { readonly head: string | null; readonly isByGit: boolean }

async function lookAt(options: LookOptions, row: Due): Promise<Looked> {
  const { db } = options
  const place = await readPlace(db, row)
  const positions = await readPositions(db, row.repository_id)
  if (!place || positions.length === 0) {
    await forget(db, row.repository_id)
    return { head: null, isRefused: false, isByGit: false }
  }
  const asked = await askHost(options, row, place, positions)
  const isDone = asked.isStill && !(await needsTags(db, place))
  const head = isDone ? (positions[0]?.head_commit ?? null) : await readHead(options, place, positions)
  return { ...asked, head, isByGit: !isDone }
}

/** By git. Returns the head, after what is new has been stored. */
async function readHead(options: LookOptions, place: Place, positions: readonly PositionRow[]): Promise<string | null> {
  const { db, git, now, signal } = options
  const { repositoryId } = place
  const opened = openPlace(git, place)
  const { branch, commit } = await opened.past.probe(place.branch, signal)
  if (branch === null || commit === null) {
    // Throws what is wrong with it.
    await opened.fetch(signal).catch(ignoreEmpty)
    return null
  }
  const isOld = (one: PositionRow) =>
    one.head_commit !== commit || one.branch !== branch || one.repository !== place.repository
  const moved = positions.filter(isOld)
  if (moved.length === 0 && !(await needsTags(db, place))) return commit
  const fetched = await opened.fetch(signal)
  const follow = createFollow({ db, now, signal, place, past: opened.past })
  for (const position of moved) await follow(position, fetched)
  const tagged = (await opened.past.resolve('last-tag', fetched.commit, signal)) ?? null
  if (place.wantsStatus && tagged !== null) await tryNote(options, { place, past: opened.past, tagged })
  await storeTag(db, repositoryId, tagged)
  return fetched.commit
}

/** Nothing was pushed to the repository yet. */
function ignoreEmpty(error: unknown): undefined {
  if (toFailure(error).code !== 'repository_empty') throw error
}

type Tagged = Pick<OpenPlace, 'past'> & { readonly place: Place; readonly tagged: string }

/** A status is no reason not to follow. */
async function tryNote({ db, log, now, signal }: LookOptions, { place, past, tagged }: Tagged): Promise<void> {
  const { repositoryId } = place
  await noteRelease({ db, repositoryId, past, now: now() }, tagged, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    log.warn({ err: error, repositoryId }, 'a release could not be read')
  })
}

/** Nobody follows it any more, unless somebody does meanwhile: who follows it again adds it again. */
async function forget(db: Db, repositoryId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const query = trx.selectFrom('followed_repositories').select('repository_id')
    await query.where('repository_id', '=', repositoryId).forUpdate().execute()
    await sql`/* automations.forget */ delete from followed_repositories where repository_id = ${repositoryId}
      and not exists (select from automation_positions where repository_id = ${repositoryId})`.execute(trx)
  })
}

/** A release tags a commit that is there already, so the branch does not move. */
async function needsTags(db: Db, { repositoryId, wantsStatus }: Place): Promise<boolean> {
  const isOlder = (seconds: number) => sql`tagged_at < now() - make_interval(secs => ${seconds})`
  const hasUnseen = sql`exists (select from automation_commits c where c.automation_id = p.automation_id and ${isUnseen})`
  const { rows } = await sql`/* automations.needs_tags */ select from automation_positions p
    where repository_id = ${repositoryId} and ((${wantsStatus} and ${isOlder(releaseSeconds)})
      or (${isOlder(tagSeconds)} and ${hasUnseen}))
    limit 1`.execute(db)
  return rows.length > 0
}

/** A release that was there before the automation says nothing about the commits that it skips. */
async function storeTag(db: Db, repositoryId: string, tagged: string | null): Promise<void> {
  await sql`/* automations.tagged */ update automation_positions
    set triage_tag = case when tagged_at is null then ${tagged} else triage_tag end, tagged_commit = ${tagged}, tagged_at = now()
    where repository_id = ${repositoryId}`.execute(db)
}

async function readPlace(db: Db, row: FollowedRow): Promise<Place | undefined> {
  if (row.source_id !== null) {
    const source = await db.selectFrom('sources').selectAll().where('id', '=', row.source_id).executeTakeFirst()
    return source && placeOfSource(source)
  }
  const project = await db.selectFrom('projects').selectAll().where('id', '=', row.project_id).executeTakeFirst()
  return project && placeOfProject(project)
}

/** Also of automations that are paused: anyone who turns one on again misses nothing. */
async function readPositions(db: Db, repositoryId: string): Promise<readonly PositionRow[]> {
  return await db
    .selectFrom('automation_positions')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .orderBy('automation_id')
    .execute()
}
