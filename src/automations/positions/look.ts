// Polls the branches that automations follow: one question for each repository, however many automations follow it. What is
// new is stored as rows before anything starts, so nothing is forgotten wherever a process dies, and a second process that polls
// at the same time adds nothing.
//
//   due ──► claimed ──► head as before ─────────────────────────► due again after a minute
//     ▲                 head moved: fetched, rows of commits ───► due again after a minute
//     │                 no response ────────────────────────────► due again after two to thirty minutes
//     └── (the process dies) when the claim ends, after five minutes

import { sql } from 'kysely'
import type { Git } from '../../git/types.ts'
import { toFailure } from '../../lib/failure.ts'
import type { Log } from '../../lib/observability/log.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { FollowedRow, PositionRow } from '../../postgres/schema/automations.ts'
import type { Db } from '../../postgres/types.ts'
import { beginPosition, storeMove } from './store.ts'
import { findMove } from './move.ts'
import { openPlace, type OpenPlace, type Place, placeOfProject, placeOfSource } from './places.ts'

export type LookOptions = {
  readonly db: Db
  readonly git: Git
  readonly log: Pick<Log, 'error' | 'info' | 'warn'>
  readonly now: () => Date
  readonly signal: AbortSignal
}

const claimSeconds = 300
const againSeconds = 60
const failedSeconds = { least: 120, most: 1_800 }
const batch = 50
const together = 4

/** Polls every branch that is due. Throws only errors of the database. */
export async function lookAtBranches(options: LookOptions): Promise<void> {
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

async function claimDue(db: Db): Promise<readonly FollowedRow[]> {
  const { rows } = await sql<FollowedRow>`/* automations.claim_branches */ update followed_repositories
    set claimed_until = now() + make_interval(secs => ${claimSeconds})
    where repository_id in (select repository_id from followed_repositories
      where look_after <= now() and (claimed_until is null or claimed_until <= now())
      order by look_after limit ${batch} for update skip locked)
    returning *`.execute(db)
  return rows
}

/** A webhook says that something was pushed: its poll is due now. */
export async function hastenLook(db: Db, repositoryIds: readonly string[]): Promise<void> {
  if (repositoryIds.length === 0) return
  await sql`/* automations.hasten */ update followed_repositories set look_after = now()
    where repository_id in (${sql.join(repositoryIds)}) and error is null`.execute(db)
}

async function look(options: LookOptions, row: FollowedRow): Promise<void> {
  const { db, log, signal } = options
  try {
    const head = await lookAt(options, row)
    await sql`/* automations.looked */ update followed_repositories set head = ${head}, looked_at = now(), error = null,
      claimed_until = null, look_after = now() + make_interval(secs => ${againSeconds * (0.95 + Math.random() / 10)})
      where repository_id = ${row.repository_id}`.execute(db)
  } catch (error) {
    const { code, message } = toFailure(error)
    if (signal.aborted) return
    log.warn({ err: error, code, repositoryId: row.repository_id }, 'a branch could not be looked at')
    const reason = JSON.stringify({ code, message: plainText(message) })
    const since = row.error === null || row.looked_at === null ? 0 : (Date.now() - row.looked_at.getTime()) / 2_000
    const seconds = Math.min(Math.max(since, failedSeconds.least), failedSeconds.most)
    await sql`/* automations.not_looked */ update followed_repositories set error = ${reason}, claimed_until = null,
      look_after = now() + make_interval(secs => ${seconds}) where repository_id = ${row.repository_id}`.execute(db)
  }
}

/** Returns the head. */
async function lookAt({ db, git, now, signal }: LookOptions, row: FollowedRow): Promise<string | null> {
  const found = await readPlace(db, row)
  const positions = await readPositions(db, row.repository_id)
  if (!found || positions.length === 0) {
    // Nobody follows it any more. Who follows it again adds it again.
    await db.deleteFrom('followed_repositories').where('repository_id', '=', row.repository_id).execute()
    return null
  }
  const { place, fork } = found
  const opened = openPlace(git, place, fork)
  const { branch, commit } = await opened.past.probe(place.branch, signal)
  if (branch === null || commit === null) return null
  const isOld = (one: PositionRow) =>
    one.head_commit !== commit || one.branch !== branch || one.repository !== place.repository
  const moved = positions.filter(isOld)
  if (moved.length === 0) return commit
  const fetched = await opened.fetch(signal)
  for (const position of moved) await move({ db, now, signal, place, opened }, position, fetched)
  const tagged = (await opened.past.resolve('last-tag', fetched.commit, signal)) ?? null
  // A release that was there before the automation says nothing about the commits that it skips.
  await sql`/* automations.tagged */ update automation_positions
    set triage_tag = case when tagged_at is null then ${tagged} else triage_tag end, tagged_commit = ${tagged}, tagged_at = now()
    where repository_id = ${row.repository_id}`.execute(db)
  return fetched.commit
}

async function readPlace(
  db: Db,
  row: FollowedRow,
): Promise<{ readonly place: Place; readonly fork: string | null } | undefined> {
  if (row.source_id !== null) {
    const source = await db.selectFrom('sources').selectAll().where('id', '=', row.source_id).executeTakeFirst()
    return source && { place: placeOfSource(source), fork: null }
  }
  const project = await db.selectFrom('projects').selectAll().where('id', '=', row.project_id).executeTakeFirst()
  return project && { place: placeOfProject(project), fork: project.fork }
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

type Moving = Pick<LookOptions, 'db' | 'now' | 'signal'> & { readonly place: Place; readonly opened: OpenPlace }

async function move(
  { db, now, signal, place, opened: { past } }: Moving,
  position: PositionRow,
  head: { readonly branch: string; readonly commit: string },
): Promise<void> {
  const { since, first_commit: first, head_commit: at } = position
  const isOther =
    position.branch !== '' && (position.branch !== head.branch || position.repository !== place.repository)
  const where = { repository: place.repository, branch: head.branch }
  const note = isOther ? `It began again at ${head.commit.slice(0, 12)}: it follows another branch now.` : null
  if (first === null || at === null || isOther) {
    const start = since === null || isOther ? head.commit : await past.resolve(since, head.commit, signal)
    if (start === undefined) {
      return await beginPosition(db, position, {
        ...where,
        first: null,
        head: null,
        note: `Nothing starts: the repository has no commit \`${since}\`. Choose another beginning.`,
      })
    }
    await beginPosition(db, position, { ...where, first: start, head: start, note: note ?? position.note })
    if (start === head.commit) return
    return await follow(
      { db, now, signal, place, past },
      { ...position, ...where },
      { first: start, head: start },
      head.commit,
    )
  }
  await follow({ db, now, signal, place, past }, position, { first, head: at }, head.commit)
}

type Following = Pick<Moving, 'db' | 'now' | 'signal' | 'place'> & Pick<OpenPlace, 'past'>

async function follow(
  { db, now, signal, place, past }: Following,
  position: PositionRow,
  at: { readonly first: string; readonly head: string },
  to: string,
): Promise<void> {
  const found = await findMove(past, at, to, signal)
  const commits = await past.describe(
    found.added.map(({ commit }) => commit),
    signal,
  )
  await storeMove(db, { position, at: at.head, place, move: found, commits, now: now() })
}
