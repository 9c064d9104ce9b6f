// The frame of every page of a project: its name and its sections.

import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { projectQuery } from '../api/projects.ts'

const sections = [
  { to: '/projects/$projectId/jobs', label: 'Jobs' },
  { to: '/projects/$projectId/visitors', label: 'Visitors' },
] as const

export function ProjectFrame() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' })
  const { data: project } = useSuspenseQuery(projectQuery(projectId))
  return (
    <>
      <div className="mb-5 flex flex-wrap items-baseline gap-x-5 gap-y-1 border-b border-line pb-2">
        <Link to="/" className="text-muted hover:text-text">
          Projects
        </Link>
        <span className="font-medium">{project.name}</span>
        <nav aria-label={project.name} className="flex gap-4">
          {sections.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              params={{ projectId }}
              className="text-muted hover:text-text aria-[current=page]:text-text"
            >
              {label}
            </Link>
          ))}
        </nav>
      </div>
      <Outlet />
    </>
  )
}
