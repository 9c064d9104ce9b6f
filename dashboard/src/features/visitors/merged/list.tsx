// The pull requests behind a mark of the chart, each with its day and its job.

import { Link } from '@tanstack/react-router'
import { formatDay } from '../format.ts'
import type { MergedMark } from './marks.ts'

type Props = { readonly marks: readonly MergedMark[]; readonly projectId: string }

export function MergedList({ marks, projectId }: Props) {
  return (
    <ul aria-label="Merged pull requests" className="mt-2 flex flex-col gap-1 text-sm">
      {marks.map(({ id, day, pull }) => (
        <li key={id} className="wrap-anywhere">
          <Link
            to="/projects/$projectId/jobs/$jobId"
            params={{ projectId, jobId: pull.jobId }}
            className="text-accent underline"
          >
            #{pull.number} <bdi>{pull.title}</bdi>
          </Link>
          , merged {formatDay(day)}
        </li>
      ))}
    </ul>
  )
}
