// Writes comments on Bitbucket Cloud, which has no reactions in its API. Accounts have no logins there.

import { z } from 'zod'
import type { CommentWritten, HostComment, HostComments } from '../comments/comments.ts'
import type { DiscussionKey } from '../discussion/discussion.ts'
import { isStatus, parseReply } from '../parse.ts'
import { body, bodyText } from '../reply/shapes.ts'
import type { Bitbucket } from './bitbucket.ts'

const pageSize = 50
const mostPages = 20

const writtenSchema = z.object({ id: z.int().positive() })
const commentsSchema = z.object({
  values: z.array(
    writtenSchema.extend({
      content: z.object({ raw: body.nullish() }).nullish(),
      deleted: z.boolean().nullish(),
    }),
  ),
})

export function createBitbucketComments(bitbucket: Bitbucket): HostComments {
  const { client, asked } = bitbucket
  const contentOf = (words: string) => ({ type: 'pullrequest_comment', content: { raw: words } })
  return {
    showsHtmlComments: true,
    list: (on, _, signal) => list(bitbucket, on, signal),
    create: async (on, words, signal): Promise<CommentWritten> => {
      const request = { method: 'POST', path: placeOf(bitbucket, on), body: contentOf(words) } as const
      const reply = await client.ask(request, signal)
      if (reply.kind === 'unknown_effect') return { kind: 'unknown_effect' }
      if (isStatus(reply, 403, 404)) return { kind: 'off' }
      return { kind: 'written', id: String(parseReply(reply, writtenSchema, asked.pullRequests).id) }
    },
    edit: async (on, id, words, signal) => {
      const request = { method: 'PUT', path: `${placeOf(bitbucket, on)}/${id}`, body: contentOf(words) } as const
      const reply = await client.ask(request, signal)
      if (isStatus(reply, 403, 404)) return false
      parseReply(reply, writtenSchema, asked.pullRequests)
      return true
    },
    react: () => Promise.resolve(false),
  }
}

function placeOf({ path }: Bitbucket, { kind, number }: DiscussionKey): string {
  return `${path}/${kind === 'pull' ? 'pullrequests' : 'issues'}/${number}/comments`
}

/** The oldest first; the list has no filter that works for both kinds. */
async function list(bitbucket: Bitbucket, on: DiscussionKey, signal: AbortSignal): Promise<readonly HostComment[]> {
  const found: HostComment[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { pagelen: pageSize, page }
    const reply = await bitbucket.client.ask({ method: 'GET', path: placeOf(bitbucket, on), query }, signal)
    const { values } = parseReply(reply, commentsSchema, bitbucket.asked.read)
    const kept = values.filter(({ deleted }) => deleted !== true)
    found.push(...kept.map((row) => ({ id: String(row.id), text: bodyText(row.content?.raw), author: null })))
    if (values.length < pageSize) break
  }
  return found
}
