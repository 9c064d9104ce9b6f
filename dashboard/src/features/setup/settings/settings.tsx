// The settings of a project, by section. The section is in the address bar.

import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { type Project, projectQuery } from '../../../api/projects.ts'
import { useTitle } from '../../../ui/page.tsx'
import { General } from './general.tsx'
import { JobSettings } from './jobs.tsx'
import { RepositorySettings } from './repository.tsx'
import { type Section, sections } from './sections.ts'
import { Sites } from './sites.tsx'
import { Sources } from '../sources/sources.tsx'
import { Webhooks } from '../webhooks/webhooks.tsx'
import { VisitorSettings } from './visitors.tsx'

const contents: Readonly<Record<Section, (props: { readonly project: Project }) => ReactElement>> = {
  general: General,
  repository: RepositorySettings,
  sources: Sources,
  jobs: JobSettings,
  visitors: VisitorSettings,
  sites: Sites,
  webhooks: Webhooks,
}

export function ProjectSettings() {
  const { projectId, section } = useParams({ from: '/shell/projects/$projectId/settings/$section' })
  const { data: project } = useSuspenseQuery(projectQuery(projectId))
  useTitle(`Settings: ${sections[section]}`)
  const Content = contents[section]
  const label = sections[section]
  return (
    <div className="grid gap-6 md:grid-cols-[11rem_minmax(0,1fr)]">
      <nav aria-label="Settings" className="flex flex-wrap gap-1 max-md:-mx-2 md:flex-col">
        {Object.entries(sections).map(([one, name]) => (
          <Link
            key={one}
            to="/projects/$projectId/settings/$section"
            params={{ projectId, section: one as Section }}
            className="rounded-md px-2 py-1.5 whitespace-nowrap md:px-3 text-muted hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
          >
            {name}
          </Link>
        ))}
      </nav>
      <div className="flex max-w-3xl min-w-0 flex-col gap-5">
        <h1 tabIndex={-1} className="sr-only">
          Settings: {label}
        </h1>
        <Content key={`${projectId} ${section}`} project={project} />
      </div>
    </div>
  )
}
