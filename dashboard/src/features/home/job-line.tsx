// One job on the start page: what was asked, where, its state, and when.

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { statusOf, titleOf } from '../../api/job/status.ts'
import type { ListedJob } from '../../api/jobs.ts'
import { Badge } from '../../ui/badge.tsx'
import { ProblemSign } from '../../ui/problem-sign.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

type Props = {
  readonly job: ListedJob
  /** The name of its project, where there are several. */
  readonly project: string | undefined
  /** Instead of who asked for it: why it is shown. */
  readonly reason?: ReactNode
}

export function JobLine({ job, project, reason }: Props) {
  const { words, tone } = statusOf(job)
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        to="/projects/$projectId/jobs/$jobId"
        params={{ projectId: job.projectId, jobId: job.id }}
        className="flex flex-col gap-0.5 px-3 py-2 hover:bg-sunken"
      >
        <span className="flex items-center gap-3">
          <span className="min-w-0 flex-1 truncate font-medium">{titleOf(job.prompt)}</span>
          <Badge tone={tone}>{words}</Badge>
        </span>
        <span className="flex items-baseline gap-3 text-sm text-muted">
          <span className={`min-w-0 flex-1 ${reason === undefined ? 'truncate' : ''}`}>
            {project !== undefined && <span className="text-text">{project} · </span>}
            {reason ?? (job.origin === null ? job.model : `by ${job.origin.name}`)}
          </span>
          <ProblemSign checks={job.checks} />
          <RelativeTime at={job.createdAt} />
        </span>
      </Link>
    </li>
  )
}
