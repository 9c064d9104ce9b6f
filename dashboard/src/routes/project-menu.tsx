// The menu that leads from one project to another.

import { Menu } from '@base-ui/react/menu'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { projectsQuery } from '../api/projects.ts'
import { may, sessionQuery } from '../api/people/session.ts'
import { type MenuProps, menuButtonStyle } from '../ui/overlay/menu-button.tsx'

const item = 'flex cursor-default items-center gap-2 rounded px-2.5 py-1.5 data-highlighted:bg-accent-soft'

export function ProjectMenu({ label, children }: MenuProps) {
  const projects = useQuery(projectsQuery)
  const session = useQuery(sessionQuery)
  const { projectId } = useParams({ strict: false })
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger aria-label={label} className={menuButtonStyle}>
        {children}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="start" className="z-50">
          <Menu.Popup className="max-h-[70dvh] w-64 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-lg outline-none">
            {projects.data?.map(({ id, name }) => (
              <Menu.Item
                key={id}
                className={item}
                render={<Link to="/projects/$projectId/jobs" params={{ projectId: id }} />}
              >
                <span aria-hidden className="w-4 shrink-0">
                  {id === projectId && '✓'}
                </span>
                <span className="truncate">{name}</span>
              </Menu.Item>
            ))}
            <Menu.Separator className="my-1 h-px bg-line" />
            <Menu.Item className={item} render={<Link to="/" />}>
              <span aria-hidden className="w-4" />
              All projects
            </Menu.Item>
            {may(session.data, 'admin') && (
              <Menu.Item className={item} render={<Link to="/projects/new" />}>
                <span aria-hidden className="w-4" />
                New project
              </Menu.Item>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
