// How far the base has moved on from an open pull request, whether the two can be merged, and when that was looked up.

import { useMutation, useQuery } from '@tanstack/react-query'
import { type PullNow, pullQuery, updatePull } from '../../api/pulls.ts'
import { isConflict } from '../../api/problem.ts'
import { queries } from '../../api/queries.ts'
import { may, sessionQuery } from '../../api/people/session.ts'
import { visible } from '../../diff/lines/segments.ts'
import { Button } from '../../ui/button.tsx'
import { Refused } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SolveConflict } from './solve-conflict.tsx'

const mostNamed = 10

export function Behind({ pull, projectId }: { readonly pull: PullNow; readonly projectId: string }) {
  const session = useQuery(sessionQuery)
  const update = useMutation({
    mutationFn: () => updatePull(projectId, pull.number),
    onSuccess: (now) => queries.setQueryData(pullQuery(projectId, pull.number).queryKey, now),
  })
  const { base, behind } = pull
  if (pull.state !== 'open') return null
  if (behind === null)
    return <p className="mb-4 text-sm text-muted">The repository does not say whether {base} has moved on.</p>
  const { commits, conflicts, checkedAt } = behind
  const checked = (
    <span className="text-muted">
      Checked <RelativeTime at={checkedAt} />
    </span>
  )
  if (commits === 0)
    return (
      <p className="mb-4 text-sm">
        Up to date with {base}. {checked}
      </p>
    )
  const hasConflicts = conflicts.length > 0
  return (
    <div className={`mb-4 rounded-lg border border-line px-4 py-3 ${hasConflicts ? 'bg-warn-soft' : 'bg-sunken'}`}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          {base} has {commits} {commits === 1 ? 'commit' : 'commits'} that this branch does not have
          {hasConflicts ? ', and both changed the same places.' : '. They can be merged.'} {checked}
        </p>
        {!hasConflicts && may(session.data, 'editor') && (
          <Button size="small" busy={update.isPending} onClick={() => update.mutate()}>
            Update the branch
          </Button>
        )}
      </div>
      {hasConflicts && (
        <>
          <ul className="mt-2 list-disc pl-5 font-mono text-sm">
            {conflicts.slice(0, mostNamed).map((path) => (
              <li key={path} className="break-all">
                {visible(path)}
              </li>
            ))}
          </ul>
          <SolveConflict pull={pull} projectId={projectId} />
        </>
      )}
      {update.isError && (
        <div className="mt-3">
          <Refused error={update.error}>
            {isConflict(update.error) && <SolveConflict pull={pull} projectId={projectId} />}
          </Refused>
        </div>
      )}
    </div>
  )
}
