// Parses GitLab's merge request. A prefix of the title marks a draft; Docent removes it.

import { z } from 'zod'
import { plainText } from '../../lib/plain-text.ts'
import type { HostedPull } from '../host.ts'
import { body, bodyText, branchName, instant, oid, pageLink, pullNumber, text, title } from '../reply/shapes.ts'
import type { ForkIds, GitLabPlace } from './gitlab.ts'

const personSchema = z.object({ id: z.int().positive(), username: text(300) })

export const mergeRequestSchema = z.object({
  iid: pullNumber,
  state: z.enum(['opened', 'closed', 'merged', 'locked']),
  draft: z.boolean().optional(),
  merged_at: instant.nullish(),
  web_url: text(2_000),
  title,
  description: body.nullable(),
  target_branch: branchName,
  source_branch: branchName,
  source_project_id: z.int().nullable(),
  target_project_id: z.int(),
  // A merge request without a change has no head.
  sha: oid.nullable(),
  discussion_locked: z.boolean().nullish(),
  user_notes_count: z.int().nonnegative().optional(),
  labels: z.array(text(1_000)).max(1_000).optional(),
  reviewers: z.array(personSchema).max(1_000).optional(),
  assignees: z.array(personSchema).max(1_000).optional(),
  milestone: z.object({ id: z.int().positive() }).nullish(),
})

export type MergeRequest = z.infer<typeof mergeRequestSchema>

const prefix = /^(?:\s*(?:draft:|\[draft\]|\(draft\)))+\s*/i

export function draftTitle(title: string, draft: boolean): string {
  return draft ? `Draft: ${title}` : title
}

export function toHostedPull(row: MergeRequest, { webUrl, path }: GitLabPlace, ids: ForkIds | undefined): HostedPull {
  return {
    number: row.iid,
    // Locked: it is being merged.
    state: row.state === 'opened' || row.state === 'locked' ? 'open' : row.state,
    draft: row.draft ?? prefix.test(row.title),
    mergedAt: row.state === 'merged' ? (row.merged_at ?? null) : null,
    link: pageLink(row.web_url, webUrl, `${path}/-/merge_requests/${row.iid}`),
    title: plainText(row.title.replace(prefix, '')),
    body: bodyText(row.description),
    base: row.target_branch,
    head: { branch: row.source_branch, commit: row.sha ?? '' },
    isOwn: row.source_project_id === (ids?.fork ?? row.target_project_id),
    isLocked: row.discussion_locked ?? false,
  }
}
