// Reads what happens on the pull requests of one repository on Gitea or Forgejo. It finds no request unchanged, and its
// list of the repository leaves out reviews, so each look asks for the lists of the pull request.

import { z } from 'zod'
import {
  type ActivityReader,
  type Author,
  type Entry,
  entryText,
  hunkOf,
  latest,
  type Mark,
  type Marks,
  mostEntries,
  overlapping,
  type Read,
} from '../activity/activity.ts'
import { isStatus, parseReply } from '../parse.ts'
import { body, instant, pageLink, text } from '../reply/shapes.ts'
import type { Gitea } from './gitea.ts'

const pageSize = 50
const mostPages = 10
/** An edit of a comment on a line shows only in the list of its review, so the newest are read at each look. */
const mostReviews = 10

const id = z.int().positive()
export const userSchema = z.object({ id: z.int(), login: text(300).min(1) }).nullish()
const link = text(2_000).nullish()
const commentsSchema = z
  .array(
    z.object({ id, user: userSchema, body: body.nullish(), created_at: instant, updated_at: instant, html_url: link }),
  )
  .nullable()
const reviewsSchema = z
  .array(
    z.object({
      id,
      user: userSchema,
      body: body.nullish(),
      state: text(50),
      dismissed: z.boolean().optional(),
      comments_count: z.int().nonnegative().optional(),
      submitted_at: instant,
      html_url: link,
    }),
  )
  .nullable()
const lineCommentsSchema = z
  .array(
    z.object({
      id,
      user: userSchema,
      body: body.nullish(),
      created_at: instant,
      html_url: link,
      path: text(4_096),
      /** The line of the new file; 0 for a line of the old one. */
      position: z.int().nonnegative().nullish(),
      original_position: z.int().nonnegative().nullish(),
      diff_hunk: text(1_000_000).nullish(),
    }),
  )
  .nullable()
const statusSchema = z.object({
  statuses: z
    .array(
      z.object({
        id,
        status: text(50),
        context: text(1_000),
        description: text(10_000).nullish(),
        created_at: instant,
        creator: userSchema,
      }),
    )
    .nullish(),
})

type Review = NonNullable<z.infer<typeof reviewsSchema>>[number]

const nowhere = { path: null, line: null, state: null } as const

export function createGiteaActivity(gitea: Gitea): ActivityReader {
  return {
    counted: ['comment', 'review', 'review_comment'],
    ofRepository: undefined,
    ofPull: async ({ number, head }, marks, signal) => {
      const comments = await readComments(gitea, number, marks['comments'], signal)
      const reviews = await readReviews(gitea, number, signal)
      const commented = reviews.filter(hasComments).slice(-mostReviews)
      const lineComments = await readLineComments(gitea, number, commented, signal)
      const statuses = await readStatuses(gitea, { number, head }, signal)
      return {
        entries: [
          ...comments.entries,
          ...reviews.map((row) => fromReview(gitea, number, row)),
          ...lineComments,
          ...statuses.entries,
        ],
        marks: { comments: comments.mark },
        off: statuses.off,
      }
    },
    readAll: async (number, signal) => {
      const comments = await readComments(gitea, number, undefined, signal)
      const commented = (await readReviews(gitea, number, signal)).filter(hasComments)
      const lineComments = await readLineComments(gitea, number, commented, signal)
      const all = [...comments.entries, ...lineComments]
      return all.length > mostEntries ? undefined : all
    },
    readReview: (number, review, signal) => readReview(gitea, number, review, signal),
    ofIssues: (marks, signal) => readIssues(gitea, marks, signal),
    mayWrite: (author, signal) => mayWrite(gitea, author, signal),
  }
}

/** All at once: this list has no pages. */
async function readComments(gitea: Gitea, number: number, mark: Mark | undefined, signal: AbortSignal) {
  const query = mark?.since === undefined ? {} : { since: mark.since }
  const reply = await ask(gitea, `issues/${number}/comments`, query, signal)
  const rows = parseReply(reply, commentsSchema, gitea.asked.pullRequests) ?? []
  const entries = rows.map((row): Entry => ({
    ...nowhere,
    kind: 'comment',
    forgeId: String(row.id),
    number,
    author: authorOf(row.user),
    at: row.created_at,
    text: entryText(row.body),
    link: linkOf(gitea, number, row.html_url),
  }))
  const last = latest(rows.map((row) => row.updated_at))
  return { entries, mark: last === undefined ? (mark ?? {}) : { since: overlapping(last) } }
}

/** Not those that their authors have not sent yet, nor the requests for one, which Gitea lists among them. */
async function readReviews(gitea: Gitea, number: number, signal: AbortSignal): Promise<readonly Review[]> {
  const found: Review[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const reply = await ask(gitea, `pulls/${number}/reviews`, { limit: pageSize, page }, signal)
    const rows = parseReply(reply, reviewsSchema, gitea.asked.pullRequests) ?? []
    found.push(...rows)
    if (rows.length < pageSize) break
  }
  return found.filter(({ state }) => state !== 'PENDING' && state !== 'REQUEST_REVIEW')
}

function hasComments({ comments_count: count }: Review): boolean {
  return count === undefined || count > 0
}

const states: Readonly<Record<string, string>> = { REQUEST_CHANGES: 'changes_requested', COMMENT: 'commented' }

