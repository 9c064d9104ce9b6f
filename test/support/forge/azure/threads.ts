// The comments of the loopback Azure DevOps. Only their authors may edit them.

import { type Call, textOf } from '../routes.ts'
import type { Pull, Token } from '../world.ts'
import { refuse, shapePerson } from './shapes.ts'

export type Thread = {
  readonly id: number
  status: string
  readonly author: string
  content: string
  isDeleted: boolean
}

const known = new WeakMap<Pull, Thread[]>()

/** Those of a pull request, which tests may change. */
export function commentsOf(pull: Pull): Thread[] {
  const found = known.get(pull) ?? []
  known.set(pull, found)
  return found
}

export function threadsOf(pull: Pull) {
  return commentsOf(pull).map(shapeThread)
}

export function addThread(pull: Pull, { body }: Call, token: Token) {
  const [first] = (body['comments'] ?? []) as readonly { readonly content?: unknown }[]
  const content = textOf(first?.content)
  if (content === '' || content.length > 150_000) throw refuse(400, 'The comment content is not valid.')
  const all = commentsOf(pull)
  const thread = {
    id: 100 + all.length,
    status: textOf(body['status']),
    author: token.login,
    content,
    isDeleted: false,
  }
  all.push(thread)
  return shapeThread(thread)
}

export function editComment(pull: Pull, { params, body }: Call, token: Token) {
  const thread = commentsOf(pull).find(({ id }) => id === Number(params['threadId']))
  if (!thread || params['commentId'] !== '1') throw refuse(404, 'TF401186: The comment was not found.')
  if (thread.author !== token.login) throw refuse(403, 'TF401387: Only the author of a comment can edit it.')
  thread.content = textOf(body['content'])
  return shapeComment(thread)
}

function shapeThread(thread: Thread) {
  const { id, status, isDeleted } = thread
  return { id, status, isDeleted, comments: [shapeComment(thread)] }
}

/** The content of a deleted one is gone. */
function shapeComment({ author, content, isDeleted }: Thread) {
  const shown = isDeleted ? {} : { content }
  return { id: 1, parentCommentId: 0, author: shapePerson(author), commentType: 'text', isDeleted, ...shown }
}
