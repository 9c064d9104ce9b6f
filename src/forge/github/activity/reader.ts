// Reads what happens on the pull requests of one repository on GitHub. Comments come from two lists of the whole
// repository; reviews, checks and statuses from lists of a pull request. Each request is conditional, because GitHub does
// not count the responses 304.

import { z } from 'zod'
import { type ActivityReader, type Author, type Entry, type EntryKind, latest } from '../../activity/activity.ts'
import { type Mark, type Marks, mostEntries, overlapping, type Read } from '../../activity/activity.ts'
import { isStatus, parseReply } from '../../parse.ts'
import type { GitHub } from '../github.ts'
import {
  type Changed,
  checksSchema,
  type Comment,
  commentsSchema,
  fromCheck,
  fromComment,
  fromLineComment,
  fromReview,
  fromReviewComment,
  fromStatus,
  isOnIssue,
  type LineComment,
  lineCommentsSchema,
  reviewCommentsSchema,
  reviewsSchema,
  statusSchema,
} from './entries.ts'

/** A comment has at most 262,144 bytes: so many always fit into a response that the client takes. */
const pageSize = 30
/** A flood is read in parts: the rest at the next look. */
const mostPages = 10

export function createGitHubActivity(github: GitHub): ActivityReader {
  return {
    counted: ['comment', 'review_comment'],
    ofRepository: (marks, signal) => readRepository(github, marks, signal),
    ofPull: (pull, marks, signal) => readPull(github, pull, marks, signal),
    readAll: (number, signal) => readAll(github, number, signal),
    readReview: async (number, id, signal) => {
      const place = `pulls/${number}/reviews/${encodeURIComponent(id)}/comments`
      const rows = (await readWhole(github, place, reviewCommentsSchema, signal)) ?? []
      return rows.map((row) => fromReviewComment(row, github.repository, number))
    },
    mayWrite: (author, signal) => mayWrite(github, author, signal),
  }
}

type List<T> = {
  readonly name: string
  readonly schema: z.ZodType<readonly T[]>
  readonly toEntries: (row: T) => readonly Entry[]
}

async function readRepository(github: GitHub, marks: Marks, signal: AbortSignal): Promise<Read> {
  const { repository } = github
  const since = marks['issues/comments']?.since ?? ''
  const comments: List<Comment> = {
    name: 'issues/comments',
    schema: commentsSchema,
    // An older one on an issue was edited.
    toEntries: (row) => (isOnIssue(row) && row.created_at < since ? [] : [fromComment(row, repository)]),
  }
  const lineComments: List<LineComment> = {
    name: 'pulls/comments',
    schema: lineCommentsSchema,
    toEntries: (row) => [fromLineComment(row, repository)],
  }
  const one = await readChanges(github, comments, marks[comments.name], signal)
  const other = await readChanges(github, lineComments, marks[lineComments.name], signal)
  return {
    entries: [...one.entries, ...other.entries],
    marks: { [comments.name]: one.mark, [lineComments.name]: other.mark },
    off: [],
  }
}

/**
 * The list is ordered by the time of the last change, and a change moves a comment to its end. So the next page is the
 * first one since the last comment that was read: with numbers of pages, a comment could slip to a page that was read.
 */
async function readChanges<T extends Changed>(
  github: GitHub,
  list: List<T>,
  mark: Mark | undefined,
  signal: AbortSignal,
): Promise<{ readonly entries: readonly Entry[]; readonly mark: Mark }> {
  if (mark?.since === undefined) return { entries: [], mark: { since: await readStart(github, list, signal) } }
  const found: T[] = []
  let since = mark.since
  let page = 1
  for (let pages = 1; ; pages += 1) {
    const query = { since, sort: 'updated', direction: 'asc', per_page: pageSize, page }
    const reply = await ask(github, { path: list.name, query, etag: pages === 1 ? mark.etag : undefined }, signal)
    if (pages === 1 && isStatus(reply, 304)) return { entries: [], mark }
    const rows = parseReply(reply, list.schema, github.asked.pullRequests)
    found.push(...rows)
    const last = rows.at(-1)
    if (rows.length < pageSize || last === undefined) {
      const reached = latest(found.map((row) => row.updated_at))
      const next = later(reached === undefined ? since : overlapping(reached), mark.since)
      // The ETag is that of this very request, which the next look repeats if nothing is newer.
      const etag = pages === 1 && next === mark.since && reply.kind === 'response' ? reply.etag : null
      return { entries: found.flatMap(list.toEntries), mark: { since: next, etag: etag ?? undefined } }
    }
    const reached = toSecond(last.updated_at)
    page = reached === since ? page + 1 : 1
    since = reached
    if (pages === mostPages) return { entries: found.flatMap(list.toEntries), mark: { since } }
  }
}

/** The first look reads all comments of its pull requests, so the list begins at what is newest in it now. */
async function readStart<T extends Changed>(github: GitHub, list: List<T>, signal: AbortSignal): Promise<string> {
  const query = { sort: 'updated', direction: 'desc', per_page: 1 }
  const reply = await ask(github, { path: list.name, query }, signal)
  const [newest] = parseReply(reply, list.schema, github.asked.pullRequests)
  return newest ? overlapping(newest.updated_at) : '1970-01-01T00:00:00Z'
}

function toSecond(at: string): string {
  return at.replace(/\.\d+/, '')
}

function later(one: string, other: string): string {
  return one > other ? one : other
}

