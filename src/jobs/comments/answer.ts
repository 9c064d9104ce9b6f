// Says on the forge that a comment was seen, with a reaction, and what became of it, in one comment that is edited in place:
// each new comment mails everybody who follows. A claim keeps two processes from writing two. Each step may run twice: the
// reaction is the same, and the comment is found by its marker.

import { sql } from 'kysely'
import type { Finish } from '../../agent/tool.ts'
import { say } from '../../forge/comments/say.ts'
import type { ForgeHost } from '../../forge/host.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure, type JobFailureCode, jobFailures } from '../../lib/failure.ts'
import type { Redactor } from '../../lib/outbound/redactor.ts'
import type { MentionRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import type { JobStatus } from '../job.ts'
import { bodyOn } from '../pulls/description.ts'
import type { RunDeps } from '../run/context.ts'
import { command } from './mention.ts'
import type { CallNames } from './names.ts'
import { type Standing, wordsOf } from './words.ts'

export type AnswerContext = {
  readonly db: Db
  readonly host: ForgeHost
  readonly names: CallNames
  readonly clock: Clock
  readonly publicUrl: string | undefined
  readonly readSyntax: RunDeps['readSyntax']
  readonly redactor: Pick<Redactor, 'redact'>
  readonly signal: AbortSignal
}

/** Longer than one answer takes: a reaction, and 15 seconds and a request for the comment. */
const claimSeconds = 90
const sayingMs = 15_000
const failedSeconds = 120
const mostAtOnce = 50

/** Throws the failures of the host, except of one comment: it is tried again. */
export async function answerMentions(context: AnswerContext, projectId: string): Promise<void> {
  const { db, host } = context
  for (let answered = 0; answered < mostAtOnce; answered += 1) {
    const mention = await claimOpen(db, projectId, host.kind)
    if (!mention) return
    try {
      await answer(context, mention)
    } catch (error) {
      await release(db, mention.id, failedSeconds)
      if (!(error instanceof Failure)) throw error
      if (error.mayRetry) throw error
    }
  }
}

type OpenMention = MentionRow & {
  readonly run_state: 'waiting' | 'running' | 'ended' | null
  readonly run_error: string | null
  readonly job_status: JobStatus | null
  /** Whether a run of the job read sources. */
  readonly has_sources: boolean
  readonly error_code: string | null
  readonly finish: string | null
  readonly commit_id: string | null
  readonly pr_link: string | null
}

/** A run has ended, or nobody takes the message. */
export const hasNews = sql<boolean>`(mentions.state = 'refused' or mentions.message_id is null or runs.state = 'ended'
  or (messages.run_id is null and jobs.status <> 'active'))`

/** Those whose standing has changed since it was said. */
async function claimOpen(db: Db, projectId: string, forge: string): Promise<OpenMention | undefined> {
  const { rows } = await sql<OpenMention>`/* comments.claimOpen */ with claimed as (update mentions
      set claimed_until = now() + make_interval(secs => ${claimSeconds})
      where id in (select mentions.id from mentions
          left join messages on messages.id = message_id left join runs on runs.id = messages.run_id
          left join jobs on jobs.id = mentions.job_id
        where mentions.project_id = ${projectId} and mentions.forge = ${forge} and mentions.state in ('accepted', 'refused')
          and mentions.ended_at is null and (claimed_until is null or claimed_until <= now()) and try_after <= now()
          and (said is null or ${hasNews})
        order by mentions.seen_at limit 1 for update of mentions skip locked)
      returning *)
    select claimed.*, runs.state as run_state, runs.error_code as run_error, runs.finish, runs.commit_id,
      jobs.error_code, jobs.status as job_status,
      exists (select 1 from runs as any_run where any_run.job_id = claimed.job_id and any_run.sources is not null)
        as has_sources, jobs.pr_link
    from claimed left join messages on messages.id = claimed.message_id left join runs on runs.id = messages.run_id
      left join jobs on jobs.id = claimed.job_id`.execute(db)
  return rows[0]
}

async function answer(context: AnswerContext, mention: OpenMention): Promise<void> {
  const { db, host, names, clock, signal } = context
  const { id, thread: kind, number } = mention
  if (!mention.is_seen) {
    await host.comments.react({ kind, number, what: mention.entry_kind, forgeId: mention.entry_id }, signal)
    await db.updateTable('mentions').set({ is_seen: true }).where('id', '=', id).execute()
  }
  const { text, isLast } = await composeText(context, mention)
  const comment = { on: { kind, number }, name: id, text, since: mention.at.toISOString(), id: mention.comment_id }
  const said = await say({ host, clock, deadlineMs: sayingMs }, { ...comment, account: names.account }, signal)
  await sql`/* comments.said */ update mentions set said = ${text}, claimed_until = null,
      comment_id = ${said.kind === 'said' ? said.id : null},
      ended_at = case when ${isLast || said.kind === 'off'} then now() end
    where id = ${id}`.execute(db)
}

async function composeText({ host, names, publicUrl, readSyntax, redactor }: AnswerContext, mention: OpenMention) {
  const { project_id: projectId, job_id: jobId } = mention
  const hasPage = publicUrl !== undefined && jobId !== null
  const [name] = names.names
  const { own, quoted, isLast } = wordsOf({
    standing: standingOf(mention),
    jobLink: hasPage ? `${publicUrl}/projects/${projectId}/jobs/${jobId}` : undefined,
    pullLink: mention.thread === 'issue' ? (mention.pr_link ?? undefined) : undefined,
    call: name === undefined ? command : `@${name}`,
  })
  const weak = quoted === '' ? '' : await bodyOn(host.kind, redactor.redact(quoted), readSyntax)
  const lines =
    weak === ''
      ? ''
      : `\n\n${weak
          .split('\n')
          .map((line) => `> ${line}`.trimEnd())
          .join('\n')}`
  return { text: own + lines, isLast }
}

function standingOf(mention: OpenMention): Standing {
  if (mention.state === 'refused') return { kind: 'refused', reason: mention.reason ?? '' }
  // The job was deleted, or its project moved: nobody works on it.
  if (mention.message_id === null) return { kind: 'failed', title: 'The job is gone' }
  const isLeft = mention.run_state === null && mention.job_status !== 'active'
  if (isLeft) return { kind: 'failed', title: titleOf(mention.error_code) }
  if (mention.run_state !== 'ended') return { kind: 'working' }
  if (mention.run_error !== null) return { kind: 'failed', title: titleOf(mention.run_error) }
  const finish = mention.finish === null ? undefined : (JSON.parse(mention.finish) as Finish)
  // Sources may be private, and so may a question about them.
  const isOpen = !mention.has_sources
  return { kind: 'ended', finish, commit: mention.commit_id, isOpen }
}

/** The words for a failed run where anybody may read them: its message is for the people of the project. */
export function titleOf(code: string | null): string {
  return code !== null && Object.hasOwn(jobFailures, code)
    ? jobFailures[code as JobFailureCode].title
    : 'The job has ended'
}

async function release(db: Db, id: string, seconds: number): Promise<void> {
  await sql`/* comments.release */ update mentions set claimed_until = null,
    try_after = now() + make_interval(secs => ${seconds}) where id = ${id}`.execute(db)
}

/** On the embedded database: the process that claimed them is dead. */
export async function freeAnswers(db: Db): Promise<void> {
  await sql`/* comments.free */ update mentions set claimed_until = null where claimed_until is not null`.execute(db)
}