function fromReview(gitea: Gitea, number: number, row: Review): Entry {
  return {
    ...nowhere,
    kind: 'review',
    forgeId: String(row.id),
    number,
    author: authorOf(row.user),
    at: row.submitted_at,
    text: entryText(row.body),
    link: linkOf(gitea, number, row.html_url),
    state: row.dismissed === true ? 'dismissed' : (states[row.state] ?? row.state.toLowerCase()),
  }
}

async function readLineComments(
  gitea: Gitea,
  number: number,
  reviews: readonly Review[],
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const found: Entry[] = []
  for (const { id: review } of reviews) found.push(...(await readReview(gitea, number, String(review), signal)))
  return found
}

async function readReview(
  gitea: Gitea,
  number: number,
  review: string,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const reply = await ask(gitea, `pulls/${number}/reviews/${encodeURIComponent(review)}/comments`, {}, signal)
  // It was deleted meanwhile.
  if (isStatus(reply, 404)) return []
  const rows = parseReply(reply, lineCommentsSchema, gitea.asked.pullRequests) ?? []
  return rows.map((row): Entry => ({
    kind: 'review_comment',
    forgeId: String(row.id),
    number,
    author: authorOf(row.user),
    at: row.created_at,
    text: entryText(row.body),
    path: entryText(row.path),
    line: row.position || row.original_position || null,
    link: linkOf(gitea, number, row.html_url),
    state: null,
    review,
    ...hunkOf(row.diff_hunk),
  }))
}

/** The list of the repository has the comments on pull requests, too; the address of its page tells. */
async function readIssues(gitea: Gitea, marks: Marks, signal: AbortSignal): Promise<Read> {
  const before = marks['issues']?.since
  const query = { limit: pageSize, ...(before === undefined ? {} : { since: before }) }
  const found: Entry[] = []
  let last: string | undefined
  for (let page = 1; page <= mostPages; page += 1) {
    const reply = await ask(gitea, 'issues/comments', { ...query, page }, signal)
    const rows = parseReply(reply, commentsSchema, gitea.asked.pullRequests) ?? []
    last = latest([...(last === undefined ? [] : [last]), ...rows.map((row) => row.updated_at)])
    found.push(...rows.flatMap((row) => fromIssueComment(gitea, row, before)))
    if (rows.length < pageSize) break
  }
  const since = last === undefined ? before : overlapping(last)
  return { entries: found, marks: { issues: { since } }, off: [] }
}

type Comment = NonNullable<z.infer<typeof commentsSchema>>[number]

/** An older one was edited. */
function fromIssueComment(gitea: Gitea, row: Comment, since = ''): readonly Entry[] {
  const number = Number(/\/issues\/(\d{1,9})#/.exec(row.html_url ?? '')?.[1] ?? 0)
  if (number === 0 || row.created_at < since) return []
  const entry = { ...nowhere, kind: 'comment', forgeId: String(row.id), number, isIssue: true } as const
  const { place } = gitea
  const link = pageLink(row.html_url ?? '', place.webUrl, `${place.path}/issues/${number}`)
  return [{ ...entry, author: authorOf(row.user), at: row.created_at, text: entryText(row.body), link }]
}

type PullAt = { readonly number: number; readonly head: string }

async function readStatuses(gitea: Gitea, { number, head }: PullAt, signal: AbortSignal): Promise<Omit<Read, 'marks'>> {
  if (head === '') return { entries: [], off: [] }
  const reply = await ask(gitea, `commits/${head}/status`, { limit: pageSize }, signal)
  if (isStatus(reply, 403, 404)) return { entries: [], off: ['status'] }
  const rows = parseReply(reply, statusSchema, gitea.asked.read).statuses ?? []
  const entries = rows.map((row): Entry => ({
    ...nowhere,
    kind: 'status',
    forgeId: String(row.id),
    number,
    author: authorOf(row.creator),
    at: row.created_at,
    text: entryText(row.description ? `${row.context}: ${row.description}` : row.context),
    link: linkOf(gitea, number, null),
    state: row.status,
  }))
  return { entries, off: [] }
}

/** The accounts of Gitea itself, such as that of its actions, have negative ids. */
export function authorOf(given: z.infer<typeof userSchema>): Author | null {
  return given ? { id: String(given.id), login: entryText(given.login), isBot: given.id < 0 } : null
}

function linkOf({ place: { webUrl, path } }: Gitea, number: number, given: string | null | undefined): string {
  return pageLink(given ?? '', webUrl, `${path}/pulls/${number}`)
}

const permissionSchema = z.object({ permission: text(50) })

/** Older versions tell only administrators of the repository about others. */
async function mayWrite(gitea: Gitea, { login }: Author, signal: AbortSignal): Promise<boolean | null> {
  const reply = await ask(gitea, `collaborators/${encodeURIComponent(login)}/permission`, {}, signal)
  if (isStatus(reply, 404)) return false
  if (isStatus(reply, 403)) return null
  const { permission } = parseReply(reply, permissionSchema, gitea.asked.read)
  return ['owner', 'admin', 'write'].includes(permission)
}

type Query = Readonly<Record<string, string | number>>

function ask({ client, path }: Gitea, place: string, query: Query, signal: AbortSignal) {
  return client.ask({ method: 'GET', path: `${path}/${place}`, query }, signal)
}
