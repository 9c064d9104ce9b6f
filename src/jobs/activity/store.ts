// Stores what happens on the pull requests of jobs, by the ids of the forge: reading a list again changes nothing. An edit
// replaces the text, a deletion empties it. Texts are data of others: they are shown, and given to no model, except those
// that call Docent (`jobs/comments`).

import { sql } from 'kysely'
import { type Entry, type EntryKey, type EntryKind, mostEntries } from '../../forge/activity/activity.ts'
import type { PullKey } from '../../forge/forge.ts'
import { createId } from '../../lib/id.ts'
import type { Db, Trx } from '../../postgres/types.ts'

/** The kinds that forges list, and changes of the pull request itself. */
export type ActivityKind = EntryKind | 'state' | 'base' | 'head'

/** The pull request of a job. */
export type PullOf = PullKey & { readonly jobId: string }

type Row = Omit<Entry, 'number' | 'kind' | 'link'> & { readonly kind: ActivityKind; readonly link: string | null }

/** The entries that were not known before. */
export type Added = readonly { readonly kind: ActivityKind; readonly forgeId: string }[]

/** Entries of one statement. */
const batch = 500

export async function storeEntries(db: Db | Trx, pull: PullOf, entries: readonly Row[]): Promise<Added> {
  // One statement cannot change a row twice: the last of an entry counts.
  const rows = [...new Map(entries.map((row) => [`${row.kind} ${row.forgeId}`, row])).values()]
  const added: Added[number][] = []
  for (let at = 0; at < rows.length; at += batch) added.push(...(await upsert(db, pull, rows.slice(at, at + batch))))
  if (added.length > 0) await trim(db, pull)
  return added
}

async function upsert(db: Db | Trx, { jobId, forge, number }: PullOf, rows: readonly Row[]): Promise<Added> {
  const column = <T>(of: (row: Row) => T): T[] => rows.map(of)
  const { rows: stored } = await sql<{ kind: ActivityKind; forgeId: string; is_new: boolean }>`/* activity.store */
    insert into pull_activity as known
      (id, job_id, forge, number, kind, forge_id, author_id, author, is_bot, at, text, path, line, link, state)
    select id, ${jobId}, ${forge}, ${number}, kind, forge_id, author_id, author, is_bot, at, text, path, line, link, state
    from unnest(${column(() => createId('act'))}::text[], ${column(({ kind }) => kind)}::text[],
      ${column(({ forgeId }) => forgeId)}::text[], ${column(({ author }) => author?.id ?? null)}::text[],
      ${column(({ author }) => author?.login ?? null)}::text[], ${column(({ author }) => author?.isBot ?? false)}::boolean[],
      ${column(({ at }) => at)}::timestamptz[], ${column(({ text }) => text)}::text[],
      ${column(({ path }) => path)}::text[], ${column(({ line }) => line)}::integer[],
      ${column(({ link }) => link)}::text[], ${column(({ state }) => state)}::text[])
      as given (id, kind, forge_id, author_id, author, is_bot, at, text, path, line, link, state)
    on conflict (job_id, forge, number, kind, forge_id) do update
      set text = excluded.text, path = excluded.path, line = excluded.line, link = excluded.link, state = excluded.state,
        deleted_at = null
      where (known.text, known.path, known.line, known.link, known.state, known.deleted_at)
        is distinct from (excluded.text, excluded.path, excluded.line, excluded.link, excluded.state, null::timestamptz)
    returning kind, forge_id as "forgeId", xmax = 0 as is_new`.execute(db)
  return stored.flatMap(({ kind, forgeId, is_new: isNew }) => (isNew ? [{ kind, forgeId }] : []))
}

/** The oldest go first. */
async function trim(db: Db | Trx, { jobId, forge, number }: PullOf): Promise<void> {
  await sql`/* activity.trim */ delete from pull_activity where id in (select id from pull_activity
    where job_id = ${jobId} and forge = ${forge} and number = ${number}
    order by at desc, id desc offset ${mostEntries})`.execute(db)
}

/**
 * Empties the comments that are not among these, which are all that the forge has. One that was stored since `readAt` may
 * be younger than the list.
 */
export async function blankDeleted(
  db: Db,
  { jobId, forge, number }: PullOf,
  { entries, readAt }: { readonly entries: readonly Entry[]; readonly readAt: string },
): Promise<void> {
  const idsOf = (kind: EntryKind) => entries.flatMap((entry) => (entry.kind === kind ? [entry.forgeId] : []))
  await sql`/* activity.blank */ update pull_activity set text = '', deleted_at = now()
    where job_id = ${jobId} and forge = ${forge} and number = ${number} and deleted_at is null
      and seen_at < ${readAt}::timestamptz
      and ((kind = 'comment' and forge_id <> all(${idsOf('comment')}::text[]))
        or (kind = 'review_comment' and forge_id <> all(${idsOf('review_comment')}::text[])))`.execute(db)
}

/** Empties those among these that are stored. */
export async function blankEntries(
  db: Db,
  { jobId, forge, number }: PullOf,
  deleted: readonly EntryKey[],
): Promise<void> {
  if (deleted.length === 0) return
  await sql`/* activity.blankEntries */ update pull_activity set text = '', deleted_at = now()
    from unnest(${deleted.map(({ kind }) => kind)}::text[], ${deleted.map(({ forgeId }) => forgeId)}::text[])
      as gone (kind, forge_id)
    where job_id = ${jobId} and forge = ${forge} and number = ${number} and deleted_at is null
      and pull_activity.kind = gone.kind and pull_activity.forge_id = gone.forge_id`.execute(db)
}

/** A pull request as it was read. Undefined: it was not read before. */
export type Seen = {
  readonly state: string | null
  readonly base?: string | undefined
  readonly head?: string | undefined
}

/**
 * Adds an entry for each difference. The forge names nobody for these, and they have the time of the look, except a merge.
 * The caller holds the lock of the job, so a difference is seen once.
 */
export async function storeChanges(
  trx: Trx,
  pull: PullOf,
  { before, now, at, mergedAt }: { before: Seen; now: Seen; at: Date; mergedAt?: string | null },
): Promise<void> {
  const rows: Row[] = []
  const add = (kind: 'state' | 'base' | 'head', value: string | null | undefined, time: string) => {
    if (value === undefined || value === null || before[kind] === undefined || before[kind] === null) return
    if (before[kind] === value) return
    const text = kind === 'state' ? '' : value
    const state = kind === 'state' ? value : null
    const forgeId = `${value} ${time}`
    rows.push({ kind, forgeId, author: null, at: time, text, path: null, line: null, link: null, state })
  }
  add('base', now.base, at.toISOString())
  add('head', now.head, at.toISOString())
  add('state', now.state, mergedAt ?? at.toISOString())
  if (rows.length > 0) await storeEntries(trx, pull, rows)
}
