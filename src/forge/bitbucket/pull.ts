// Parses Bitbucket's pull request. Its commits have only the first 12 digits, and no field says when it was merged.

import { z } from 'zod'
import { plainText } from '../../lib/plain-text.ts'
import type { HostedPull } from '../host.ts'
import { body, bodyText, branchName, instant, pageLink, pullNumber, text, title } from '../reply/shapes.ts'
import type { BitbucketPlace } from './bitbucket.ts'

const endSchema = z.object({
  branch: z.object({ name: branchName }),
  commit: z.object({ hash: z.string().regex(/^[0-9a-f]{7,64}$/) }).nullish(),
  /** null: a fork that was deleted. */
  repository: z.object({ full_name: text(500) }).nullish(),
})

/** A person, or the token of a repository. */
export const accountSchema = z.object({
  uuid: text(100).nullish(),
  nickname: text(300).nullish(),
  display_name: text(300).nullish(),
  type: text(50).nullish(),
})

export const pullSchema = z.object({
  id: pullNumber,
  state: z.enum(['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED']),
  draft: z.boolean().optional(),
  title,
  description: body.nullish(),
  updated_on: instant,
  links: z.object({ html: z.object({ href: text(2_000) }) }),
  source: endSchema,
  destination: endSchema,
  /** Lists leave them out. */
  reviewers: z
    .array(z.object({ uuid: text(100) }))
    .max(1_000)
    .optional(),
  /** Lists leave them out. */
  participants: z
    .array(
      z.object({
        user: accountSchema.nullish(),
        /** Null: no opinion. */
        state: text(50).nullish(),
        participated_on: instant.nullish(),
      }),
    )
    .max(1_000)
    .optional(),
})

export type BitbucketPull = z.infer<typeof pullSchema>

/** The head has the first digits of its commit only: see `readHead`. */
export function toHostedPull(row: BitbucketPull, { webUrl, path }: BitbucketPlace): HostedPull {
  const isMerged = row.state === 'MERGED'
  return {
    number: row.id,
    // Declined and superseded ones cannot be opened again.
    state: row.state === 'OPEN' ? 'open' : isMerged ? 'merged' : 'closed',
    draft: row.draft ?? false,
    // The merge is its last change, unless somebody has commented on it since.
    mergedAt: isMerged ? row.updated_on : null,
    link: pageLink(row.links.html.href, webUrl, `${path}/pull-requests/${row.id}`),
    title: plainText(row.title),
    body: bodyText(row.description),
    base: row.destination.branch.name,
    head: { branch: row.source.branch.name, commit: row.source.commit?.hash ?? '' },
    isOwn: row.source.repository?.full_name === row.destination.repository?.full_name,
    isLocked: false,
  }
}
