// The changes of the job so far, published or not.

import { useQuery } from '@tanstack/react-query'
import { diffQuery, type Job, jobPreviewQuery } from '../../api/jobs.ts'
import { FilePreview } from '../../preview/file-preview.tsx'
import { ReviewedChange } from '../../review/reviewed-change.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'

export function Changes({ job, projectId }: { readonly job: Job; readonly projectId: string }) {
  const diff = useQuery(diffQuery(projectId, job.id, job.updatedAt))
  if (diff.isPending) return <Skeleton className="h-60" />
  if (diff.isError) return <Refused error={diff.error} retry={() => void diff.refetch()} />
  return (
    <ReviewedChange
      projectId={projectId}
      job={job}
      files={diff.data}
      preview={(file) => <FilePreview file={file} queryOf={(one) => jobPreviewQuery(projectId, job, one)} />}
      empty={
        <Empty title={job.status === 'active' ? 'Nothing has changed yet' : 'The job changed nothing'}>
          {job.status !== 'archived' && 'The transcript shows what the agent did. A message can ask for more.'}
        </Empty>
      }
    />
  )
}
