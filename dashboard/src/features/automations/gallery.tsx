// The ready-made automations that a project does not have yet: turned on by one click, or what is lacking for that and where it
// is added. One that follows code asks which, if the project has several sources.

import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type Automation,
  createAutomation,
  type NewAutomation,
  type ReadyAutomation,
  readyAutomationsQuery,
} from '../../api/project/automations.ts'
import { Words } from '../../prose/prose.tsx'
import { sourcesQuery } from '../../api/project/sources.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Refused } from '../../ui/notice.tsx'
import { sayTrigger } from './words.tsx'

type Props = {
  readonly projectId: string
  readonly automations: readonly Automation[]
  readonly onMade: (automation: Automation) => void
}

export function Gallery({ projectId, automations, onMade }: Props) {
  const ready = useQuery(readyAutomationsQuery(projectId))
  const there = new Set<string>(automations.map(({ kind }) => kind))
  const others = ready.data?.filter(({ kind }) => !there.has(kind)) ?? []
  if (ready.isError) return <Refused error={ready.error} retry={() => void ready.refetch()} />
  if (others.length === 0) return undefined
  return (
    <section aria-labelledby="ready" className="mt-8">
      <h2 id="ready" className="mb-3 text-lg font-semibold">
        Ready-made
      </h2>
      <ul className="grid gap-3 sm:grid-cols-2">
        {others.map((one) => (
          <Card key={one.kind} projectId={projectId} ready={one} onMade={onMade} />
        ))}
      </ul>
    </section>
  )
}

type CardProps = Pick<Props, 'projectId' | 'onMade'> & { readonly ready: ReadyAutomation }

function Card({ projectId, ready, onMade }: CardProps) {
  const { kind, title, description, lacks } = ready
  const [source, setSource] = useState<string>()
  const turnOn = useMutation({
    mutationFn: () => createAutomation(projectId, { kind, ...(source === undefined ? {} : toTrigger(ready, source)) }),
    onSuccess: onMade,
  })
  return (
    <li aria-label={title} className="flex flex-col gap-2 rounded-lg border border-line p-4">
      <h3 className="font-medium">{title}</h3>
      <Words className="text-sm" text={description} />
      <p className="text-sm text-muted">{sayTrigger(ready)}</p>
      {lacks.map(({ need, message }) => (
        <div key={need} className="text-sm text-muted">
          <Words text={`It ${message}.`} />
          <Link
            to="/projects/$projectId/settings/$section"
            params={{ projectId, section: places[need].section }}
            className="text-accent underline underline-offset-2"
          >
            {places[need].words}
          </Link>
        </div>
      ))}
      {lacks.length === 0 && ready.trigger.type === 'code' && (
        <Sources projectId={projectId} title={title} chosen={source ?? ready.trigger.source} onChoose={setSource} />
      )}
      {turnOn.isError && <Refused error={turnOn.error} />}
      {lacks.length === 0 && (
        <div className="mt-auto">
          <Button aria-label={`Turn on ${title}`} busy={turnOn.isPending} onClick={() => turnOn.mutate()}>
            Turn on
          </Button>
        </div>
      )}
    </li>
  )
}

const places = {
  source: { section: 'sources', words: 'Add a source' },
  page_views: { section: 'sites', words: 'Add a site' },
  language_model: { section: 'jobs', words: 'Choose a model' },
} as const satisfies Readonly<Record<ReadyAutomation['lacks'][number]['need'], object>>

type SourcesProps = Pick<Props, 'projectId'> & {
  readonly title: string
  readonly chosen: string | null
  readonly onChoose: (source: string) => void
}

function Sources({ projectId, title, chosen, onChoose }: SourcesProps) {
  const { data = [] } = useQuery(sourcesQuery(projectId))
  if (data.length < 2) return undefined
  return (
    <Select
      name={`Code of ${title}`}
      size="small"
      value={chosen ?? ''}
      options={data.map(({ name }) => ({ value: name, label: name }))}
      onChange={onChoose}
    />
  )
}

function toTrigger({ trigger }: ReadyAutomation, source: string): Pick<NewAutomation, 'trigger'> {
  return trigger.type === 'code' ? { trigger: { ...trigger, source } } : {}
}
