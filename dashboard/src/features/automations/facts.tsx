// The settings of an automation, in words.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Automation, readyAutomationsQuery } from '../../api/project/automations.ts'
import { formatExact } from '../../ui/relative-time.tsx'
import { limitNames } from './draft.ts'
import { sayNext, sayTrigger } from './words.tsx'

type Props = { readonly projectId: string; readonly automation: Automation }

export function AutomationFacts({ projectId, automation }: Props) {
  const { kind, options, instructions, scope, sources, model, grouping, budgets, caps, endsAt, position } = automation
  const limits = [...sayLimits(caps), ...sayLimits(budgets)]
  return (
    <div className="flex flex-col gap-4">
      {kind !== 'custom' && <ReadyText projectId={projectId} kind={kind} />}
      {instructions !== '' && (
        <p className="max-w-prose rounded-lg border border-line bg-raised p-4 break-words whitespace-pre-wrap">
          <bdi>{instructions}</bdi>
        </p>
      )}
      <dl className="grid gap-4 sm:grid-cols-3">
        <Fact name="Starts">{sayTrigger(automation)}</Fact>
        {Object.keys(options).length > 0 && (
          <Fact name="Parts">
            {Object.keys(options)
              .filter((name) => options[name])
              .join(', ')}
          </Fact>
        )}
        <Fact name="Next">{sayNext(automation)}</Fact>
        {position !== null && <Fact name="Branch">{sayPosition(position)}</Fact>}
        {endsAt !== null && <Fact name="Ends">{formatExact(endsAt)}</Fact>}
        <Fact name="Paths">
          {scope.length === 0 ? 'All that the project allows' : <span className="font-mono">{scope.join(' ')}</span>}
        </Fact>
        <Fact name="Sources">{sources === null ? 'All' : sources.join(', ') || 'No source'}</Fact>
        <Fact name="Model">{model ?? 'As in the project'}</Fact>
        <Fact name="Pull requests">
          {sayUpdate(automation)}, {grouping === 'one' ? 'one that runs add to' : 'one for each run'}
        </Fact>
        {limits.length > 0 && <Fact name="Limits">{limits.join(', ')}</Fact>}
      </dl>
      {position !== null && <PositionNotices position={position} />}
    </div>
  )
}

type Position = NonNullable<Automation['position']>

function sayPosition({ branch, commit }: Position): ReactNode {
  if (branch === null || commit === null) return 'Not read yet'
  return (
    <>
      <bdi>{branch}</bdi> at <span className="font-mono">{commit.slice(0, 12)}</span>
    </>
  )
}

function PositionNotices({ position: { note, error, setAside } }: { readonly position: Position }) {
  const count = setAside === 1 ? '1 commit is set aside' : `${setAside} commits are set aside`
  const notices = [
    error === null ? '' : `The branch cannot be read: ${error}`,
    note ?? '',
    setAside === 0 ? '' : `${count}: runs failed with them, and no run takes them by itself again.`,
  ].filter((text) => text !== '')
  return notices.map((text) => (
    <p key={text} className="max-w-prose rounded-lg border border-line bg-warn-soft px-4 py-3">
      <bdi>{text}</bdi>
    </p>
  ))
}

function sayUpdate({ update, mergeWithoutChecks }: Automation): string {
  if (update === 'pull_request') return 'As in the project'
  if (update === 'draft') return 'Drafts'
  return mergeWithoutChecks ? 'Merged, also without checks' : 'Merged when their checks are green'
}

function ReadyText({ projectId, kind }: Pick<Props, 'projectId'> & Pick<Automation, 'kind'>) {
  const { data } = useQuery(readyAutomationsQuery(projectId))
  const ready = data?.find((one) => one.kind === kind)
  if (!ready) return undefined
  return (
    <details className="max-w-prose rounded-lg border border-line">
      <summary className="cursor-pointer px-4 py-2 hover:text-text">{ready.description}</summary>
      <p className="border-t border-line p-4 text-sm break-words whitespace-pre-wrap">{ready.instructions}</p>
    </details>
  )
}

function sayLimits(limits: Readonly<Record<string, number | null>>): readonly string[] {
  return Object.entries(limits).flatMap(([name, limit]) => {
    const label = limitNames.get(name)
    return limit === null || label === undefined ? [] : [`${label}: ${limit.toLocaleString('en')}`]
  })
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  )
}
