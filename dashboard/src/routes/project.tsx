// The frame of every page of a project: its name, from which other projects are reached, and its sections.

import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { lazy } from 'react'
import { projectQuery } from '../api/projects.ts'
import { may, sessionQuery } from '../api/people/session.ts'
import { loadPart } from '../load-part.ts'
import { MenuButton } from '../ui/overlay/menu-button.tsx'
import { Within } from '../ui/page.tsx'

const sections = [
  { to: '/projects/$projectId/jobs', label: 'Jobs', role: 'viewer' },
  { to: '/projects/$projectId/automations', label: 'Automations', role: 'viewer' },
  { to: '/projects/$projectId/ledger', label: 'Ledger', role: 'viewer' },
  { to: '/projects/$projectId/pulls', label: 'Pull requests', role: 'viewer' },
  { to: '/projects/$projectId/visitors', label: 'Visitors', role: 'viewer' },
  { to: '/projects/$projectId/settings', label: 'Settings', role: 'admin' },
] as const

const loadMenu = () => loadPart(() => import('./project-menu.tsx'))
const ProjectMenu = lazy(async () => ({ default: (await loadMenu()).ProjectMenu }))

export function ProjectFrame() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId' })
  const { data: session } = useSuspenseQuery(sessionQuery)
  const { data: project } = useSuspenseQuery(projectQuery(projectId))
  return (
    <Within value={project.name}>
      <div className="-mt-2 mb-6 flex flex-wrap items-center gap-x-4 border-b border-line">
        <div className="-ml-2.5 max-w-full py-1.5">
          <MenuButton label={`Project: ${project.name}. Change the project`} menu={ProjectMenu} preload={loadMenu}>
            <span className="max-w-56 truncate sm:max-w-96" title={project.name}>
              {project.name}
            </span>
            <span aria-hidden className="text-muted">
              ▾
            </span>
          </MenuButton>
        </div>
        <nav aria-label={project.name} className="-mb-px flex overflow-x-auto">
          {sections
            .filter(({ role }) => may(session, role))
            .map(({ to, label }) => (
              <Link
                key={to}
                to={to}
                params={{ projectId }}
                className="border-y-2 border-transparent px-3 py-1.75 whitespace-nowrap text-muted hover:text-text aria-[current=page]:border-b-accent aria-[current=page]:text-text"
              >
                {label}
              </Link>
            ))}
        </nav>
      </div>
      <Outlet />
    </Within>
  )
}
