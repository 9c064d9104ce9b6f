// Notes the comments that call Docent, in the transaction that stores them as seen: a process that dies before has not seen
// them, and one that dies after has noted them. Each acts once, by the id of the forge. A comment that was known before does
// not act, so an edit never does.

import { sql } from 'kysely'
import type { Entry } from '../../forge/activity/activity.ts'
import type { ForgeHost } from '../../forge/host.ts'
import { createId } from '../../lib/id.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import type { Added, PullOf } from '../activity/store.ts'
import { findMention } from './mention.ts'
import type { CallNames } from './names.ts'

/** Older ones were written to somebody who was not there. */
const mostDays = 7

type Seen = { readonly entries: readonly Entry[]; readonly added: Added; readonly names: CallNames }

export async function noteOnPull(
  trx: Trx,
  { projectId, jobId, forge }: PullOf & { readonly projectId: string },
  { entries, added, names }: Seen,
): Promise<void> {
  if (names.where === 'off' || added.length === 0) return
  const isNew = new Set(added.map(({ kind, forgeId }) => `${kind} ${forgeId}`))
  const found = entries.filter((entry) => isNew.has(`${entry.kind} ${entry.forgeId}`) && calls(entry, names))
  for (const entry of found) await note(trx, { projectId, jobId, forge, thread: 'pull' }, entry)
}

/** Those since the project began to read its issues. */
export async function noteOnIssues(
  { db, host, names }: { readonly db: Db; readonly host: Pick<ForgeHost, 'kind'>; readonly names: CallNames },
  projectId: string,
  entries: readonly Entry[],
): Promise<void> {
  if (names.where !== 'everywhere') return
  const found = entries.filter((entry) => entry.isIssue === true && calls(entry, names))
  if (found.length === 0) return
  const poll = await db.selectFrom('issue_polls').select('since').where('project_id', '=', projectId).executeTakeFirst()
  for (const entry of found) {
    if (!poll || Date.parse(entry.at) < poll.since.getTime()) continue
    await note(db, { projectId, jobId: null, forge: host.kind, thread: 'issue' }, entry)
  }
}

function calls(entry: Entry, { account, names }: CallNames): boolean {
  const { author, kind, text } = entry
  if (kind !== 'comment' && kind !== 'review' && kind !== 'review_comment') return false
  if (author === null || author.isBot || author.login.toLowerCase() === account?.toLowerCase()) return false
  return findMention(text, names) !== undefined
}

type Place = {
  readonly projectId: string
  readonly jobId: string | null
  readonly forge: string
  readonly thread: 'pull' | 'issue'
}

/** A comment that was sent with a review acts as that review. */
async function note(db: Db | Trx, { projectId, jobId, forge, thread }: Place, entry: Entry): Promise<void> {
  const { author, kind, forgeId, review } = entry
  const acts = review === undefined ? { kind, id: forgeId } : { kind: 'review', id: review }
  await sql`/* comments.note */ insert into mentions (id, project_id, forge, thread, number, kind, forge_id, entry_kind,
      entry_id, author_id, author, at, text, path, line, link, job_id)
    select ${createId('men')}, ${projectId}, ${forge}, ${thread}, ${entry.number}::integer, ${acts.kind}, ${acts.id}, ${kind},
      ${forgeId}, ${author?.id}, ${author?.login}, ${entry.at}::timestamptz, ${entry.text}, ${entry.path},
      ${entry.line}::integer, ${entry.link}, ${jobId}
    where ${entry.at}::timestamptz > now() - make_interval(days => ${mostDays})
    on conflict (project_id, forge, kind, forge_id) do nothing`.execute(db)
}

/** Deletes those that nothing is left to do for, if they were read before the time. */
export async function forgetMentions(db: Db, before: Date): Promise<void> {
  await sql`/* comments.forget */ delete from mentions where ended_at is not null and seen_at < ${before}`.execute(db)
}
