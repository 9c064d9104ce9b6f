// Turns comments that call Docent into messages and jobs. The row of a comment is decided in the transaction that adds the
// message, so a process that dies leaves either both or neither, and two processes decide it once.
//
//   new ─► accepted: its author may write; a message, and for an issue a job
//    ├───► refused: the author may write, and the comment cannot be acted on; a comment says why
//    └───► ignored: nobody answers strangers. Where the host often does not say who is one, the first is refused

import { sql } from 'kysely'
import type { Entry } from '../../forge/activity/activity.ts'
import type { ForgeHost } from '../../forge/host.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { Redactor } from '../../lib/outbound/redactor.ts'
import type { MentionRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { addJob } from '../create.ts'
import { addFollowUp } from '../message.ts'
import type { SentMessage } from '../store.ts'
import { aroundOf, type Earlier, mostEarlier, promptOf } from './message.ts'
import type { CallNames } from './names.ts'
import { mayWriteLately, mayWriteNow } from './permission.ts'

export type ActContext = {
  readonly db: Db
  readonly host: ForgeHost
  readonly names: CallNames
  readonly clock: Clock
  /** The model of new jobs in projects without a model of their own. */
  readonly modelId: string
  readonly redactor: Pick<Redactor, 'hide'>
  readonly signal: AbortSignal
}

/** Comments in one look at the repository: strangers may write many, and each of them costs a question. */
const mostAtOnce = 20
/** Runs of one pull request or issue in an hour that comments start. */
export const mostAnHour = 10

/** Throws the failures of the host; the comments that are left wait for the next look. */
export async function actOnMentions(context: ActContext, projectId: string): Promise<void> {
  if (context.names.where === 'off') return await ignoreAll(context, projectId)
  for (const mention of await listNew(context, projectId)) await actOn(context, mention)
}

/** The setting was changed meanwhile. */
async function ignoreAll({ db }: ActContext, projectId: string): Promise<void> {
  await sql`/* comments.ignoreAll */ update mentions set state = 'ignored', reason = 'The setting of the project is off.',
    decided_at = now(), ended_at = now() where project_id = ${projectId} and state = 'new'`.execute(db)
}

/** Those of people who are known to write first: nobody can crowd them out. */
async function listNew({ db, host }: ActContext, projectId: string): Promise<readonly MentionRow[]> {
  const { rows } = await sql<MentionRow>`/* comments.new */ select mentions.* from mentions
      left join forge_people as people on people.project_id = mentions.project_id and people.forge = mentions.forge
        and people.person_id = mentions.author_id
    where mentions.project_id = ${projectId} and mentions.forge = ${host.kind} and state = 'new' and try_after <= now()
    order by may_write is true desc, seen_at, mentions.id limit ${mostAtOnce}`.execute(db)
  return rows
}

async function actOn(context: ActContext, mention: MentionRow): Promise<void> {
  const { db, host, signal } = context
  const { id, project_id: projectId, author_id: authorId, author: login } = mention
  const person = { id: authorId, login }
  const lately = await mayWriteLately({ db, host, projectId }, person, signal)
  const mayWrite = lately ?? (await settleDoubt(context, mention))
  if (mayWrite === undefined) return
  if (!mayWrite) return await ignore(db, id, 'The author may not push to the repository.')
  const message = await readMessage(context, mention)
  try {
    await decide(db, id, (trx) => accept(trx, { context, mention, message }))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // The job takes no message: it was archived, or ten of them wait.
    await decide(db, id, () => Promise.resolve({ state: 'refused', reason: error.message }))
  }
}

async function decide(db: Db, id: string, work: (trx: Trx) => Promise<Decided>): Promise<void> {
  try {
    await db.transaction().execute(async (trx) => await settle(trx, id, await work(trx)))
  } catch (error) {
    if (!(error instanceof DecidedElsewhere)) throw error
  }
}

/**
 * Nobody knows whether the author may write. Where that is usual, a person learns why: one comment an hour on a thread, for which
 * the host is asked again, because the process that asked before may have died. Undefined: the comment is decided, or waits.
 */
async function settleDoubt(context: ActContext, mention: MentionRow): Promise<boolean | undefined> {
  const { db, host, signal } = context
  const { id, project_id: projectId, author_id: authorId, author: login } = mention
  const { doubt } = host.activity
  if (doubt === undefined) {
    await waitForAnswer(db, id)
    return undefined
  }
  const { isTold } = await countLately(db, mention)
  const mayWrite = isTold ? null : await mayWriteNow({ db, host, projectId }, { id: authorId, login }, signal)
  if (mayWrite !== null) return mayWrite
  await decide(db, id, () => Promise.resolve({ state: isTold ? 'ignored' : 'refused', reason: doubt }))
  return undefined
}

/** The credential may not ask, or the process that asked died. */
async function waitForAnswer(db: Db, id: string): Promise<void> {
  await sql`/* comments.wait */ update mentions set try_after = now() + interval '1 hour',
      state = case when seen_at < now() - interval '1 day' then 'ignored' else state end,
      ended_at = case when seen_at < now() - interval '1 day' then now() end,
      reason = 'The forge does not say whether the author may push to the repository.'
    where id = ${id} and state = 'new'`.execute(db)
}

async function ignore(db: Db, id: string, reason: string): Promise<void> {
  await sql`/* comments.ignore */ update mentions set state = 'ignored', reason = ${reason}, decided_at = now(),
    ended_at = now() where id = ${id} and state = 'new'`.execute(db)
}

async function readMessage(context: ActContext, mention: MentionRow): Promise<SentMessage> {
  const { db, host, names, redactor, signal } = context
  const { thread: kind, number, author, link } = mention
  const lines = mention.kind === 'review' ? await readLines(host, mention, signal) : []
  const issue = kind === 'issue' ? await host.discussions?.read({ kind, number }, signal) : undefined
  const before = (issue?.remarks ?? []).filter(({ at }) => Date.parse(at) < mention.at.getTime())
  const earlier = kind === 'issue' ? before : await readEarlier(db, mention)
  const asked = lines.length === 0 ? mention : { text: await readBody(db, mention), path: null, line: null }
  return {
    prompt: redactor.hide(promptOf(asked, lines, names.names)),
    data: aroundOf({ author, link, lines, issue, earlier }, (text) => redactor.hide(text)),
  }
}

/** The text of the review itself, which another entry may have called for. */
async function readBody(db: Db, mention: MentionRow): Promise<string> {
  if (mention.entry_kind === 'review') return mention.text
  const row = await db
    .selectFrom('pull_activity')
    .select('text')
    .where('job_id', '=', mention.job_id)
    .where('kind', '=', 'review')
    .where('forge_id', '=', mention.forge_id)
    .executeTakeFirst()
  return row?.text ?? ''
}

/** On the same lines, or below the pull request; one more than are shown. */
async function readEarlier(db: Db, mention: MentionRow): Promise<readonly Earlier[]> {
  const { rows } = await sql<Earlier>`/* comments.earlier */ select author, text, path, line from pull_activity
    where job_id = ${mention.job_id} and number = ${mention.number} and kind in ('comment', 'review', 'review_comment')
      and text <> '' and at < ${mention.at} and path is not distinct from ${mention.path}
      and line is not distinct from ${mention.line}::integer
    order by at desc, id desc limit ${mostEarlier + 1}`.execute(db)
  return rows.toReversed()
}

/** Those of its author. */
async function readLines(host: ForgeHost, mention: MentionRow, signal: AbortSignal): Promise<readonly Entry[]> {
  const { number, forge_id: id, author_id: author } = mention
  const found = (await host.activity.readReview?.(number, id, signal)) ?? []
  return found.filter((line) => line.author?.id === author)
}

type Decided =
  | { readonly state: 'accepted'; readonly jobId: string; readonly messageId: string }
  | { readonly state: 'refused' | 'ignored'; readonly reason: string }

type Accepting = { readonly context: ActContext; readonly mention: MentionRow; readonly message: SentMessage }

/** Throws the failures of a message and of a new job. */
async function accept(trx: Trx, { context, mention, message }: Accepting): Promise<Decided> {
  if (message.prompt.trim() === '') return { state: 'refused', reason: 'The comment does not say what to do.' }
  const lately = await countLately(trx, mention)
  if (lately.accepted >= mostAnHour) {
    const reason = `Comments here have started ${mostAnHour} runs within an hour, which is the most. Write again later.`
    return { state: lately.isTold ? 'ignored' : 'refused', reason }
  }
  const { project_id: projectId, author, link } = mention
  const jobId = mention.thread === 'issue' ? await findJobOfIssue(trx, mention) : mention.job_id
  if (jobId !== null && jobId !== undefined) {
    const { messageId } = await addFollowUp(trx, { ...message, projectId, jobId })
    return { state: 'accepted', jobId, messageId }
  }
  const origin = { kind: 'comment', name: author, link } as const
  const { row, messageId } = await addJob(trx, context, { ...message, projectId, origin })
  return { state: 'accepted', jobId: row.id, messageId }
}

async function countLately(db: Db | Trx, { project_id: projectId, forge, thread, number }: MentionRow) {
  const { rows } = await sql<{ accepted: number; refused: number }>`/* comments.lately */
    select count(*) filter (where state = 'accepted')::integer as accepted,
      count(*) filter (where state = 'refused')::integer as refused
    from mentions where project_id = ${projectId} and forge = ${forge} and thread = ${thread} and number = ${number}
      and decided_at > now() - interval '1 hour'`.execute(db)
  return { accepted: rows[0]?.accepted ?? 0, isTold: (rows[0]?.refused ?? 0) > 0 }
}

/** The job that an earlier comment on the issue started, unless a person archived it. */
async function findJobOfIssue(trx: Trx, mention: MentionRow): Promise<string | undefined> {
  const row = await trx
    .selectFrom('mentions')
    .innerJoin('jobs', 'jobs.id', 'mentions.job_id')
    .select('jobs.id')
    .where('mentions.project_id', '=', mention.project_id)
    .where('mentions.forge', '=', mention.forge)
    .where('mentions.thread', '=', 'issue')
    .where('mentions.number', '=', mention.number)
    .where((e) => e.or([e('jobs.status', '<>', 'archived'), e('jobs.archived_by', '=', 'service')]))
    .orderBy('mentions.decided_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** After the job, which other work locks first, too. Somebody else has decided it if it is not new any more. */
async function settle(trx: Trx, id: string, decided: Decided): Promise<void> {
  const columns =
    decided.state === 'accepted' ? { job_id: decided.jobId, message_id: decided.messageId } : { reason: decided.reason }
  const ended = decided.state === 'ignored' ? { ended_at: sql<Date>`now()` } : {}
  const { numUpdatedRows } = await trx
    .updateTable('mentions')
    .set({ state: decided.state, decided_at: sql<Date>`now()`, ...columns, ...ended })
    .where('id', '=', id)
    .where('state', '=', 'new')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new DecidedElsewhere()
}

/** Takes back what the transaction did. */
class DecidedElsewhere extends Error {}
