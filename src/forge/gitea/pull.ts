// Parses Gitea's pull request. A prefix of the title marks a draft; Docent removes it. A host may have other prefixes.

import { z } from 'zod'
import { plainText } from '../../lib/plain-text.ts'
import type { HostedPull } from '../host.ts'
import { body, bodyText, branchName, instant, oid, pageLink, pullNumber, text, title } from '../reply/shapes.ts'
import type { GiteaPlace } from './gitea.ts'

export const pullSchema = z.object({
  number: pullNumber,
  state: z.enum(['open', 'closed']),
  draft: z.boolean().optional(),
  merged: z.boolean(),
  merged_at: instant.nullish(),
  html_url: text(2_000),
  title,
  body: body.nullish(),
  is_locked: z.boolean().optional(),
  comments: z.int().nonnegative().optional(),
  review_comments: z.int().nonnegative().optional(),
  base: z.object({ ref: branchName, repo_id: z.int() }),
  head: z.object({
    ref: branchName,
    label: branchName,
    repo_id: z.int(),
    repo: z.object({ full_name: text(500) }).nullish(),
    sha: oid.or(z.literal('')),
  }),
})

type GiteaPull = z.infer<typeof pullSchema>

const prefix = /^(?:\s*(?:wip:|\[wip\]))+\s*/i

export function draftTitle(title: string, draft: boolean): string {
  return draft ? `WIP: ${title}` : title
}

export function toHostedPull(row: GiteaPull, { webUrl, path, fork }: GiteaPlace): HostedPull {
  return {
    number: row.number,
    state: row.merged ? 'merged' : row.state,
    draft: row.draft ?? prefix.test(row.title),
    mergedAt: row.merged ? (row.merged_at ?? null) : null,
    link: pageLink(row.html_url, webUrl, `${path}/pulls/${row.number}`),
    title: plainText(row.title.replace(prefix, '')),
    body: bodyText(row.body),
    base: row.base.ref,
    head: { branch: branchOf(row.head), commit: row.state === 'open' || isFrozen(row.head) ? row.head.sha : '' },
    isOwn: isOwn(row, fork),
    isLocked: row.is_locked ?? false,
  }
}

function isOwn({ head, base }: GiteaPull, fork: string | undefined): boolean {
  if (fork === undefined) return head.repo_id === base.repo_id
  return head.repo?.full_name.toLowerCase() === fork.toLowerCase()
}

/** After a merge the branch is often deleted, and `ref` is then a ref of the pull request. */
function branchOf(head: GiteaPull['head']): string {
  return isFrozen(head) ? head.label : head.ref
}

/** As long as the branch is there, `sha` is its head, also when the pull request ended with another one. */
function isFrozen({ ref }: GiteaPull['head']): boolean {
  return ref.startsWith('refs/pull/')
}
