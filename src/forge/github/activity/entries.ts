// Parses GitHub's comments, reviews, check runs and statuses. Limits texts, and replaces links that lead elsewhere.

import { z } from 'zod'
import { type Author, type Entry, entryText, hunkOf } from '../../activity/activity.ts'
import { instant, pageLink, text } from '../../reply/shapes.ts'
import type { GitHubRepository } from '../pull.ts'

const id = z.int().positive()
const link = text(2_000)
const body = text(1_000_000).nullish()
export const userSchema = z.object({ id, login: text(200).min(1), type: text(50).optional() }).nullish()
/** An App acted for the person. */
const app = z.object({ id }).nullish()
const address = text(2_000)

/** `updated_at` of lists that are ordered by it. */
export type Changed = { readonly updated_at: string }

export const commentsSchema = z.array(
  z.object({
    id,
    user: userSchema,
    body,
    created_at: instant,
    updated_at: instant,
    html_url: link,
    issue_url: address,
    performed_via_github_app: app,
  }),
)

export const lineCommentsSchema = z.array(
  z.object({
    id,
    user: userSchema,
    body,
    created_at: instant,
    updated_at: instant,
    html_url: link,
    pull_request_url: address,
    path: text(4_096),
    line: z.int().nullish(),
    original_line: z.int().nullish(),
    pull_request_review_id: id.nullish(),
  }),
)

/** Those of one review leave out where they are now. */
export const reviewCommentsSchema = z.array(
  z.object({
    id,
    user: userSchema,
    body,
    created_at: instant,
    html_url: link,
    path: text(4_096),
    line: z.int().nullish(),
    original_line: z.int().nullish(),
    diff_hunk: text(1_000_000).nullish(),
  }),
)

export const reviewsSchema = z.array(
  z.object({ id, user: userSchema, body, state: text(50), submitted_at: instant.nullish(), html_url: link }),
)

export const checksSchema = z.object({
  check_runs: z.array(
    z.object({
      id,
      name: text(1_000),
      status: text(50),
      conclusion: text(50).nullable(),
      started_at: instant.nullish(),
      completed_at: instant.nullish(),
      html_url: link.nullish(),
      app: z.object({ id, slug: text(200).optional() }).nullish(),
      output: z.object({ title: text(100_000).nullish() }).nullish(),
    }),
  ),
})

export const statusSchema = z.object({
  statuses: z.array(
    z.object({
      id,
      state: text(50),
      context: text(1_000),
      description: text(10_000).nullish(),
      created_at: instant,
      updated_at: instant,
    }),
  ),
})

export type Comment = z.infer<typeof commentsSchema>[number]
export type LineComment = z.infer<typeof lineCommentsSchema>[number]
type ReviewComment = z.infer<typeof reviewCommentsSchema>[number]
type Review = z.infer<typeof reviewsSchema>[number]
type Check = z.infer<typeof checksSchema>['check_runs'][number]
type Status = z.infer<typeof statusSchema>['statuses'][number]

const nowhere = { path: null, line: null, state: null } as const

export function fromComment(row: Comment, repository: GitHubRepository): Entry {
  const number = numberIn(row.issue_url)
  return {
    ...nowhere,
    kind: 'comment',
    forgeId: String(row.id),
    number,
    author: authorOf(row.user, row.performed_via_github_app),
    at: row.created_at,
    text: entryText(row.body),
    link: linkOf(row.html_url, repository, number),
    ...(isOnIssue(row) ? { isIssue: true } : {}),
  }
}

/** The address of its page tells: the list has those of pull requests, too. */
export function isOnIssue({ html_url: page }: Pick<Comment, 'html_url'>): boolean {
  return /\/issues\/\d+#/.test(page)
}

export function fromLineComment(row: LineComment, repository: GitHubRepository): Entry {
  const review = row.pull_request_review_id
  return {
    ...onLine(row, repository, numberIn(row.pull_request_url)),
    ...(review == null ? {} : { review: String(review) }),
  }
}

export function fromReviewComment(row: ReviewComment, repository: GitHubRepository, number: number): Entry {
  return { ...onLine(row, repository, number), ...hunkOf(row.diff_hunk) }
}

function onLine(row: LineComment | ReviewComment, repository: GitHubRepository, number: number): Entry {
  return {
    kind: 'review_comment',
    forgeId: String(row.id),
    number,
    author: authorOf(row.user),
    at: row.created_at,
    text: entryText(row.body),
    path: entryText(row.path),
    line: row.line ?? row.original_line ?? null,
    link: linkOf(row.html_url, repository, number),
    state: null,
  }
}

/** A review that its author has not sent yet is nobody else's business. */
export function fromReview(row: Review, repository: GitHubRepository, number: number): readonly Entry[] {
  if (row.submitted_at === undefined || row.submitted_at === null || row.state === 'PENDING') return []
  return [
    {
      ...nowhere,
      kind: 'review',
      forgeId: String(row.id),
      number,
      author: authorOf(row.user),
      at: row.submitted_at,
      text: entryText(row.body),
      link: linkOf(row.html_url, repository, number),
      state: row.state.toLowerCase(),
    },
  ]
}

/** One that has not begun has no time yet. */
export function fromCheck(row: Check, repository: GitHubRepository, number: number): readonly Entry[] {
  const at = row.started_at ?? row.completed_at
  if (at === undefined || at === null) return []
  const title = row.output?.title
  return [
    {
      ...nowhere,
      kind: 'check',
      forgeId: String(row.id),
      number,
      author: row.app ? { id: `app ${row.app.id}`, login: row.app.slug ?? 'app', isBot: true } : null,
      at,
      text: entryText(title ? `${row.name}: ${title}` : row.name),
      link: linkOf(row.html_url ?? '', repository, number, '/checks'),
      state: row.conclusion ?? row.status,
    },
  ]
}

export function fromStatus(row: Status, repository: GitHubRepository, number: number): Entry {
  return {
    ...nowhere,
    kind: 'status',
    forgeId: String(row.id),
    number,
    author: null,
    at: row.created_at,
    text: entryText(row.description ? `${row.context}: ${row.description}` : row.context),
    // Its own link leads to another service.
    link: linkOf('', repository, number, '/checks'),
    state: row.state,
  }
}

export function authorOf(from: z.infer<typeof userSchema>, via?: z.infer<typeof app>): Author | null {
  if (!from) return null
  return {
    id: String(from.id),
    login: entryText(from.login),
    isBot: from.type === 'Bot' || from.login.endsWith('[bot]') || Boolean(via),
  }
}

/** 0: of no pull request. */
function numberIn(address: string): number {
  return Number(/\/(?:issues|pulls)\/(\d{1,9})$/.exec(address)?.[1] ?? 0)
}

function linkOf(given: string, { webUrl, owner, name }: GitHubRepository, number: number, page = ''): string {
  const path = `${encodeURIComponent(owner)}/${encodeURIComponent(name)}/pull/${number}${page}`
  return pageLink(given, webUrl, path)
}
