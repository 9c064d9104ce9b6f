// Comments on a line of one of Docent's own pull requests. Each becomes a message to the job in the same transaction, so
// the agent always receives what the page shows.

import { toCommentPrompt } from '../../agent/comment.ts'
import { getPull, type PullsContext } from '../../forge/own/pulls.ts'
import { notOpen } from '../../forge/own/end.ts'
import { createId } from '../../lib/id.ts'
import { Failure, invalidInput } from '../../lib/failure.ts'
import { shorten } from '../../lib/plain-text.ts'
import type { PullCommentRow, RunRow } from '../../postgres/schema.ts'
import { type IdempotentRequest, once, type Once } from '../../requests/idempotency.ts'
import type { RateLimit } from '../../requests/rate-limits.ts'
import type { DiffContext } from '../diff.ts'
import { readFileOf, type Side } from '../files.ts'
import { addFollowUp } from '../message.ts'
import { rangeOfPull } from './files.ts'

/** Waits to be sent, a run works on it, its run ended, or its run failed: then nobody responded to it. */
export const commentStates = ['waiting', 'working', 'done', 'failed'] as const
export type CommentState = (typeof commentStates)[number]

export type CommentResponse = {
  readonly id: string
  readonly path: string
  readonly line: number
  readonly at: Side
  /** The line when the comment was written, at most 500 characters. */
  readonly quote: string
  readonly text: string
  /** The name of the person or key. */
  readonly author: string
  /** The message to the job. */
  readonly messageId: string
  /** The run that the message went to; null while it waits. */
  readonly runId: string | null
  readonly state: CommentState
  readonly createdAt: string
}

export type NewComment = {
  readonly projectId: string
  readonly number: number
  readonly path: string
  readonly line: number
  readonly at: Side
  readonly text: string
  readonly author: string
  /** The author, if it is a person who is signed in. */
  readonly personId?: string | undefined
}

export type CommentsContext = { readonly pulls: PullsContext; readonly jobs: DiffContext }

const mostQuoted = 500

/** Returns the oldest first. Throws `not_found`. */
export async function listComments(
  { pulls }: CommentsContext,
  projectId: string,
  number: number,
): Promise<readonly CommentResponse[]> {
  await getPull(pulls, projectId, number)
  const rows = await pulls.db
    .selectFrom('pull_comments')
    .innerJoin('messages', 'messages.id', 'pull_comments.message_id')
    .leftJoin('runs', 'runs.id', 'messages.run_id')
    .selectAll('pull_comments')
    .select(['messages.run_id', 'runs.state', 'runs.error_code'])
    .where('pull_comments.project_id', '=', projectId)
    .where('pull_comments.number', '=', number)
    .orderBy('pull_comments.created_at')
    .orderBy('pull_comments.id')
    .limit(1_000)
    .execute()
  return rows.map((row) => toComment(row, row))
}

/**
 * Throws `not_found`, `pull_not_open`, `invalid_input` when there is no such line, and the failures of a message to the
 * job.
 */
export async function addComment(
  context: CommentsContext,
  comment: NewComment,
  request: IdempotentRequest | undefined,
  limit: RateLimit,
): Promise<Once<CommentResponse>> {
  const { projectId, number, path, line, at, text, author, personId } = comment
  const pull = await getPull(context.pulls, projectId, number)
  if (pull.state !== 'open') throw notOpen(pull)
  const quote = shorten(await readLine(context, comment), mostQuoted)
  return once(context.pulls.db, request, async (trx) => {
    const prompt = toCommentPrompt({ path, line, at, quote }, text)
    const { messageId } = await addFollowUp(trx, { projectId, jobId: pull.jobId, prompt, personId }, limit)
    const row = await trx
      .insertInto('pull_comments')
      .values({
        id: createId('cmt'),
        project_id: projectId,
        number,
        message_id: messageId,
        path,
        line,
        at,
        quote,
        text,
        author,
        created_at: new Date(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toComment(row, { run_id: null, state: null, error_code: null })
  })
}

type RunOf = { readonly run_id: string | null } & {
  readonly [Column in 'state' | 'error_code']: RunRow[Column] | null
}

function stateOf({ state, error_code: error }: RunOf): CommentState {
  if (state === null) return 'waiting'
  if (state !== 'ended') return 'working'
  return error === null ? 'done' : 'failed'
}

function toComment(row: PullCommentRow, run: RunOf): CommentResponse {
  const { id, path, line, at, quote, text, author } = row
  return {
    id,
    path,
    line,
    at,
    quote,
    text,
    author,
    messageId: row.message_id,
    runId: run.run_id,
    state: stateOf(run),
    createdAt: row.created_at.toISOString(),
  }
}

async function readLine(context: CommentsContext, { projectId, number, path, line, at }: NewComment): Promise<string> {
  const find = () => rangeOfPull(context, projectId, number)
  const bytes = await readFileOf(find, { path, at }).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found')
      throw invalidInput('#/path', 'is not a file of this change')
    throw error
  })
  const found = Buffer.from(bytes)
    .toString('utf8')
    .split(/\r\n|\n/)[line - 1]
  if (found === undefined) throw invalidInput('#/line', 'is beyond the end of the file')
  return found.replaceAll('\0', '')
}
