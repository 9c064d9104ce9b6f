// One job: what was asked, what the agent does, what it changed, and what can be done next.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type Live, useEvents } from '../../api/events/use-events.ts'
import { formatCost, statusOf, titleOf } from '../../api/job/status.ts'
import { type Job, jobQuery } from '../../api/jobs.ts'
import { may, sessionQuery } from '../../api/people/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/notice.tsx'
import { PageHead, Part } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Actions } from './actions.tsx'
import { Facts } from './facts.tsx'
import { FailureNotice } from './failure.tsx'
import { FollowUp } from './message/follow-up.tsx'
import { parts, views } from './parts.tsx'
import { ResultNotice } from './result.tsx'

const from = '/shell/projects/$projectId/jobs/$jobId'

export function JobPage() {
  const { projectId, jobId } = useParams({ from })
  const job = useQuery(jobQuery(projectId, jobId))
  if (job.isPending) return <Waiting />
  // The frame says that there is no such job.
  if (job.data === undefined) throw job.error
  return <Loaded key={jobId} job={job.data} projectId={projectId} />
}

function Waiting() {
  return (
    <div className="flex flex-col gap-4" aria-busy>
      <Skeleton className="h-7 w-2/3" />
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-96" />
    </div>
  )
}

type LoadedProps = { readonly job: Job; readonly projectId: string }

function Loaded({ job, projectId }: LoadedProps) {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const live = useEvents(projectId, job)
  const mayWrite = may(session, 'editor')
  const asked = live.events?.find((event) => event.type === 'message')
  if (live.events === undefined && live.error === null) return <Waiting />
  const takesMessages = mayWrite && job.archivedBy !== 'person'
  return (
    <>
      <PageHead
        title={asked?.type === 'message' ? titleOf(asked.prompt) : job.id}
        about={<Summary job={job} projectId={projectId} />}
        actions={<Actions job={job} projectId={projectId} mayWrite={mayWrite} />}
      />
      <Part of={job.updatedAt}>
        <FailureNotice job={job} projectId={projectId} mayWrite={mayWrite} isAdmin={may(session, 'admin')} />
        <ResultNotice job={job} />
      </Part>
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="min-w-0">
          <Parts job={job} projectId={projectId} live={live} />
          {takesMessages && <FollowUp job={job} projectId={projectId} />}
        </div>
        <Part of={job.updatedAt}>
          <Facts job={job} projectId={projectId} events={live.events ?? []} mayWrite={mayWrite} />
        </Part>
      </div>
    </>
  )
}

type ByProps = { readonly projectId: string; readonly origin: NonNullable<Job['origin']> }

function ByAutomation({ projectId, origin: { name, automationId } }: ByProps) {
  if (automationId === undefined) return ` by ${name}`
  return (
    <>
      {' by '}
      <Link
        to="/projects/$projectId/automations/$automationId"
        params={{ projectId, automationId }}
        className="text-accent underline"
      >
        {name}
      </Link>
    </>
  )
}

function Summary({ job, projectId }: { readonly job: Job; readonly projectId: string }) {
  const { words, tone } = statusOf(job)
  const cost = job.usage.costUsd === 0 ? undefined : formatCost(job.usage.costUsd)
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <Badge tone={tone}>{words}</Badge>
      <span>
        <RelativeTime at={job.createdAt} />
        {job.origin?.kind === 'person' && ` by ${job.origin.name}`}
        {job.origin?.kind === 'automation' && <ByAutomation projectId={projectId} origin={job.origin} />}
        {cost !== undefined && ` · ${cost}`}
      </span>
    </span>
  )
}

function Parts({ job, projectId, live }: LoadedProps & { readonly live: Live }) {
  const { view = 'transcript' } = useSearch({ from })
  const navigate = useNavigate()
  return (
    <Tabs
      value={view}
      onChange={(chosen) =>
        void navigate({ to: '.', search: chosen === 'transcript' ? {} : { view: chosen }, replace: true })
      }
      tabs={views.map((value) => ({
        value,
        label: parts[value].label,
        content: value === view ? parts[value].render({ job, projectId, live }) : null,
      }))}
    />
  )
}
