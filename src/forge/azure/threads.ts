// The threads of a pull request, and in them Docent's comments, which are edited in place, with the one of the facts. Each of
// these is a thread of its own, and closed: a policy may want all open ones resolved before a merge.

import { z } from 'zod'
import { explain } from '../explain.ts'
import { isStatus, parseReply } from '../parse.ts'
import { bodyText, instant, text } from '../reply/shapes.ts'
import { type Azure, placeOf } from './azure.ts'
import { isFactsOf } from './facts-comment.ts'

export const identitySchema = z
  .object({
    id: text(100).nullish(),
    displayName: text(300).nullish(),
    /** Its start says what the identity is: `aad.…`, `svc.…`. */
    descriptor: text(1_000).nullish(),
    isContainer: z.boolean().nullish(),
  })
  .nullish()
const line = z.object({ line: z.int() }).nullish()
const value = z.object({ $value: z.union([text(1_000), z.number()]).nullish() }).nullish()
const threadSchema = z.object({
  id: z.int(),
  isDeleted: z.boolean().nullish(),
  /** The threads that Azure DevOps itself writes have no status. */
  status: z.union([text(50), z.int()]).nullish(),
  threadContext: z.object({ filePath: text(4_096).nullish(), rightFileStart: line, leftFileStart: line }).nullish(),
  /** Says what happened, in threads that Azure DevOps itself writes. Older ones name the voter, newer ones a key of `identities`. */
  properties: z
    .object({
      CodeReviewThreadType: value,
      CodeReviewVoteResult: value,
      CodeReviewVotedByIdentity: value,
      CodeReviewVotedByTfId: value,
      CodeReviewVotedByDisplayName: value,
    })
    .nullish(),
  identities: z.record(z.string(), identitySchema).nullish(),
  comments: z
    .array(
      z.object({
        id: z.int(),
        author: identitySchema,
        /** Azure DevOps takes 150,000 characters. */
        content: text(400_000).nullish(),
        publishedDate: instant.nullish(),
        commentType: text(50).nullish(),
        isDeleted: z.boolean().nullish(),
      }),
    )
    .max(10_000)
    .nullish(),
})
export const threadsSchema = z.object({ value: z.array(threadSchema).max(20_000) })
export type Thread = z.infer<typeof threadSchema>
export type Identity = z.infer<typeof identitySchema>

/** All at once: the list has no pages. */
export function askForThreads({ client, path }: Azure, number: number, signal: AbortSignal) {
  return client.ask({ method: 'GET', path: `${path}/pullRequests/${number}/threads` }, signal)
}

/** Words of people: not those with which Azure DevOps says what happened. */
export function isWritten({ commentType }: { readonly commentType?: string | null | undefined }): boolean {
  return commentType !== 'system'
}

export type FactsComment = { readonly thread: number; readonly comment: number; readonly content: string }

/** The first comment of each thread that is not deleted. */
export async function readThreads(azure: Azure, number: number, signal: AbortSignal): Promise<readonly FactsComment[]> {
  const { value } = parseReply(await askForThreads(azure, number, signal), threadsSchema, azure.asked.read)
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
