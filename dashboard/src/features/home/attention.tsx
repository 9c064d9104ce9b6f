// The things that somebody has to do: credentials and keys of models that stopped working, questions of the agent, failed jobs,
// pull requests that wait for a review. Nothing to do shows nothing.

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { remedyOf } from '../../api/job/remedies.ts'
import { type ModelKey, providerNames } from '../../api/models.ts'
import type { Overview } from '../../api/job/overview.ts'
import type { Project } from '../../api/projects.ts'
import { plainWords } from '../../prose/inline.ts'
import { Badge } from '../../ui/badge.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { JobLine } from './job-line.tsx'

type Props = {
  readonly overview: Overview
  readonly projects: readonly Project[]
  /** Empty for people who do not manage them. */
  readonly modelKeys: readonly ModelKey[]
}

export function Attention({ overview, projects, modelKeys }: Props) {
  const { asking, failed, waiting, credentials } = overview
  const broken = modelKeys.filter(({ problem }) => problem !== null)
  if (asking.length + failed.length + waiting.length + credentials.length + broken.length === 0) return null
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const nameOf = (projectId: string) => (projects.length > 1 ? names.get(projectId) : undefined)
  return (
    <section aria-label="Needs attention">
      <h2 className="mb-2 font-semibold">Needs attention</h2>
      <ul className="overflow-hidden rounded-lg border border-line">
        {credentials.map(({ projectId, problem }) => (
          <li key={projectId} className="border-b border-line last:border-b-0">
            <Link
              to="/projects/$projectId/settings/$section"
              params={{ projectId, section: 'repository' }}
              className={lineStyle}
            >
              <Broken
                title={`Docent cannot use the repository of ${names.get(projectId) ?? projectId}`}
                what="Credential"
              >
                {problem}
              </Broken>
            </Link>
          </li>
        ))}
        {broken.map(({ provider, problem }) => (
          <li key={provider} className="border-b border-line last:border-b-0">
            <Link to="/models" className={lineStyle}>
              <Broken title={`Jobs cannot use the models of ${providerNames[provider]}`} what="Model key">
                {problem}
              </Broken>
            </Link>
          </li>
        ))}
        {asking.map((job) => (
          <JobLine key={job.id} job={job} project={nameOf(job.projectId)} reason={questionOf(job)} />
        ))}
        {failed.map((job) => (
          <JobLine key={job.id} job={job} project={nameOf(job.projectId)} reason={remedyOf(job.error?.code ?? '')} />
        ))}
        {waiting.map((job) => (
          <JobLine
            key={job.id}
            job={job}
            project={nameOf(job.projectId)}
            reason={
              <>
                Pull request #{job.pullRequest?.number} waits for a review, last changed{' '}
                <RelativeTime at={job.updatedAt} />
              </>
            }
          />
        ))}
      </ul>
    </section>
  )
}

function questionOf({ result }: Overview['asking'][number]): string {
  return plainWords(result?.title ?? '')
}

const lineStyle = 'flex flex-col gap-0.5 px-3 py-2 hover:bg-sunken'

type BrokenProps = { readonly title: string; readonly what: string; readonly children: ReactNode }

/** The children say why it does not work. */
function Broken({ title, what, children }: BrokenProps) {
  return (
    <>
      <span className="flex items-center gap-3">
        <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
        <Badge tone="bad">{what}</Badge>
      </span>
      <span className="text-sm text-muted">{children}</span>
    </>
  )
}
