// Writes comments and reactions on GitLab: notes of merge requests and issues.

import { z } from 'zod'
import type { CommentWritten, HostComment, HostComments } from '../comments/comments.ts'
import type { DiscussionKey } from '../discussion/discussion.ts'
import { isStatus, parseReply } from '../parse.ts'
import { body, bodyText, instant, text } from '../reply/shapes.ts'
import type { GitLab } from './gitlab.ts'

const pageSize = 50
const mostPages = 5

const writtenSchema = z.object({ id: z.int().positive() })
const notesSchema = z.array(
  writtenSchema.extend({
    body: body.nullish(),
    author: z.object({ username: text(300) }).nullish(),
    created_at: instant,
  }),
)

export function createGitLabComments(gitlab: GitLab): HostComments {
  const { client, asked } = gitlab
  return {
    list: (on, since, signal) => list(gitlab, { on, since }, signal),
    create: async (on, words, signal): Promise<CommentWritten> => {
      const reply = await client.ask({ method: 'POST', path: notesOf(gitlab, on), body: { body: words } }, signal)
      if (reply.kind === 'unknown_effect') return { kind: 'unknown_effect' }
      if (isStatus(reply, 403, 404)) return { kind: 'off' }
      return { kind: 'written', id: String(parseReply(reply, writtenSchema, asked.pullRequests).id) }
    },
    edit: async (on, id, words, signal) => {
      const request = { method: 'PUT', path: `${notesOf(gitlab, on)}/${id}`, body: { body: words } } as const
      const reply = await client.ask(request, signal)
      if (isStatus(reply, 403, 404)) return false
      parseReply(reply, writtenSchema, asked.pullRequests)
      return true
    },
    /** A review is a note that GitLab wrote itself, which takes no reactions. */
    react: async ({ what, forgeId, ...on }, signal) => {
      if (what === 'review') return false
      const path = `${notesOf(gitlab, on)}/${forgeId}/award_emoji`
      const reply = await client.ask({ method: 'POST', path, body: { name: 'eyes' } }, signal)
      // GitLab says 404 also when the account has reacted so before.
      if (isStatus(reply, 403, 404)) return reply.kind === 'response' && /already been taken/i.test(reply.words)
      parseReply(reply, writtenSchema, asked.pullRequests)
      return true
    },
  }
}

function notesOf({ project }: GitLab, { kind, number }: DiscussionKey): string {
  return `${project}/${kind === 'pull' ? 'merge_requests' : 'issues'}/${number}/notes`
}

async function list(
  gitlab: GitLab,
  { on, since }: { readonly on: DiscussionKey; readonly since: string },
  signal: AbortSignal,
): Promise<readonly HostComment[]> {
  const found: HostComment[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { order_by: 'created_at', sort: 'desc', per_page: pageSize, page }
    const reply = await gitlab.client.ask({ method: 'GET', path: notesOf(gitlab, on), query }, signal)
    const rows = parseReply(reply, notesSchema, gitlab.asked.read)
    found.push(
      ...rows.map((row) => ({ id: String(row.id), text: bodyText(row.body), author: row.author?.username ?? null })),
    )
    if (rows.length < pageSize || (rows.at(-1)?.created_at ?? '') < since) break
  }
  return found
}
