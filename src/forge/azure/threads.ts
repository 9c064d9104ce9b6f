// Docent's comments, which are edited in place, and among them the one with the facts. Each is a thread of its own, and
// closed: a policy may want all open ones resolved before a merge.

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

/** The first comment of each thread that is not deleted. */
export async function readThreads(
  { client, path, asked }: Azure,
  number: number,
  signal: AbortSignal,
): Promise<readonly FactsComment[]> {
  const reply = await client.ask({ method: 'GET', path: `${path}/pullRequests/${number}/threads` }, signal)
  const { value } = parseReply(reply, threadsSchema, asked.read)
  return value.flatMap(({ id: thread, isDeleted, comments }) => {
    const first = comments?.[0]
    if (isDeleted === true || !first || first.isDeleted === true) return []
    return [{ thread, comment: first.id, content: bodyText(first.content) }]
  })
}

/**
 * The newest one. People may write one that looks the same: an edit of it is refused then, and ours is written again and is
 * the newest one.
 */
export async function readFacts(
  azure: Azure,
  { number, description }: { readonly number: number; readonly description: string },
  signal: AbortSignal,
): Promise<FactsComment | undefined> {
  const found = (await readThreads(azure, number, signal)).filter(({ content }) => isFactsOf(description, content))
  return found.toSorted((one, other) => other.thread - one.thread)[0]
}

export function addThread({ client, path }: Azure, number: number, content: string, signal: AbortSignal) {
  const comments = [{ parentCommentId: 0, commentType: 'text', content }]
  const place = `${path}/pullRequests/${number}/threads`
  return client.ask({ method: 'POST', path: place, body: { comments, status: 'closed' } }, signal)
}

export function editThread(
  { client, path }: Azure,
  number: number,
  { thread, comment, content }: FactsComment,
  signal: AbortSignal,
) {
  const place = `${path}/pullRequests/${number}/threads/${thread}/comments/${comment}`
  return client.ask({ method: 'PATCH', path: place, body: { content } }, signal)
}

/** May run again. `before`: as it was read. */
export async function writeFacts(
  azure: Azure,
  number: number,
  { content, before }: { readonly content: string; readonly before: FactsComment | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { asked } = azure
  if (before?.content === content) return
  if (before) {
    const reply = await editThread(azure, number, { ...before, content }, signal)
    // Written by another account, or deleted since.
    if (!isStatus(reply, 403, 404)) {
      parseReply(reply, z.object({}), asked.pullRequests)
      return
    }
  }
  const reply = await addThread(azure, number, content, signal)
  if (isStatus(reply, 403, 404)) throw await explain(placeOf(azure), reply, asked.pullRequests, signal)
  parseReply(reply, z.object({ id: z.int() }), asked.pullRequests)
}
