// Writes comments on pull requests of Azure DevOps, each a thread of its own, and closed: a policy may want all open ones
// resolved before a merge. Its one reaction is a like, and its work items belong to no repository. Only its author can edit a comment.

import { z } from 'zod'
import type { CommentWritten, HostComments } from '../comments/comments.ts'
import { isStatus, parseReply } from '../parse.ts'
import type { Azure } from './azure.ts'
import { addThread, editThread, readThreads } from './threads.ts'

const madeSchema = z.object({ id: z.int() })

export function createAzureComments(azure: Azure): HostComments {
  return {
    list: async ({ kind, number }, _, signal) => {
      if (kind === 'issue') return []
      const threads = await readThreads(azure, number, signal)
      return threads.map(({ thread, comment, content }) => ({
        id: `${thread}.${comment}`,
        text: content,
        author: null,
      }))
    },
    create: async ({ kind, number }, words, signal): Promise<CommentWritten> => {
      if (kind === 'issue') return { kind: 'off' }
      const reply = await addThread(azure, number, words, signal)
      if (reply.kind === 'unknown_effect') return { kind: 'unknown_effect' }
      if (isStatus(reply, 403, 404)) return { kind: 'off' }
      // Its first comment is the first of the thread.
      return { kind: 'written', id: `${parseReply(reply, madeSchema, azure.asked.pullRequests).id}.1` }
    },
    edit: async ({ kind, number }, id, words, signal) => {
      const [thread = 0, comment = 0] = id.split('.').map(Number)
      if (kind === 'issue') return false
      const reply = await editThread(azure, number, { thread, comment, content: words }, signal)
      if (isStatus(reply, 403, 404)) return false
      parseReply(reply, z.object({}), azure.asked.pullRequests)
      return true
    },
    react: async ({ kind, number, what, forgeId }, signal) => {
      if (kind === 'issue' || what === 'review') return false
      const [, thread = 0, comment = 0] = forgeId.split('.').map(Number)
      const place = `${azure.path}/pullRequests/${number}/threads/${thread}/comments/${comment}/likes`
      const reply = await azure.client.ask({ method: 'POST', path: place }, signal)
      if (isStatus(reply, 403, 404)) return false
      parseReply(reply, z.unknown(), azure.asked.pullRequests)
      return true
    },
  }
}
