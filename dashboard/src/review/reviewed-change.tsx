// A change with its review: the review above, marks on the lines, and a way from each problem to its line.

import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useMemo } from 'react'
import { checksQuery } from '../api/job/checks.ts'
import type { Job } from '../api/jobs.ts'
import { DiffView } from '../diff/diff-view.tsx'
import { noMarks } from '../diff/marks.tsx'
import { Refused, Skeleton } from '../ui/notice.tsx'
import { filesByKind } from './files-by-kind.ts'
import { marksOf } from './marks.ts'
import { ShownChange } from './place.tsx'
import { Review } from './review.tsx'
import { usePlace } from './use-place.ts'

type Props = Omit<ComponentProps<typeof DiffView>, 'marks' | 'target'> & {
  readonly projectId: string
  /** The job whose change it is; undefined while it is not known; null if the job has another change by now. */
  readonly job: Job | null | undefined
  /** Instead of a change without files. */
  readonly empty: ReactNode
  /** Between the review and the files. */
  readonly hint?: ReactNode
}

export function ReviewedChange({ projectId, job, empty, hint, ...view }: Props) {
  const { files } = view
  const isChecked = job?.checks != null
  const checks = useQuery({ ...checksQuery(projectId, job ?? { id: '', updatedAt: '' }), enabled: isChecked })
  const { target, again } = usePlace()
  const marks = useMemo(() => (isChecked && checks.data ? marksOf(checks.data) : noMarks), [isChecked, checks.data])
  const shown = useMemo(() => {
    const paths = new Set(files.map(({ path }) => path))
    return { has: (path: string) => paths.has(path), again }
  }, [files, again])
  // A place is reached once its marks are there.
  const isReady = job !== undefined && !checks.isLoading
  return (
    <ShownChange value={shown}>
      {isChecked && checks.isPending && <Skeleton className="mb-5 h-12" />}
      {isChecked && checks.isError && <Refused error={checks.error} retry={() => void checks.refetch()} />}
      {isChecked && checks.data && <Review checks={checks.data} projectId={projectId} jobId={job.id} />}
      {files.length > 0 && <p className="mb-1 text-sm text-muted tabular-nums">{filesByKind(files)}</p>}
      {hint}
      {files.length === 0 ? empty : <DiffView {...view} marks={marks} target={isReady ? target : undefined} />}
    </ShownChange>
  )
}
