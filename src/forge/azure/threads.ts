// The comment with the facts, which is edited in place. It is a thread of its own, and closed: a policy may want all open
// ones resolved before a merge.

import { z } from 'zod'
import { explain } from '../explain.ts'
import { isStatus, parseReply } from '../parse.ts'
import { bodyText, text } from '../reply/shapes.ts'
import { type Azure, placeOf } from './azure.ts'
import { isFactsOf } from './facts-comment.ts'

/** Azure DevOps takes 150,000 characters. */
const commentSchema = z.object({ id: z.int(), content: text(400_000).nullish(), isDeleted: z.boolean().nullish() })
const threadSchema = z.object({
  id: z.int(),
  isDeleted: z.boolean().nullish(),
  comments: z.array(commentSchema).max(10_000).nullish(),
})
const threadsSchema = z.object({ value: z.array(threadSchema).max(20_000) })

export type FactsComment = { readonly thread: number; readonly comment: number; readonly content: string }

/**
 * The newest one. People may write one that looks the same: an edit of it is refused then, and ours is written again and is
 * the newest one.
 */
export async function readFacts(
  { client, path, asked }: Azure,
  { number, description }: { readonly number: number; readonly description: string },
  signal: AbortSignal,
): Promise<FactsComment | undefined> {
  const reply = await client.ask({ method: 'GET', path: `${path}/pullRequests/${number}/threads` }, signal)
  const { value } = parseReply(reply, threadsSchema, asked.read)
  const found = value.flatMap(({ id: thread, isDeleted, comments }) => {
    const first = comments?.[0]
    const content = bodyText(first?.content)
    if (isDeleted === true || !first || first.isDeleted === true || !isFactsOf(description, content)) return []
    return [{ thread, comment: first.id, content }]
  })
  return found.toSorted((one, other) => other.thread - one.thread)[0]
}

/** May run again. `before`: as it was read. */
export async function writeFacts(
  azure: Azure,
  number: number,
  { content, before }: { readonly content: string; readonly before: FactsComment | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { client, path, asked } = azure
  if (before?.content === content) return
  const threads = `${path}/pullRequests/${number}/threads`
  if (before) {
    const place = `${threads}/${before.thread}/comments/${before.comment}`
    const reply = await client.ask({ method: 'PATCH', path: place, body: { content } }, signal)
    // Written by another account, or deleted since.
    if (!isStatus(reply, 403, 404)) {
      parseReply(reply, z.object({}), asked.pullRequests)
      return
    }
  }
  const comments = [{ parentCommentId: 0, commentType: 'text', content }]
  const reply = await client.ask({ method: 'POST', path: threads, body: { comments, status: 'closed' } }, signal)
  if (isStatus(reply, 403, 404)) throw await explain(placeOf(azure), reply, asked.pullRequests, signal)
  parseReply(reply, z.object({ id: z.int() }), asked.pullRequests)
}
