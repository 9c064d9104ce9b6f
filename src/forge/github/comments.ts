// Writes comments and reactions on GitHub, where every pull request is an issue, too.

import { z } from 'zod'
import type { CommentWritten, HostComment, HostComments, Reacted } from '../comments/comments.ts'
import type { DiscussionKey } from '../discussion/discussion.ts'
import { isStatus, parseReply } from '../parse.ts'
import { bodyText, body, text } from '../reply/shapes.ts'
import type { GitHub } from './github.ts'

const pageSize = 100
const mostPages = 5

const writtenSchema = z.object({ id: z.int().positive() })
const commentsSchema = z.array(
  writtenSchema.extend({ body: body.nullish(), user: z.object({ login: text(200) }).nullish() }),
)

export function createGitHubComments(github: GitHub): HostComments {
  const issues = `${github.path}/issues`
  return {
    list: (on, since, signal) => list(github, { on, since }, signal),
    create: async ({ number }, words, signal): Promise<CommentWritten> => {
      const request = { method: 'POST', path: `${issues}/${number}/comments`, body: { body: words } } as const
      const reply = await github.client.ask(request, signal)
      if (reply.kind === 'unknown_effect') return { kind: 'unknown_effect' }
      // 410: the repository has no issues. 403 is also a pull request that is locked.
      if (isStatus(reply, 403, 404, 410)) return { kind: 'off' }
      return { kind: 'written', id: String(parseReply(reply, writtenSchema, github.asked.pullRequests).id) }
    },
    edit: async (_, id, words, signal) => {
      const request = { method: 'PATCH', path: `${issues}/comments/${id}`, body: { body: words } } as const
      const reply = await github.client.ask(request, signal)
      if (isStatus(reply, 403, 404, 410)) return false
      parseReply(reply, writtenSchema, github.asked.pullRequests)
      return true
    },
    react: (to, signal) => react(github, to, signal),
  }
}

async function list(
  { client, path, asked }: GitHub,
  { on, since }: { readonly on: DiscussionKey; readonly since: string },
  signal: AbortSignal,
): Promise<readonly HostComment[]> {
  const found: HostComment[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { since, per_page: pageSize, page }
    const reply = await client.ask({ method: 'GET', path: `${path}/issues/${on.number}/comments`, query }, signal)
    const rows = parseReply(reply, commentsSchema, asked.pullRequests)
    found.push(
      ...rows.map((row) => ({ id: String(row.id), text: bodyText(row.body), author: row.user?.login ?? null })),
    )
    if (rows.length < pageSize) break
  }
  return found
}

/** GitHub has reactions to comments, and no reactions to reviews. */
async function react(
  { client, path, asked }: GitHub,
  { what, forgeId }: Reacted,
  signal: AbortSignal,
): Promise<boolean> {
  if (what === 'review') return false
  const place = what === 'comment' ? 'issues' : 'pulls'
  const request = { path: `${path}/${place}/comments/${forgeId}/reactions`, body: { content: 'eyes' } }
  const reply = await client.ask({ method: 'POST', ...request }, signal)
  if (isStatus(reply, 403, 404, 410, 422)) return false
  parseReply(reply, writtenSchema, asked.pullRequests)
  return true
}
