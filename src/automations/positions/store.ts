// Stores how far an automation has come on its branch, and the commits that reached the branch.

import { sql } from 'kysely'
import type { MainlineCommit, Oid } from '../../git/types.ts'
import { createSelector, toGlobs } from '../../docs-syntax/glob.ts'
import { startOf } from '../../lib/plain-text.ts'
import type { AutomationRow, PositionRow } from '../../postgres/schema/automations.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { type FollowingTrigger, isFollowing, type Trigger, triggerOf } from '../automation.ts'
import { lockRow } from '../lock-row.ts'
import type { Move } from './move.ts'
import { findPlace, type Place } from './places.ts'
import { findPublishers, type Publisher } from './published.ts'

/** Rows of one statement. */
const step = 500

export const noFile = 'It changes no file that the automation follows.'

type Begun = {
  readonly repository: string
  readonly branch: string
  /** null: not found. */
  readonly first: Oid | null
  readonly head: Oid | null
  readonly note: string | null
}

/** Deletes the commits that it had seen on another branch. Does nothing if another process was faster. */
export async function beginPosition(
  db: Db,
  before: PositionRow,
  { repository, branch, first, head, note }: Begun,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { automation_id: id } = before
    if (!(await lockRow(trx, id)) || !(await isStill(trx, before, before.head_commit))) return
    await trx.deleteFrom('automation_commits').where('automation_id', '=', id).execute()
    const set = { repository, branch, first_commit: first, head_commit: head, note, away: 0, take: null }
    await trx
      .updateTable('automation_positions')
      .set({ ...set, take_after: null, ...(first === null ? {} : { since: null }) })
      .where('automation_id', '=', id)
      .execute()
  })
}

export type StoredMove = {
  readonly position: PositionRow
  /** Where it was. */
  readonly at: Oid
  readonly place: Place
  readonly move: Move
  /** Those that the move adds. */
  readonly commits: readonly MainlineCommit[]
  readonly now: Date
}

/** Does nothing if another process was faster. */
export async function storeMove(db: Db, { position, at, place, move, commits, now }: StoredMove): Promise<void> {
  const { automation_id: id } = position
  const publishers = place.source === null ? await findPublishers(db, place, commits) : new Map<string, Publisher>()
  await db.transaction().execute(async (trx) => {
    const automation = await lockRow(trx, id)
    if (!automation || !(await isStill(trx, position, at))) return
    const trigger = triggerOf(automation)
    if (!isFollowing(trigger)) return
    await markLeft(trx, id, move.kept, now)
    const judge = { automationId: id, trigger, place, publishers }
    const parents = new Map(move.added.map(({ commit, parent }) => [commit, parent]))
    const rows = commits.map((commit) => toRow(judge, commit, parents.get(commit.commit) ?? null, now))
    for (let from = 0; from < rows.length; from += step) {
      await trx
        .insertInto('automation_commits')
        .values(rows.slice(from, from + step))
        // It was there before: a rewritten branch was put back.
        .onConflict((on) => on.columns(['automation_id', 'commit']).doUpdateSet({ left_at: null }))
        .execute()
    }
    const isWaiting = rows.some(({ state }) => state === 'waiting')
    await trx
      .updateTable('automation_positions')
      .set({
        first_commit: move.first,
        head_commit: move.head,
        ...(isWaiting && isTakenAtOnce(trigger) ? { take_after: sql<Date>`coalesce(take_after, ${now})` } : {}),
        ...(move.isRewritten ? { note: sayRewritten(move) } : {}),
      })
      .where('automation_id', '=', id)
      .execute()
  })
}

export function isTakenAtOnce(trigger: Trigger): boolean {
  return trigger.type === 'docs' || (trigger.type === 'code' && trigger.when === 'merge')
}

function sayRewritten({ isAnew, first }: Move): string {
  const at = first.slice(0, 12)
  return isAnew
    ? `The branch was replaced by one without a commit in common: it began again at ${at}.`
    : 'The branch was rewritten: it continues from the last commit that both have, and commits that are gone are left out.'
}

