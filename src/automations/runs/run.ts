// A run of an automation as responses have it. Only a run without a job has an end of its own.

import type { JobResponse, UsageResponse } from '../../jobs/response.ts'
import type { AutomationRunRow } from '../../postgres/schema/automations.ts'
import type { CommitRange } from '../../jobs/appends/contribution.ts'
import type { RunState } from './states.ts'

export const runStatuses = [
  'queued',
  'running',
  'review_needed',
  'accepted',
  'closed',
  'failed',
  'nothing_to_do',
  'skipped',
  'capped',
] as const
export type RunStatus = (typeof runStatuses)[number]

/** `slot`: the time that the schedule names. `name`: of the person or key; null for a signed event. `id`: as the sender gave it. */
export type RunTrigger =
  | { readonly type: 'schedule'; readonly slot: string }
  | { readonly type: 'event'; readonly id: string | null; readonly name: string | null }
  | { readonly type: 'person'; readonly name: string }
  | { readonly type: 'docs' | 'code' }

export type AutomationRun = {
  readonly id: string
  readonly status: RunStatus
  readonly trigger: RunTrigger
  /** The commits that it was given, if it follows a branch. */
  readonly ranges: readonly CommitRange[]
  /** null: it waits, or started no job. */
  readonly jobId: string | null
  readonly prLink: string | null
  /** Why it failed, was skipped or capped, changed nothing, or waits although the service is to merge it; null otherwise. */
  readonly reason: string | null
  readonly usage: UsageResponse | null
  /** How many pages it was given because readers fail on them. */
  readonly givenPages: number
  readonly createdAt: string
  /** null: it has not ended. */
  readonly endedAt: string | null
}

export type JobOfRun = { readonly job: JobResponse; readonly state: RunState }

export function toRun(row: AutomationRunRow, found: JobOfRun | undefined, givenPages: number): AutomationRun {
  const { id, created_at: at, ended_as: ended, settled_at: settledAt, reason } = row
  const ranges = JSON.parse(row.ranges) as readonly CommitRange[]
  const common = { id, trigger: triggerOfRun(row), ranges, givenPages, createdAt: at.toISOString() }
  if (!found) {
    const usage = row.usage === null ? null : (JSON.parse(row.usage) as UsageResponse)
    const none = { jobId: null, prLink: null, usage, endedAt: settledAt?.toISOString() ?? null }
    // Without an end, it waits for the run before it.
    return { ...common, ...none, status: ended ?? 'queued', reason }
  }
  const { job, state } = found
  const status = statusOf(found)
  return {
    ...common,
    status,
    jobId: job.id,
    prLink: state.kind === 'pull_request' ? (job.pullRequest?.url ?? null) : null,
    reason: reasonOf(status, found) ?? state.because,
    usage: state.usage,
    endedAt: 'endedAt' in state ? (state.endedAt?.toISOString() ?? null) : null,
  }
}

/** People have the last word on a pull request. */
function statusOf({ job: { pullRequest }, state: { kind } }: JobOfRun): RunStatus {
  // A question waits for a person, too.
  if (kind === 'needs_input') return pullRequest?.state === 'closed' ? 'closed' : 'review_needed'
  if (kind !== 'pull_request') return kind === 'no_changes' ? 'nothing_to_do' : kind
  // A person may have taken the change back from the branch.
  return pullRequest === null ? 'nothing_to_do' : ofPull[pullRequest.state]
}

const ofPull = { open: 'review_needed', merged: 'accepted', closed: 'closed' } as const

function reasonOf(status: RunStatus, { job: { merging }, state }: JobOfRun): string | null {
  if (state.kind === 'failed') return state.message
  if (status === 'review_needed' && state.kind === 'pull_request' && merging?.state === 'waiting') {
    return merging.obstacles.map(({ message }) => message).join(' ')
  }
  const isSaid = status === 'nothing_to_do' || (status === 'review_needed' && state.kind === 'needs_input')
  return isSaid && 'said' in state ? state.said : null
}

function triggerOfRun({ trigger, slot, created_at: at, started_by: name, event_id: id }: AutomationRunRow): RunTrigger {
  if (trigger === 'schedule') return { type: 'schedule', slot: (slot ?? at).toISOString() }
  if (trigger === 'event') return { type: 'event', id, name }
  return trigger === 'person' ? { type: trigger, name: name ?? '' } : { type: trigger }
}
