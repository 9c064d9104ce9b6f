// One automation: what it does, when it starts next, and what became of its runs.

import { useInfiniteQuery, useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { createRequestKey } from '../../api/job/request-key.ts'
import { formatCost } from '../../api/job/status.ts'
import { may, sessionQuery } from '../../api/people/session.ts'
import {
  type Automation,
  automationQuery,
  type AutomationRun,
  automationRunsQuery,
  deleteAutomation,
  runAutomation,
  updateAutomation,
} from '../../api/project/automations.ts'
import { Button } from '../../ui/button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { Refused, Skeleton } from '../../ui/notice.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { say } from '../../ui/overlay/toast.tsx'
import { PageHead } from '../../ui/page.tsx'
import { formatExact, RelativeTime } from '../../ui/relative-time.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { AutomationDialog } from './automation-dialog.tsx'
import { EventAddress } from './event-address.tsx'
import { AutomationFacts } from './facts.tsx'
import { RunFailuresOf } from './run-failures.tsx'
import { ShownSecret } from './shown-secret.tsx'
import { RunBadge, RunJob } from './words.tsx'

export function AutomationPage() {
  const { projectId, automationId } = useParams({ from: '/shell/projects/$projectId/automations/$automationId' })
  const { data: automation } = useSuspenseQuery(automationQuery(projectId, automationId))
  return (
    <>
      <PageHead title={automation.name} actions={<Actions projectId={projectId} automation={automation} />} />
      <AutomationFacts projectId={projectId} automation={automation} />
      {automation.eventAddress !== null && (
        <EventAddress projectId={projectId} automation={automation} address={automation.eventAddress} />
      )}
      <section aria-labelledby="runs" className="mt-8">
        <h2 id="runs" className="mb-3 text-lg font-semibold">
          Runs
        </h2>
        <Runs projectId={projectId} automation={automation} />
      </section>
    </>
  )
}

type Props = { readonly projectId: string; readonly automation: Automation }

function Actions({ projectId, automation }: Props) {
  const { id, name, enabled } = automation
  const { data: session } = useSuspenseQuery(sessionQuery)
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const toggle = useMutation({ mutationFn: (wanted: boolean) => updateAutomation(projectId, id, { enabled: wanted }) })
  const [secret, setSecret] = useState<string>()
  const close = () => setAsked(undefined)
  return (
    <>
      {may(session, 'admin') && (
        <>
          <span className="flex items-center gap-2 px-2 text-sm">
            <Switch
              label={`${name} is on`}
              checked={enabled}
              busy={toggle.isPending}
              onChange={(on) => toggle.mutate(on)}
            />
            {enabled ? 'On' : 'Paused'}
          </span>
          <Button onClick={() => setAsked('edit')}>Edit</Button>
          <Button onClick={() => setAsked('delete')}>Delete</Button>
        </>
      )}
      {may(session, 'editor') && <RunNow projectId={projectId} automation={automation} />}
      {toggle.isError && <Refused error={toggle.error} />}
      {asked === 'edit' && (
        <AutomationDialog
          projectId={projectId}
          automation={automation}
          onClose={close}
          onSaved={(saved) => {
            say('Saved')
            if (saved.secret !== null) setSecret(saved.secret)
          }}
        />
      )}
      {secret !== undefined && <ShownSecret secret={secret} onClose={() => setSecret(undefined)} />}
      {asked === 'delete' && (
        <Confirm
          title={`Delete ${name}?`}
          verb="Delete"
          onClose={close}
          onConfirm={async () => {
            await deleteAutomation(projectId, id)
            say(`${name} is deleted`)
            await navigate({ to: '/projects/$projectId/automations', params: { projectId } })
          }}
        >
          It starts no more jobs, and the list of its runs is gone. Their jobs and pull requests stay.
        </Confirm>
      )}
    </>
  )
}

function RunNow({ projectId, automation: { id, enabled } }: Props) {
  const key = useRef(createRequestKey())
  const run = useMutation({
    mutationFn: () => runAutomation(projectId, id, key.current),
    onSuccess: ({ jobId, reason }) => say(jobId === null ? (reason ?? 'The run waits') : 'A run has started'),
    onSettled: () => (key.current = createRequestKey()),
  })
  return (
    <>
      <Button kind="primary" disabled={!enabled} busy={run.isPending} onClick={() => run.mutate()}>
        Run now
      </Button>
      {run.isError && <Refused error={run.error} />}
    </>
  )
}

function Runs({ projectId, automation: { id } }: Props) {
  const pages = useInfiniteQuery(automationRunsQuery(projectId, id))
  if (pages.isPending) return <Skeleton className="h-32" />
  if (pages.isError) return <Refused error={pages.error} retry={() => void pages.refetch()} />
  const runs = pages.data.pages.flatMap((page) => page.runs)
  if (runs.length === 0) return <p className="text-muted">It never ran.</p>
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="w-full">
        <Table name="Runs" columns={columnsFor(projectId, id)} rows={runs} keyOf={(run) => run.id} />
      </div>
      {pages.hasNextPage && (
        <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Older runs
        </Button>
      )}
    </div>
  )
}

function columnsFor(projectId: string, automationId: string): readonly Column<AutomationRun>[] {
  return [
    { head: 'Status', cell: (run) => <RunBadge run={run} /> },
    { head: 'Started', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      head: 'By',
      cell: ({ trigger }) => <StartedBy trigger={trigger} />,
    },
    {
      head: 'Result',
      cell: (run) => (
        <span className="flex flex-wrap gap-x-3">
          <RunJob projectId={projectId} run={run} />
          {run.prLink !== null && <ExternalLink href={run.prLink}>Pull request</ExternalLink>}
          {run.reason !== null && <bdi className="text-muted">{run.reason}</bdi>}
          {run.givenPages > 0 && <RunFailuresOf projectId={projectId} automationId={automationId} run={run} />}
        </span>
      ),
    },
    { head: 'Cost', cell: ({ usage }) => (usage?.costUsd ? formatCost(usage.costUsd) : ''), align: 'right' },
  ]
}

function StartedBy({ trigger }: Pick<AutomationRun, 'trigger'>) {
  if (trigger.type === 'person') return trigger.name
  if (trigger.type === 'event') return trigger.name ?? 'Event'
  if (!('slot' in trigger)) return trigger.type === 'docs' ? 'Docs changed' : 'Code merged'
  return <BySchedule slot={trigger.slot} />
}

function BySchedule({ slot }: { readonly slot: string }) {
  return <span title={`Due at ${formatExact(slot)}`}>Schedule</span>
}
