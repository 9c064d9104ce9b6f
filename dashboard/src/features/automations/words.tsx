// When an automation starts, and how its runs are, in words.

import { Link } from '@tanstack/react-router'
import type { Automation, AutomationRun } from '../../api/project/automations.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { formatExact } from '../../ui/relative-time.tsx'

const statuses: Readonly<Record<AutomationRun['status'], { readonly words: string; readonly tone: Tone }>> = {
  queued: { words: 'Queued', tone: 'accent' },
  running: { words: 'Running', tone: 'accent' },
  review_needed: { words: 'Review needed', tone: 'warn' },
  accepted: { words: 'Accepted', tone: 'good' },
  closed: { words: 'Closed', tone: 'neutral' },
  failed: { words: 'Failed', tone: 'bad' },
  nothing_to_do: { words: 'Nothing to do', tone: 'neutral' },
  skipped: { words: 'Skipped', tone: 'neutral' },
  capped: { words: 'Capped', tone: 'warn' },
}

export function RunBadge({ run }: { readonly run: Pick<AutomationRun, 'status'> }) {
  const { words, tone } = statuses[run.status]
  return <Badge tone={tone}>{words}</Badge>
}

export function RunJob({ projectId, run }: { readonly projectId: string; readonly run: AutomationRun }) {
  if (run.jobId === null) return undefined
  return (
    <Link
      to="/projects/$projectId/jobs/$jobId"
      params={{ projectId, jobId: run.jobId }}
      className="text-accent underline underline-offset-2"
    >
      Job
    </Link>
  )
}

/** Times that people choose often, by the fields of cron. */
export const presets = [
  { value: '0 6 * * *', label: 'Every day at 6:00' },
  { value: '0 6 * * MON-FRI', label: 'Working days at 6:00' },
  { value: '0 6 * * MON', label: 'Mondays at 6:00' },
  { value: '0 6 1 * *', label: 'The first of each month at 6:00' },
  { value: '0 * * * *', label: 'Every hour' },
] as const

export function sayTrigger({ trigger }: Pick<Automation, 'trigger'>): string {
  if (trigger.type === 'person') return 'Started by people'
  if (trigger.type === 'event') return 'Started by events'
  if (trigger.type === 'docs') return 'When the docs change'
  if (trigger.type === 'code') {
    const where = trigger.source === null ? 'this repository' : trigger.source
    return trigger.when === 'merge' ? `When code of ${where} is merged` : `Code of ${where}: ${sayTimes(trigger.when)}`
  }
  return `${sayTimes(trigger.cron)}${trigger.timeZone === null ? '' : `, ${trigger.timeZone}`}`
}

function sayTimes(cron: string): string {
  return presets.find(({ value }) => value === cron)?.label ?? cron
}

/** For example "2 commits wait". */
function sayWaiting({ waiting }: NonNullable<Automation['position']>): string {
  if (waiting === 0) return 'Waits for commits'
  return waiting === 1 ? '1 commit waits' : `${waiting} commits wait`
}

/** The next run is in the future, so its time is exact. */
export function sayNext({ trigger, enabled, pausedBecause, nextRunAt, heldBack, position }: Automation): string {
  if (!enabled) return pausedBecause === null ? 'Paused' : `Paused itself: ${pausedBecause}`
  if (heldBack !== null) return heldBack
  if (nextRunAt !== null) return `Next run ${formatExact(nextRunAt)}`
  if (trigger.type === 'event') return 'Waits for events'
  if (position !== null) return sayWaiting(position)
  return trigger.type === 'person' ? 'Waits for people' : 'No run is planned any more'
}
