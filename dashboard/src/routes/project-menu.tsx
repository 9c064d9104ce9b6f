// The menu that leads from one project to another.

import { Menu } from '@base-ui/react/menu'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { projectsQuery } from '../api/projects.ts'
import { may, sessionQuery } from '../api/people/session.ts'
import type { MenuProps } from '../ui/overlay/menu-button.tsx'
import { FrameMenu, itemStyle, MenuLine } from './frame-menu.tsx'

export function ProjectMenu({ label, children }: MenuProps) {
  const projects = useQuery(projectsQuery)
  const session = useQuery(sessionQuery)
  const { projectId } = useParams({ strict: false })
  return (
    <FrameMenu label={label} button={children} align="start" className="max-h-[70dvh] w-64 overflow-y-auto">
      {projects.data?.map(({ id, name }) => (
        <Menu.Item
          key={id}
          className={itemStyle}
          render={<Link to="/projects/$projectId/jobs" params={{ projectId: id }} />}
        >
          <span aria-hidden className="w-4 shrink-0">
            {id === projectId && '✓'}
          </span>
          <span className="min-w-0">{name}</span>
        </Menu.Item>
      ))}
      <MenuLine />
      <Menu.Item className={itemStyle} render={<Link to="/" />}>
        <span aria-hidden className="w-4" />
        All projects
      </Menu.Item>
      {may(session.data, 'admin') && (
        <Menu.Item className={itemStyle} render={<Link to="/projects/new" />}>
          <span aria-hidden className="w-4" />
          New project
        </Menu.Item>
      )}
    </FrameMenu>
  )
}
