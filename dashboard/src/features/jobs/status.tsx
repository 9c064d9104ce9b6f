// The state of a job in words.

import type { Job } from '../../api/jobs.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const phases: Readonly<Record<NonNullable<Job['phase']>, string>> = {
  queued: 'Queued',
  preparing: 'Preparing',
  editing: 'Editing',
  checking: 'Checking',
  publishing: 'Publishing',
}

export function statusOf(job: Job): { readonly words: string; readonly tone: Tone } {
  if (job.status === 'active') return { words: job.phase === null ? 'Active' : phases[job.phase], tone: 'accent' }
  if (job.status === 'archived') return { words: 'Archived', tone: 'neutral' }
  if (job.status === 'failed')
    return job.error?.code === 'cancelled' ? { words: 'Cancelled', tone: 'neutral' } : { words: 'Failed', tone: 'bad' }
  if (job.pullRequest?.state === 'merged') return { words: 'Merged', tone: 'good' }
  if (job.pullRequest?.state === 'closed') return { words: 'Closed', tone: 'neutral' }
  return job.outcome === 'no_changes' ? { words: 'No changes', tone: 'neutral' } : { words: 'Ready', tone: 'good' }
}

export function JobStatus({ job }: { readonly job: Job }) {
  const { words, tone } = statusOf(job)
  return <Badge tone={tone}>{words}</Badge>
}
