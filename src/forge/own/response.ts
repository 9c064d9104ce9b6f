// The response for a pull request, in the API and on the page of Docent's own.

import type { FileDiff } from '../../git/types.ts'
import type { PullForge } from '../forge.ts'
import type { PullRow } from '../../postgres/schema.ts'

export type PullResponse = {
  readonly number: number
  readonly forge: PullForge
  readonly jobId: string
  readonly title: string
  readonly body: string
  readonly branch: string
  readonly base: string
  readonly state: 'open' | 'merged' | 'closed'
  /** The page of the pull request. Anyone with the link can read Docent's own. */
  readonly link: string
  readonly headCommit: string
  readonly mergeCommit: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The content of the page. */
export type PullPage = { readonly pull: PullResponse; readonly project: string; readonly files: readonly FileDiff[] }

export function pullPath(token: string): string {
  return `/pulls/${token}`
}

export function toPullResponse(row: PullRow, publicUrl: string): PullResponse {
  return {
    number: row.number,
    forge: 'docent',
    jobId: row.job_id,
    title: row.title,
    body: row.body,
    branch: row.branch,
    base: row.base,
    state: row.state,
    link: `${publicUrl}${pullPath(row.token)}`,
    headCommit: row.head_commit,
    mergeCommit: row.merge_commit,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
