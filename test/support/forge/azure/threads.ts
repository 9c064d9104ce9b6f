// The comments of the loopback Azure DevOps. Only their authors may edit them.

import { type Call, textOf } from '../routes.ts'
import type { Remark } from '../remarks.ts'
import type { Pull, Token, World } from '../world.ts'
import { idOf, precise, refuse, shapePerson } from './shapes.ts'

export type Thread = {
  readonly id: number
  status: string
  readonly author: string
  content: string
  isDeleted: boolean
  readonly createdAt?: string
}

const known = new WeakMap<Pull, Thread[]>()

/** Those of a pull request, which tests may change. */
export function commentsOf(pull: Pull): Thread[] {
  const found = known.get(pull) ?? []
  known.set(pull, found)
  return found
}

/** All of them: the service's, and those of people and reviews. */
export function threadsOf({ remarks }: World, pull: Pull) {
  const ofPeople = [...remarks.all, ...remarks.removed].filter(({ number }) => number === pull.number)
  const shown = ofPeople.map((row) => (row.kind === 'review' ? shapeVote(row) : shapeRemark(row, remarks.removed)))
  return [...commentsOf(pull).map(shapeThread), ...shown]
}

function shapeRemark(row: Remark, removed: readonly Remark[]) {
  const { id, kind, text, login, isResolved, createdAt, updatedAt, path, line } = row
  const isDeleted = removed.includes(row)
  const position = { line, offset: 1 }
  return {
    id,
    publishedDate: precise(createdAt),
    lastUpdatedDate: precise(updatedAt),
    status: isResolved ? 'fixed' : 'active',
    isDeleted,
    threadContext:
      kind === 'line' ? { filePath: `/${path}`, rightFileStart: position, rightFileEnd: position } : undefined,
    comments: [
      {
        id: 1,
        parentCommentId: 0,
        author: shapePerson(login),
        commentType: 'text',
        isDeleted,
        publishedDate: precise(createdAt),
        lastUpdatedDate: precise(updatedAt),
        ...(isDeleted ? {} : { content: text }),
      },
    ],
  }
}

const votes: Readonly<Record<string, string>> = { APPROVED: '10', CHANGES_REQUESTED: '-5' }

/** A review has no words there: its author votes, and comments on lines. */
function shapeVote({ id, login, state, createdAt }: Remark) {
  const text = ($value: string) => ({ $type: 'System.String', $value })
  const vote = votes[state]
  const update = vote && { CodeReviewVoteResult: text(vote), CodeReviewVotedByIdentity: text('1') }
  return {
    id,
    isDeleted: false,
    properties: { CodeReviewThreadType: text(vote ? 'VoteUpdate' : 'RefUpdate'), ...update },
    identities: { 1: shapePerson(login) },
    comments: [
      {
        id: 1,
        parentCommentId: 0,
        author: { id: idOf('service'), displayName: 'Microsoft.VisualStudio.Services.TFS' },
        content: `${login} voted ${vote ?? 0}`,
        commentType: 'system',
        publishedDate: precise(createdAt),
      },
    ],
  }
}

export function likeComment({ remarks }: World, { params }: Call, token: Token) {
  const id = Number(params['threadId'])
  if (remarks.all.some((one) => one.id === id)) remarks.react(id, `like ${token.login}`)
}

export function addThread(world: World, pull: Pull, { body }: Call, token: Token) {
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
    createdAt: world.date(),
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
function shapeComment({ author, content, isDeleted, createdAt = '2026-01-01T00:00:00Z' }: Thread) {
  const shown = isDeleted ? {} : { content }
  const publishedDate = precise(createdAt)
  const common = { id: 1, parentCommentId: 0, author: shapePerson(author), commentType: 'text' }
  return { ...common, publishedDate, isDeleted, ...shown }
}
