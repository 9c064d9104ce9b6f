// One job: what was asked, what the agent does, what it changed, and what can be done next.

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { archiveJob, cancelJob, diffQuery, type Job, jobQuery, messagesQuery } from '../../api/jobs.ts'
import { queries } from '../../api/queries.ts'
import { DiffView } from '../../diff/diff-view.tsx'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { JobStatus } from '../jobs/status.tsx'
import { Facts } from './facts.tsx'
import { FollowUp } from './follow-up.tsx'
import { Transcript } from './transcript.tsx'

const from = '/shell/projects/$projectId/jobs/$jobId'

export function JobPage() {
  const { projectId, jobId } = useParams({ from })
  const job = useQuery(jobQuery(projectId, jobId))
  const messages = useQuery(messagesQuery(projectId, jobId))
  if (job.isPending) return <Skeleton className="h-96" />
  if (job.isError) return <Refused error={job.error} retry={() => void job.refetch()} />
  const first = messages.data?.[0]?.prompt ?? 'Job'
  return (
    <>
      <PageHead
        title={first.length > 120 ? `${first.slice(0, 120)}…` : first}
        about={<JobStatus job={job.data} />}
        actions={<Actions job={job.data} projectId={projectId} />}
      />
      {job.data.error !== null && (
        <div role="alert" className="mb-4 rounded-lg border border-line bg-bad-soft px-4 py-3">
          <p className="font-medium text-bad">{job.data.error.message}</p>
          <p className="mt-1 text-sm text-muted">
            <code className="font-mono">{job.data.error.code}</code> · Send a message below to continue.
          </p>
        </div>
      )}
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <Parts job={job.data} projectId={projectId} />
        <Facts job={job.data} />
      </div>
      {job.data.status !== 'archived' && <FollowUp job={job.data} projectId={projectId} />}
    </>
  )
}

function Parts({ job, projectId }: { readonly job: Job; readonly projectId: string }) {
  const { view = 'transcript' } = useSearch({ from })
  const navigate = useNavigate()
  return (
    <Tabs
      value={view}
      onChange={(chosen) => void navigate({ to: '.', search: { view: chosen }, replace: true })}
      tabs={[
        { value: 'transcript', label: 'Transcript', content: <Transcript job={job} projectId={projectId} /> },
        { value: 'changes', label: 'Changes', content: <Changes job={job} projectId={projectId} /> },
      ]}
    />
  )
}

function Changes({ job, projectId }: { readonly job: Job; readonly projectId: string }) {
  const diff = useQuery(diffQuery(projectId, job.id, job.updatedAt))
  if (diff.isPending) return <Skeleton className="h-60" />
  if (diff.isError) return <Refused error={diff.error} retry={() => void diff.refetch()} />
  if (diff.data.length === 0) return <Empty title="Nothing has changed yet" />
  return <DiffView files={diff.data} />
}

function Actions({ job, projectId }: { readonly job: Job; readonly projectId: string }) {
  const act = async (call: typeof cancelJob) => {
    queries.setQueryData(jobQuery(projectId, job.id).queryKey, await call(projectId, job.id))
    await queries.invalidateQueries({ queryKey: ['jobs', projectId] })
  }
  return (
    <>
      {job.prLink !== null && (
        <a href={job.prLink} className={buttonStyle({ kind: 'primary' })}>
          Open the pull request
        </a>
      )}
      {job.status === 'active' && <Button onClick={() => void act(cancelJob)}>Cancel</Button>}
      {(job.status === 'completed' || job.status === 'failed') && (
        <Button onClick={() => void act(archiveJob)}>Archive</Button>
      )}
    </>
  )
}
