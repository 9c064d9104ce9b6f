// The start page: what needs attention, the latest jobs, and the projects with their visitors of the last days.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { modelKeysQuery } from '../../api/models.ts'
import { type Overview, overviewQuery } from '../../api/job/overview.ts'
import { type Project, projectsQuery } from '../../api/projects.ts'
import { may, sessionQuery } from '../../api/people/session.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead, Part } from '../../ui/page.tsx'
import { Attention } from './attention.tsx'
import { JobLine } from './job-line.tsx'
import { ProjectCard } from './project-card.tsx'

export function Home() {
  const projects = useQuery(projectsQuery)
  const overview = useQuery(overviewQuery)
  const { data: session } = useSuspenseQuery(sessionQuery)
  const isAdmin = may(session, 'admin')
  const modelKeys = useQuery({ ...modelKeysQuery, enabled: isAdmin })
  const create = isAdmin && (
    <Link to="/projects/new" className={buttonStyle({ kind: 'primary' })}>
      New project
    </Link>
  )
  const failed = [projects, overview].find(({ isError, data }) => isError && data === undefined)
  const { data: known } = projects
  const { data: found } = overview
  const isEmpty = known?.length === 0
  const latest = found && withoutAttention(found)
  return (
    <>
      <PageHead title="Home" actions={!isEmpty && create} />
      {failed && <Refused error={failed.error} retry={() => void failed.refetch()} />}
      {!failed && (known === undefined || found === undefined || modelKeys.isLoading) && <Waiting />}
      {isEmpty && <NoProject create={create} />}
      {known !== undefined && !isEmpty && found !== undefined && !modelKeys.isLoading && (
        <div className="flex flex-col gap-8">
          <Part>
            <Attention overview={found} projects={known} modelKeys={modelKeys.data ?? []} />
          </Part>
          {latest && (
            <Section title="Latest jobs">
              <Latest jobs={latest} projects={known} />
            </Section>
          )}
          <Section title="Projects">
            <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
              {known.map((project) => (
                <li key={project.id}>
                  <Part>
                    <ProjectCard project={project} />
                  </Part>
                </li>
              ))}
            </ul>
          </Section>
        </div>
      )}
    </>
  )
}

/** A job is on the page once. Undefined: all are above. */
function withoutAttention({ asking, failed, waiting, latest }: Overview): Overview['latest'] | undefined {
  const above = new Set([asking, failed, waiting].flat().map(({ id }) => id))
  const others = latest.filter(({ id }) => !above.has(id))
  return others.length === 0 && above.size > 0 ? undefined : others
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-2 font-semibold">{title}</h2>
      <Part>{children}</Part>
    </section>
  )
}

type LatestProps = {
  readonly jobs: React.ComponentProps<typeof JobLine>['job'][]
  readonly projects: readonly Project[]
}

function Latest({ jobs, projects }: LatestProps) {
  const [first] = projects
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  if (jobs.length === 0)
    return (
      <Empty
        title="No jobs yet"
        action={
          first && (
            <Link
              to="/projects/$projectId/jobs/new"
              params={{ projectId: first.id }}
              className={buttonStyle({ kind: 'plain' })}
            >
              Start the first job
            </Link>
          )
        }
      >
        Tell the agent what to change in the documentation. It opens a pull request, which you review.
      </Empty>
    )
  return (
    <ul className="overflow-hidden rounded-lg border border-line">
      {jobs.map((job) => (
        <JobLine key={job.id} job={job} project={projects.length > 1 ? names.get(job.projectId) : undefined} />
      ))}
    </ul>
  )
}

function NoProject({ create }: { readonly create: ReactNode }) {
  return (
    <Empty title="No projects yet" action={create}>
      A project is the repository of a documentation site, with the settings for its jobs and its visitors.
      {create === false && ' Ask an admin to create one.'}
    </Empty>
  )
}

function Waiting() {
  return (
    <div className="flex flex-col gap-8" aria-busy>
      <Skeleton className="h-56" />
      <Skeleton className="h-28" />
    </div>
  )
}
