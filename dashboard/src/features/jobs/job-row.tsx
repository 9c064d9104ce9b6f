// One job in the list: what was asked, its state, who asked, when, how long it took and what it cost.

import { Link } from '@tanstack/react-router'
import { formatCost, formatSeconds, statusOf, titleOf } from '../../api/job/status.ts'
import type { ListedJob } from '../../api/jobs.ts'
import { Badge } from '../../ui/badge.tsx'
import { ProblemSign } from '../../ui/problem-sign.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

export function JobRow({ job }: { readonly job: ListedJob }) {
  const { words, tone } = statusOf(job)
  return (
    <Link
      to="/projects/$projectId/jobs/$jobId"
      params={{ projectId: job.projectId, jobId: job.id }}
      className="flex h-full flex-col justify-center gap-0.5 border-b border-line px-3 hover:bg-sunken"
    >
      <span className="flex items-center gap-3">
        <span className="min-w-0 flex-1 truncate font-medium">{titleOf(job.prompt)}</span>
        <Badge tone={tone}>{words}</Badge>
      </span>
      <span className="flex items-center gap-3 text-sm text-muted">
        <span className="min-w-0 flex-1 truncate">
          <RelativeTime at={job.createdAt} />
          {job.origin !== null && ` by ${job.origin.name}`}
          {job.error !== null && job.error.code !== 'cancelled' && (
            <>
              {' · '}
              <bdi>{job.error.message}</bdi>
            </>
          )}
        </span>
        <span className="flex shrink-0 gap-3 tabular-nums">
          <ProblemSign checks={job.checks} />
          {job.pullRequest !== null && <span>#{job.pullRequest.number}</span>}
          {job.seconds !== null && <span className="hidden sm:inline">{formatSeconds(job.seconds)}</span>}
          <Cost job={job} />
        </span>
      </span>
    </Link>
  )
}

/** Shows nothing for a model without a price, and for the built-in one, which costs nothing. */
function Cost({ job }: { readonly job: ListedJob }) {
  const { costUsd } = job.usage
  return costUsd === null || costUsd === 0 ? null : <span className="hidden sm:inline">{formatCost(costUsd)}</span>
}