async function isStill(trx: Trx, { automation_id: id, repository_id: of }: PositionRow, head: Oid | null) {
  const row = await trx
    .selectFrom('automation_positions')
    .select(['repository_id', 'head_commit'])
    .where('automation_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row?.repository_id === of && row.head_commit === head
}

/** `kept` undefined: all are still in the history. */
async function markLeft(trx: Trx, id: string, kept: ReadonlySet<Oid> | undefined, now: Date): Promise<void> {
  if (kept === undefined) return
  const rows = await trx
    .selectFrom('automation_commits')
    .select('commit')
    .where('automation_id', '=', id)
    .where('left_at', 'is', null)
    .execute()
  const left = rows.map(({ commit }) => commit).filter((commit) => !kept.has(commit))
  for (let from = 0; from < left.length; from += step) {
    await trx
      .updateTable('automation_commits')
      .set({ left_at: now })
      .where('automation_id', '=', id)
      .where('commit', 'in', left.slice(from, from + step))
      .execute()
  }
}

type Judge = {
  readonly automationId: string
  readonly trigger: FollowingTrigger
  readonly place: Place
  readonly publishers: ReadonlyMap<string, Publisher>
}

function toRow(
  { automationId, trigger, place, publishers }: Judge,
  found: MainlineCommit,
  parent: Oid | null,
  now: Date,
) {
  const { commit, subject, author, date, pullRequests, paths } = found
  const isOf = createSelector({ wanted: trigger.paths.flatMap(toGlobs), unwanted: [] })
  const publisher = publishers.get(commit)
  const reason =
    sayCircle(publisher, automationId) ?? (paths.some((path) => isOf(path) && place.isVisible(path)) ? null : noFile)
  return {
    automation_id: automationId,
    commit,
    parent,
    subject,
    author: startOf(author, 200),
    committed_at: date,
    pull_requests: JSON.stringify(pullRequests),
    state: reason === null ? ('waiting' as const) : ('skipped' as const),
    generation: publisher?.generation ?? 0,
    reason,
    seen_at: now,
    decided_at: reason === null ? null : now,
  }
}

/** An automation never starts itself, and what a started one publishes starts nothing. */
function sayCircle(publisher: Publisher | undefined, automationId: string): string | null {
  if (!publisher) return null
  if (publisher.automationId === automationId) return 'The automation published it itself.'
  return publisher.generation > 1 ? 'An automation published it that another automation had started.' : null
}

export type Placing = {
  readonly automation: AutomationRow
  /** Its trigger until now. Undefined: it is new. */
  readonly before: Trigger | undefined
  /** See `Beginning`. */
  readonly since: string | undefined
}

/**
 * Begins at the head of the next look, which is due at once, or at `since`; again after a change of what it follows. The commits that
 * it had seen before are deleted.
 */
export async function placeAutomation(trx: Trx, { automation, before, since }: Placing): Promise<void> {
  const { id, project_id: projectId } = automation
  const trigger = triggerOf(automation)
  if (since === undefined && (before === undefined ? !isFollowing(trigger) : followsSame(before, trigger))) return
  await trx.deleteFrom('automation_commits').where('automation_id', '=', id).execute()
  await trx.deleteFrom('automation_positions').where('automation_id', '=', id).execute()
  const place = isFollowing(trigger) ? await findPlace(trx, projectId, trigger) : undefined
  if (!place) return
  const { repositoryId, repository, source } = place
  const note = before !== undefined && isFollowing(before) ? 'It began again: its trigger was changed.' : null
  const row = { automation_id: id, repository_id: repositoryId, repository, branch: '', since: since ?? null, note }
  await trx.insertInto('automation_positions').values(row).execute()
  const now = sql<Date>`now()`
  await trx
    .insertInto('followed_repositories')
    .values({ repository_id: repositoryId, project_id: projectId, source_id: source?.id ?? null, look_after: now })
    .onConflict((on) => on.column('repository_id').doUpdateSet({ look_after: now, error: null }))
    .execute()
}

function followsSame(before: Trigger, after: Trigger): boolean {
  const followed = (trigger: Trigger) =>
    isFollowing(trigger)
      ? JSON.stringify([trigger.type, trigger.paths, 'source' in trigger ? trigger.source : null])
      : ''
  return followed(before) === followed(after)
}
