// Parses GitHub's pull request. Treats the response as hostile: limits numbers and texts, and replaces a link that leads
// elsewhere with the one derived from the number.

import { z } from 'zod'
import { plainText } from '../../lib/plain-text.ts'
import { bodyText } from '../reply/shapes.ts'
import type { HostedPull, PullState } from '../host.ts'

export type GitHubRepository = {
  /** The address of the host's pages without a trailing slash, such as `https://github.com`. */
  readonly webUrl: string
  readonly owner: string
  readonly name: string
  /** `owner/name` of the fork that has the branches of jobs, if they are in one. */
  readonly fork?: string | undefined
}

export const oidSchema = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)

const time = z.iso.datetime({ offset: true }).max(40)
const text = (characters: number) => z.string().max(characters)
const repository = z.object({ id: z.int().positive(), full_name: text(300).optional() })

export const pullSchema = z.object({
  number: z.int().positive().max(2_147_483_647),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().optional(),
  merged_at: time.nullable(),
  html_url: text(2_000),
  title: text(4_000),
  body: text(1_000_000).nullable(),
  locked: z.boolean().optional(),
  base: z.object({ ref: text(1_000), repo: repository }),
  head: z.object({ ref: text(1_000), sha: oidSchema, repo: repository.nullable() }),
})

/** Only a pull request of its own is counted, not those of a list. */
export const countedPullSchema = pullSchema.extend({
  comments: z.int().nonnegative().optional(),
  review_comments: z.int().nonnegative().optional(),
})

export type GitHubPull = z.infer<typeof pullSchema>

export function toHostedPull(pull: GitHubPull, repository: GitHubRepository): HostedPull {
  return {
    number: pull.number,
    state: stateOf(pull),
    draft: pull.draft ?? false,
    mergedAt: pull.merged_at === null ? null : new Date(pull.merged_at).toISOString(),
    link: linkOf(pull, repository),
    title: plainText(pull.title),
    body: bodyText(pull.body),
    base: pull.base.ref,
    head: { branch: pull.head.ref, commit: pull.head.sha },
    isOwn: isOwn(pull, repository),
    isLocked: pull.locked ?? false,
  }
}

function isOwn({ head, base }: GitHubPull, { fork }: GitHubRepository): boolean {
  if (fork === undefined) return head.repo?.id === base.repo.id
  return head.repo?.full_name?.toLowerCase() === fork.toLowerCase()
}

function stateOf({ state, merged_at }: GitHubPull): PullState {
  if (merged_at !== null) return 'merged'
  return state
}

/** Returns GitHub's own link if it leads to the host's pages, because people click it. */
function linkOf(pull: GitHubPull, { webUrl, owner, name }: GitHubRepository): string {
  const link = URL.parse(pull.html_url)
  if (link !== null && link.origin === new URL(webUrl).origin && link.username === '') return link.href
  return `${webUrl}/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/pull/${pull.number}`
}
