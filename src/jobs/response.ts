// Converts jobs and messages to API responses: the seven fields of the contract, and the fields that Docent adds.

import type { PullState } from '../forge/host.ts'
import type { JobRow, MessageRow } from '../postgres/schema.ts'
import { type ForgeChecksResponse, toForgeChecks } from './forge-checks/show.ts'
import { type MergingResponse, toMerging } from './merging/show.ts'
import type { CheckCounts } from './review/review.ts'
import { readRunSources } from './sources/run-sources.ts'
import { type Archiver, type JobResult, type JobStatus, type Outcome, type Phase, readResult } from './job.ts'
import { type PageRead, parsePagesRead } from './pages-read.ts'

export type JobResponse = {
  readonly id: string
  readonly status: JobStatus
  readonly source: { readonly repository: string; readonly ref: string | null }
  readonly model: string
  readonly prLink: string | null
  readonly pullRequest: PullRequestResponse | null
  readonly createdAt: string
  readonly archivedAt: string | null
  readonly archivedBy: Archiver | null
  readonly updatedAt: string
  readonly phase: Phase | null
  readonly outcome: Outcome | null
  /** null while the job is active, after a failed run, and on jobs of earlier releases. */
  readonly result: JobResult | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly usage: UsageResponse
  /** null for jobs of earlier releases. */
  readonly origin: JobOrigin | null
  readonly checks: CheckCounts | null
  /** null: people merge the pull request, or nothing is known yet about its present commit. */
  readonly merging: MergingResponse | null
  readonly forgeChecks: ForgeChecksResponse | null
  /** The repositories that the last run read beside its own; empty without sources. */
  readonly sources: readonly SourceResponse[]
  /** The last pages outside of the repository that its runs requested, in order. */
  readonly pagesRead: readonly PageRead[]
}

/** `commit`: null if the source could not be read, so the run had to do without it. */
export type SourceResponse = { readonly name: string; readonly repository: string; readonly commit: string | null }

export const originKinds = ['api', 'command_line', 'person', 'comment', 'automation'] as const

/**
 * Who created a job: a key, a person in the dashboard, the command line on the machine of the service, a comment on the forge,
 * whose author is the name, or an automation.
 */
export type JobOrigin = {
  readonly kind: (typeof originKinds)[number]
  readonly name: string
  readonly link: string | null
  /** The automation, and its run that created the job; not there for other origins. */
  readonly automationId?: string | undefined
  readonly runId?: string | undefined
}

export type PullRequestResponse = {
  readonly number: number
  readonly url: string
  readonly state: PullState
  readonly draft: boolean
  readonly mergedAt: string | null
}

export type UsageResponse = {
  readonly inputTokens: number
  /** The part of the input that providers read from their caches. */
  readonly cachedInputTokens: number
  readonly outputTokens: number
  readonly costUsd: number | null
  readonly turns: number
}

/** A job for conditional requests: `version` grows with every change of the response. */
export type VersionedJob = { readonly job: JobResponse; readonly version: number }

export type MessageResponse = {
  readonly id: string
  readonly prompt: string
  readonly createdAt: string
  readonly runId: string | null
}

/** `publicUrl` has no trailing slash. A link that Docent serves itself is stored as a path, so that it can move. */
export function toVersionedJob(row: JobRow, publicUrl: string): VersionedJob {
  return { job: toJobResponse(row, publicUrl), version: row.version }
}

export function toJobResponse(row: JobRow, publicUrl: string): JobResponse {
  const pullRequest = toPullRequestResponse(row, publicUrl)
  return {
    id: row.id,
    status: row.status,
    source: { repository: row.repository, ref: row.branch },
    model: row.model,
    prLink: row.status === 'active' ? null : (pullRequest?.url ?? null),
    pullRequest,
    createdAt: row.created_at.toISOString(),
    archivedAt: row.archived_at?.toISOString() ?? null,
    archivedBy: archiverOf(row),
    updatedAt: row.updated_at.toISOString(),
    phase: row.phase,
    outcome: outcomeOf(row),
    result: resultOf(row),
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    usage: toUsage(row),
    origin: row.origin === null ? null : (JSON.parse(row.origin) as JobOrigin),
    checks: row.checks === null ? null : toCounts(row.checks),
    merging: toMerging(row),
    forgeChecks: toForgeChecks(row),
    sources: readRunSources(row.sources).map(({ name, repository, commit }) => ({ name, repository, commit })),
    pagesRead: parsePagesRead(row.pages_read).map(({ address, status, bytes }) => ({ address, status, bytes })),
  }
}

/** Returns null if the job's branch contains no change. Jobs of an earlier release do not record the state. */
function toPullRequestResponse(row: JobRow, publicUrl: string): PullRequestResponse | null {
  if (row.pull_number === null || row.pr_link === null) return null
  return {
    number: row.pull_number,
    url: row.pr_link.startsWith('/') ? `${publicUrl}${row.pr_link}` : row.pr_link,
    state: row.pull_state ?? 'open',
    draft: row.pull_draft ?? false,
    mergedAt: row.pull_merged_at?.toISOString() ?? null,
  }
}

/** How the last run ended, as long as no other one has begun or failed; otherwise the state of the branch. */
export function outcomeOf(row: JobRow): Outcome | null {
  const isOfBranch = row.outcome !== 'needs_input' && row.outcome !== 'partial'
  if (isOfBranch || hasEndedWell(row)) return row.outcome
  return row.pull_number === null ? null : 'pull_request'
}

export function resultOf(row: JobRow): JobResult | null {
  return row.result === null || !hasEndedWell(row) ? null : readResult(JSON.parse(row.result) as JobResult)
}

function hasEndedWell({ status, error_code: code }: JobRow): boolean {
  return status !== 'active' && code === null
}

/** Treats jobs that were archived before this was recorded as archived by the service. */
export function archiverOf({ status, archived_by: archivedBy }: JobRow): Archiver | null {
  return status === 'archived' ? (archivedBy ?? 'service') : null
}

type Used = Pick<JobRow, 'input_tokens' | 'cached_input_tokens' | 'output_tokens' | 'cost_usd' | 'turns'>

/** Returns the usage of a job, which is that of all its runs, or of some of them. */
export function toUsage(row: Used): UsageResponse {
  return {
    inputTokens: row.input_tokens,
    cachedInputTokens: row.cached_input_tokens,
    outputTokens: row.output_tokens,
    // Rounded, because sums of binary fractions have noise after the eighth digit.
    costUsd: row.cost_usd === null ? null : Number(row.cost_usd.toFixed(8)),
    turns: row.turns,
  }
}

export function toMessageResponse(row: MessageRow): MessageResponse {
  return {
    id: row.id,
    prompt: JSON.parse(row.prompt) as string,
    createdAt: row.created_at.toISOString(),
    runId: row.run_id,
  }
}

/** The counts of an earlier release do not say what was judged. */
function toCounts(stored: string): CheckCounts {
  return { judgedAll: false, ...(JSON.parse(stored) as Omit<CheckCounts, 'judgedAll'>) }
}
