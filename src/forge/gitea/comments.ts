// Writes comments and reactions on Gitea or Forgejo, where every pull request is an issue, too. Comments on lines are comments
// of it as well.

import { z } from 'zod'
import type { CommentWritten, HostComments } from '../comments/comments.ts'
import { isStatus, parseReply } from '../parse.ts'
import { body, bodyText, text } from '../reply/shapes.ts'
import type { Gitea } from './gitea.ts'

const writtenSchema = z.object({ id: z.int().positive() })
const commentsSchema = z
  .array(writtenSchema.extend({ body: body.nullish(), user: z.object({ login: text(300) }).nullish() }))
  .nullable()

export function createGiteaComments({ client, path, asked }: Gitea): HostComments {
  const issues = `${path}/issues`
  return {
    /** All at once: this list has no pages. */
    list: async ({ number }, since, signal) => {
      const request = { method: 'GET', path: `${issues}/${number}/comments`, query: { since } } as const
      const rows = parseReply(await client.ask(request, signal), commentsSchema, asked.pullRequests) ?? []
      return rows.map((row) => ({ id: String(row.id), text: bodyText(row.body), author: row.user?.login ?? null }))
    },
    create: async ({ number }, words, signal): Promise<CommentWritten> => {
      const request = { method: 'POST', path: `${issues}/${number}/comments`, body: { body: words } } as const
      const reply = await client.ask(request, signal)
      if (reply.kind === 'unknown_effect') return { kind: 'unknown_effect' }
      if (isStatus(reply, 403, 404)) return { kind: 'off' }
      return { kind: 'written', id: String(parseReply(reply, writtenSchema, asked.pullRequests).id) }
    },
    edit: async (_, id, words, signal) => {
      const request = { method: 'PATCH', path: `${issues}/comments/${id}`, body: { body: words } } as const
      const reply = await client.ask(request, signal)
      if (isStatus(reply, 403, 404)) return false
      parseReply(reply, writtenSchema, asked.pullRequests)
      return true
    },
    react: async ({ what, forgeId }, signal) => {
      if (what === 'review') return false
      const request = { path: `${issues}/comments/${forgeId}/reactions`, body: { content: 'eyes' } }
      const reply = await client.ask({ method: 'POST', ...request }, signal)
      if (isStatus(reply, 403, 404)) return false
      parseReply(reply, z.object({}), asked.pullRequests)
      return true
    },
  }
}
