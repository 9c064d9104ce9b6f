// The projects that the person may see.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { projectsQuery } from '../../api/projects.ts'
import { may, sessionQuery } from '../../api/session.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'

export function Projects() {
  const projects = useQuery(projectsQuery)
  const { data: session } = useSuspenseQuery(sessionQuery)
  const create = may(session, 'admin') && (
    <Link to="/projects/new" className={buttonStyle({ kind: 'primary' })}>
      New project
    </Link>
  )
  return (
    <>
      <PageHead title="Projects" actions={create} />
      {projects.isPending && <Skeleton className="h-40" />}
      {projects.isError && <Refused error={projects.error} retry={() => void projects.refetch()} />}
      {projects.isSuccess && projects.data.length === 0 && (
        <Empty title="There is no project yet" action={create}>
          A project is the repository of a documentation site, with the settings for its jobs and its statistics.
        </Empty>
      )}
      <ul className="grid gap-3 sm:grid-cols-2">
        {projects.data?.map(({ id, name, repository }) => (
          <li key={id}>
            <Link
              to="/projects/$projectId"
              params={{ projectId: id }}
              className="block rounded-lg border border-line p-4 hover:bg-sunken"
            >
              <span className="font-medium">{name}</span>
              <span className="block truncate text-sm text-muted">{repository}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
