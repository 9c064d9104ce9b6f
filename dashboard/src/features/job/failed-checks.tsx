// The problems that failed a job: the worst of them, with a way to each line, and to all of them beside the changes.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { checksQuery } from '../../api/job/checks.ts'
import type { Job } from '../../api/jobs.ts'
import { FindingLine } from '../../review/findings.tsx'
import { ShownChange } from '../../review/place.tsx'
import { byPersonOrSeverity } from '../../review/order.ts'
import { count } from '../../review/words.ts'
import { Refused, Skeleton } from '../../ui/notice.tsx'

const mostShown = 5

/** The changes are another view of the page, so every place may be there. */
const inChanges = { has: () => true, again: () => undefined, view: 'changes' } as const

type Props = { readonly job: Job; readonly projectId: string }

export function FailedChecks({ job, projectId }: Props) {
  const checks = useQuery(checksQuery(projectId, job))
  if (checks.isPending) return <Skeleton className="mt-2 h-24" />
  if (checks.isError) return <Refused error={checks.error} retry={() => void checks.refetch()} />
  const losses = checks.data.losses.length
  const own = checks.data.findings.filter(({ state, byPerson }) => state === 'introduced' && !byPerson)
  if (own.length + losses === 0) return <p className="mt-1 max-w-prose text-sm">{job.error?.message}</p>
  return (
    <>
      <p className="mt-1 text-sm">
        Nothing was published, for the change has new problems. The edits are kept, and a message continues from them.
      </p>
      <ShownChange value={inChanges}>
        <ul
          aria-label="Problems"
          className="mt-2 flex max-w-prose flex-col gap-2 rounded-md border border-line bg-ground px-3 py-2 text-sm empty:hidden"
        >
          {own
            .toSorted(byPersonOrSeverity)
            .slice(0, mostShown)
            .map((finding, index) => (
              // eslint-disable-next-line no-array-index-key -- the same problem may be there twice
              <li key={index}>
                <FindingLine finding={finding} />
              </li>
            ))}
        </ul>
      </ShownChange>
      {losses > 0 && (
        <p className="mt-2 text-sm">The change loses headings, code blocks or text of {count(losses, 'page')}.</p>
      )}
      <p className="mt-2 text-sm">
        <Link to="." search={{ view: 'changes' }} replace className="text-accent underline underline-offset-2">
          {own.length > mostShown
            ? `All ${count(checks.data.introduced, 'problem')} beside the changes`
            : 'See the changes'}
        </Link>
      </p>
    </>
  )
}
