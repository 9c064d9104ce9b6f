// The response for a pull request, in the API and on the page of Docent's own.

import type { FileDiff } from '../../git/types.ts'
import type { PullForge } from '../forge.ts'
import type { PullRow } from '../../postgres/schema.ts'

export type PullResponse = {
  readonly number: number
  readonly forge: PullForge
  readonly jobId: string
  readonly title: string
  /** Markdown. Begins with `note`, if there is one. */
  readonly body: string
  /** The words of the service that a reviewer must read first, never those of a model; empty without any. */
  readonly note: string
  readonly draft: boolean
  readonly branch: string
  readonly base: string
  readonly state: 'open' | 'merged' | 'closed'
  /** The page of the pull request. Anyone with the link can read Docent's own. */
  readonly link: string
  readonly headCommit: string
  readonly mergeCommit: string | null
  /** Null: it is not merged, or its forge did not say when. */
  readonly mergedAt: string | null
  /** When the forge last reported the state, and why a later check failed. Both are null for Docent's own. */
  readonly checkedAt: string | null
  readonly checkError: { readonly code: string; readonly message: string } | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** How far the branch of an open pull request is behind its base. */
export type Behind = {
  /** Number of commits on the base that are missing on the branch. */
  readonly commits: number
  /** Files in which branch and base conflict; empty: they can be merged. */
  readonly conflicts: readonly string[]
  readonly checkedAt: string
}

/** `behind` is null if the pull request has ended, or if the repository does not respond. */
export type PullNow = PullResponse & { readonly behind: Behind | null }

/** The content of the page, without `behind`. */
export type PullPage = {
  readonly pull: PullResponse
  readonly projectId: string
  readonly project: string
  /** Markdown: the note and the facts are of the service; the text is of the agent, after the first facts. Any may be empty. */
  readonly note: string
  readonly text: string
  readonly facts: string
  readonly files: readonly FileDiff[]
}

export function pullPath(token: string): string {
  return `/pulls/${token}`
}

/** One of Docent's own is a draft as long as a reviewer must know something first. */
export function isDraft({ state, note }: Pick<PullRow, 'state' | 'note'>): boolean {
  return state === 'open' && note !== ''
}

/** One that has ended no longer changes, so its last change is the merge. */
export function mergeTimeOf({ state, updated_at: at }: Pick<PullRow, 'state' | 'updated_at'>): string | null {
  return state === 'merged' ? at.toISOString() : null
}

export function toPullResponse(row: PullRow, publicUrl: string): PullResponse {
  return {
    number: row.number,
    forge: 'docent',
    jobId: row.job_id,
    title: row.title,
    body: row.body,
    note: row.note,
    draft: isDraft(row),
    branch: row.branch,
    base: row.base,
    state: row.state,
    link: `${publicUrl}${pullPath(row.token)}`,
    headCommit: row.head_commit,
    mergeCommit: row.merge_commit,
    mergedAt: mergeTimeOf(row),
    checkedAt: null,
    checkError: null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
