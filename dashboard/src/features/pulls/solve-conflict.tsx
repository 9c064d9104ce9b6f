// How to continue when a branch conflicts with its base: nothing is lost, and the agent can solve most conflicts.

import { Link } from '@tanstack/react-router'
import type { Pull } from '../../api/pulls.ts'

type Props = { readonly pull: Pull; readonly projectId: string }

export function SolveConflict({ pull: { base, jobId }, projectId }: Props) {
  return (
    <p className="mt-2 text-sm">
      <Link
        to="/projects/$projectId/jobs/$jobId"
        params={{ projectId, jobId }}
        className="font-medium text-accent underline"
      >
        Send the job a message
      </Link>{' '}
      that says which words to keep, or merge {base} into the branch yourself.
    </p>
  )
}
