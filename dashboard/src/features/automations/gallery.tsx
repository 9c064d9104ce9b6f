// The ready-made automations that a project does not have yet: turned on by one click, or what is lacking for that.

import { useMutation, useQuery } from '@tanstack/react-query'
import {
  type Automation,
  createAutomation,
  type ReadyAutomation,
  readyAutomationsQuery,
} from '../../api/project/automations.ts'
import { Words } from '../../prose/prose.tsx'
import { Button } from '../../ui/button.tsx'
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
  const turnOn = useMutation({ mutationFn: () => createAutomation(projectId, { kind }), onSuccess: onMade })
  return (
    <li aria-label={title} className="flex flex-col gap-2 rounded-lg border border-line p-4">
      <h3 className="font-medium">{title}</h3>
      <Words className="text-sm" text={description} />
      <p className="text-sm text-muted">{sayTrigger(ready)}</p>
      {lacks.map(({ need, message }) => (
        <Words key={need} className="text-sm text-muted" text={`It ${message}.`} />
      ))}
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