type PullAt = { readonly number: number; readonly head: string }

async function readPull(github: GitHub, pull: PullAt, marks: Marks, signal: AbortSignal): Promise<Read> {
  const { repository } = github
  const { number, head } = pull
  const parts: Part[] = [
    await readReviews(github, number, marks['reviews'], signal),
    await readPart(github, { name: 'checks', kind: 'check', path: `commits/${head}/check-runs` }, marks, {
      schema: checksSchema,
      toEntries: ({ check_runs: rows }) => rows.flatMap((row) => fromCheck(row, repository, number)),
      signal,
    }),
    await readPart(github, { name: 'statuses', kind: 'status', path: `commits/${head}/status` }, marks, {
      schema: statusSchema,
      toEntries: ({ statuses: rows }) => rows.map((row) => fromStatus(row, repository, number)),
      signal,
    }),
  ]
  return {
    entries: parts.flatMap(({ entries }) => entries),
    marks: Object.fromEntries(parts.map(({ name, mark }) => [name, mark])),
    off: parts.flatMap(({ off }) => (off === undefined ? [] : [off])),
  }
}

type Part = {
  readonly name: string
  readonly entries: readonly Entry[]
  readonly mark: Mark
  readonly off?: EntryKind
}
type PartList = { readonly name: string; readonly kind: EntryKind; readonly path: string }
type Reading<T> = {
  readonly schema: z.ZodType<T>
  readonly toEntries: (value: T) => readonly Entry[]
  readonly signal: AbortSignal
}

/** The first page has the newest. `since` of the mark is the path: an ETag is that of one address. */
async function readPart<T>(github: GitHub, list: PartList, marks: Marks, reading: Reading<T>): Promise<Part> {
  const { name, kind, path } = list
  const before = marks[name]
  const etag = before?.since === path ? before.etag : undefined
  const reply = await ask(github, { path, query: { per_page: pageSize }, etag }, reading.signal)
  if (isStatus(reply, 304)) return { name, entries: [], mark: before ?? {} }
  // The credential lacks a permission that only this list needs; 422: the commit is gone.
  if (isStatus(reply, 403, 404)) return { name, entries: [], mark: {}, off: kind }
  if (isStatus(reply, 422)) return { name, entries: [], mark: {} }
  const value = parseReply(reply, reading.schema, github.asked.read)
  const mark = { since: path, etag: reply.kind === 'response' ? (reply.etag ?? undefined) : undefined }
  return { name, entries: reading.toEntries(value), mark }
}

/** The oldest first, so all pages are read. One page is the rule, and only that is asked for conditionally. */
async function readReviews(github: GitHub, number: number, mark: Mark | undefined, signal: AbortSignal): Promise<Part> {
  const name = 'reviews'
  const entries: Entry[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const etag = page === 1 ? mark?.etag : undefined
    const reply = await ask(
      github,
      { path: `pulls/${number}/reviews`, query: { per_page: pageSize, page }, etag },
      signal,
    )
    if (isStatus(reply, 304)) return { name, entries: [], mark: mark ?? {} }
    const rows = parseReply(reply, reviewsSchema, github.asked.pullRequests)
    entries.push(...rows.flatMap((row) => fromReview(row, github.repository, number)))
    if (rows.length === pageSize) continue
    const first = page === 1 && reply.kind === 'response' ? (reply.etag ?? undefined) : undefined
    return { name, entries, mark: { etag: first } }
  }
  return { name, entries, mark: {} }
}

async function readAll(github: GitHub, number: number, signal: AbortSignal): Promise<readonly Entry[] | undefined> {
  const { repository } = github
  const comments = await readWhole(github, `issues/${number}/comments`, commentsSchema, signal)
  const lineComments = comments && (await readWhole(github, `pulls/${number}/comments`, lineCommentsSchema, signal))
  return (
    lineComments && [
      ...comments.map((row) => fromComment(row, repository)),
      ...lineComments.map((row) => fromLineComment(row, repository)),
    ]
  )
}

async function readWhole<T>(
  github: GitHub,
  path: string,
  schema: z.ZodType<readonly T[]>,
  signal: AbortSignal,
): Promise<readonly T[] | undefined> {
  const found: T[] = []
  for (let page = 1; page <= mostEntries / pageSize; page += 1) {
    const reply = await ask(github, { path, query: { per_page: pageSize, page } }, signal)
    const rows = parseReply(reply, schema, github.asked.pullRequests)
    found.push(...rows)
    if (rows.length < pageSize) return found
  }
  return undefined
}

const permissionSchema = z.object({ permission: z.string().max(50) })

/** GitHub calls the role `maintain` write here. It says 404 to an account that does not exist. */
async function mayWrite(github: GitHub, { login }: Author, signal: AbortSignal): Promise<boolean | null> {
  const reply = await ask(github, { path: `collaborators/${encodeURIComponent(login)}/permission` }, signal)
  if (isStatus(reply, 404)) return false
  if (isStatus(reply, 403)) return null
  return ['admin', 'write'].includes(parseReply(reply, permissionSchema, github.asked.read).permission)
}

type Query = Readonly<Record<string, string | number>>

type Asking = { readonly path: string; readonly query?: Query; readonly etag?: string | undefined }

function ask({ client, path: repository }: GitHub, { path, query = {}, etag }: Asking, signal: AbortSignal) {
  return client.ask({ method: 'GET', path: `${repository}/${path}`, query, etag: etag ?? null }, signal)
}
