// Comments on a line of one of Docent's own pull requests. Each becomes a message to the job in the same transaction, so
// the agent always receives what the page shows.

import { toCommentPrompt } from '../../agent/comment.ts'
import { getPull, type PullsContext } from '../../forge/own/pulls.ts'
import { notOpen } from '../../forge/own/end.ts'
import { createId } from '../../lib/id.ts'
import { Failure, invalidInput } from '../../lib/failure.ts'
import { shorten } from '../../lib/plain-text.ts'
import type { PullCommentRow } from '../../postgres/schema.ts'
import { type IdempotentRequest, once, type Once } from '../../requests/idempotency.ts'
import type { RateLimit } from '../../requests/rate-limits.ts'
import type { DiffContext } from '../diff.ts'
import { readFileOf, type Side } from '../files.ts'
import { addFollowUp } from '../message.ts'
import { rangeOfPull } from './files.ts'

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
    .selectAll('pull_comments')
    .select('messages.run_id')
    .where('pull_comments.project_id', '=', projectId)
    .where('pull_comments.number', '=', number)
    .orderBy('pull_comments.created_at')
    .orderBy('pull_comments.id')
    .limit(1_000)
    .execute()
  return rows.map((row) => toComment(row, row.run_id))
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
    return toComment(row, null)
  })
}

function toComment(row: PullCommentRow, runId: string | null): CommentResponse {
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
    runId,
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
