// A run of an automation as responses have it. Its state is that of its job; only a run without a job has an end of its
// own.

import type { JobResponse, UsageResponse } from '../../jobs/response.ts'
import type { AutomationRunRow } from '../../postgres/schema/automations.ts'

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

export type AutomationRun = {
  readonly id: string
  readonly status: RunStatus
  readonly trigger: RunTrigger
  /** null: it started no job. */
  readonly jobId: string | null
  readonly prLink: string | null
  /** Why it failed, was skipped or capped, or changed nothing; null otherwise. */
  readonly reason: string | null
  readonly usage: UsageResponse | null
  readonly createdAt: string
  /** null: it has not ended. */
  readonly endedAt: string | null
}

/** `endedAt`: of the last run of the job. */
export type JobOfRun = { readonly job: JobResponse; readonly endedAt: Date | null }

export function toRun(row: AutomationRunRow, found: JobOfRun | undefined): AutomationRun {
  const common = { id: row.id, trigger: triggerOfRun(row), createdAt: row.created_at.toISOString() }
  if (!found) {
    const ended = { jobId: null, prLink: null, usage: null, endedAt: common.createdAt }
    return { ...common, ...ended, status: row.ended_as ?? 'failed', reason: row.reason }
  }
  const { job, endedAt } = found
  const status = statusOf(job)
  return {
    ...common,
    status,
    jobId: job.id,
    prLink: job.prLink,
    reason: reasonOf(status, job),
    usage: job.usage,
    endedAt: job.status === 'active' ? null : (endedAt?.toISOString() ?? null),
  }
}

/** People have the last word on a pull request: what became of it counts before how the last run of the job ended. */
export function statusOf({ status, phase, pullRequest, error, outcome }: JobResponse): RunStatus {
  if (status === 'active') return phase === 'queued' ? 'queued' : 'running'
  if (pullRequest?.state === 'merged') return 'accepted'
  if (pullRequest?.state === 'closed') return 'closed'
  if (error !== null) return 'failed'
  // A question waits for a person, too.
  return pullRequest !== null || outcome === 'needs_input' ? 'review_needed' : 'nothing_to_do'
}

function reasonOf(status: RunStatus, { error, outcome, result }: JobResponse): string | null {
  if (status === 'failed') return error?.message ?? null
  const isSaid = status === 'nothing_to_do' || (status === 'review_needed' && outcome === 'needs_input')
  return isSaid ? (result?.title ?? null) : null
}

function triggerOfRun({ trigger, slot, created_at: at, started_by: name, event_id: id }: AutomationRunRow): RunTrigger {
  if (trigger === 'schedule') return { type: 'schedule', slot: (slot ?? at).toISOString() }
  if (trigger === 'event') return { type: 'event', id, name }
  return { type: 'person', name: name ?? '' }
}
