// Whether readers still fail on the pages that a run was given. It is asked for when somebody wants to know.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AutomationRun, type RunFailures, runFailuresQuery } from '../../api/project/automations.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Refused, Skeleton } from '../../ui/notice.tsx'

type Props = { readonly projectId: string; readonly automationId: string; readonly run: AutomationRun }

export function RunFailuresOf({ projectId, automationId, run: { id, givenPages } }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="mt-2 w-full" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer py-1 text-muted hover:text-text">
        {givenPages === 1 ? '1 page that failed' : `${givenPages} pages that failed`}
      </summary>
      {isOpen && <Pages projectId={projectId} automationId={automationId} runId={id} />}
    </details>
  )
}

type PagesProps = Omit<Props, 'run'> & { readonly runId: string }

function Pages({ projectId, automationId, runId }: PagesProps) {
  const { data, isPending, error, refetch } = useQuery(runFailuresQuery(projectId, automationId, runId))
  if (isPending) return <Skeleton className="h-8" />
  if (error !== null) return <Refused error={error} retry={() => void refetch()} />
  return (
    <div className="mt-1 flex flex-col gap-1 text-sm">
      {data.note !== null && <p className="text-muted">{data.note}</p>}
      <ul className="flex flex-col gap-1">
        {data.pages.map((page) => (
          <Page key={page.path} page={page} />
        ))}
      </ul>
    </div>
  )
}

const verdicts: Readonly<
  Record<RunFailures['pages'][number]['verdict'], { readonly words: string; readonly tone: Tone } | undefined>
> = {
  stopped: { words: 'Stopped', tone: 'good' },
  fewer: { words: 'Fewer', tone: 'warn' },
  continues: { words: 'Continues', tone: 'bad' },
  unknown: undefined,
}

function Page({ page: { path, text, verdict } }: { readonly page: RunFailures['pages'][number] }) {
  const said = verdicts[verdict]
  return (
    <li className="break-words">
      <bdi className="font-mono">{path}</bdi>: {text} {said && <Badge tone={said.tone}>{said.words}</Badge>}
    </li>
  )
}
