// Parses Azure DevOps' pull request.

import { z } from 'zod'
import { plainText } from '../../lib/plain-text.ts'
import type { HostedPull } from '../host.ts'
import { body, bodyText, branchName, instant, oid, pullNumber, text, title } from '../reply/shapes.ts'
import { type AzurePlace, branchOf } from './azure.ts'

export const pullSchema = z.object({
  pullRequestId: pullNumber,
  status: z.enum(['active', 'abandoned', 'completed']),
  isDraft: z.boolean().optional(),
  title,
  /** Missing when it is empty. Lists cut it after 400 characters. */
  description: body.nullish(),
  closedDate: instant.nullish(),
  sourceRefName: branchName,
  targetRefName: branchName,
  lastMergeSourceCommit: z.object({ commitId: oid }).nullish(),
  /** Only when it is from a fork. */
  forkSource: z.object({}).nullish(),
  reviewers: z
    .array(z.object({ id: text(100) }))
    .max(1_000)
    .optional(),
})

export type AzurePull = z.infer<typeof pullSchema>

const states = { active: 'open', abandoned: 'closed', completed: 'merged' } as const

/** `body`: without what is in the comment of the facts. */
export function toHostedPull(row: AzurePull, { webUrl, path }: AzurePlace): HostedPull {
  const state = states[row.status]
  return {
    number: row.pullRequestId,
    state,
    draft: row.isDraft ?? false,
    mergedAt: state === 'merged' ? (row.closedDate ?? null) : null,
    link: `${webUrl}/${path}/pullrequest/${row.pullRequestId}`,
    title: plainText(row.title),
    body: bodyText(row.description),
    base: branchOf(row.targetRefName),
    head: { branch: branchOf(row.sourceRefName), commit: row.lastMergeSourceCommit?.commitId ?? '' },
    isOwn: row.forkSource == null,
    isLocked: false,
  }
}
