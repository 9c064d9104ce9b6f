// The automations of a project: when each starts, its last run, and whether it is on.

import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { may, sessionQuery } from '../../api/people/session.ts'
import { type Automation, automationsQuery, updateAutomation } from '../../api/project/automations.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { AutomationDialog } from './automation-dialog.tsx'
import { Gallery } from './gallery.tsx'
import { ShownSecret } from './shown-secret.tsx'
import { RunBadge, sayNext, sayTrigger } from './words.tsx'

export function Automations() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/automations' })
  const navigate = useNavigate()
  const { data: session } = useSuspenseQuery(sessionQuery)
  const automations = useQuery(automationsQuery(projectId))
  const [isAdding, setIsAdding] = useState(false)
  const [made, setMade] = useState<Automation>()
  const open = ({ id }: Automation) =>
    void navigate({
      to: '/projects/$projectId/automations/$automationId',
      params: { projectId, automationId: id },
    })
  const mayChange = may(session, 'admin')
  const add = mayChange && (
    <Button kind="primary" onClick={() => setIsAdding(true)}>
      New automation
    </Button>
  )
  return (
    <>
      <PageHead
        title="Automations"
        about="Instructions that start jobs by themselves, or when somebody asks for it."
        actions={automations.data?.length === 0 ? undefined : add}
      />
      {automations.isPending && <Skeleton className="h-48" />}
      {automations.isError && <Refused error={automations.error} retry={() => void automations.refetch()} />}
      {automations.data?.length === 0 && (
        <Empty title="There is no automation yet" action={add}>
          An automation starts jobs at the times that you choose. You review their pull requests as always. Turn on a
          ready-made one, or write your own.
        </Empty>
      )}
      {automations.data !== undefined && automations.data.length > 0 && (
        <ul aria-label="Automations" className="divide-y divide-line rounded-lg border border-line">
          {automations.data.map((automation) => (
            <Item key={automation.id} projectId={projectId} automation={automation} mayChange={mayChange} />
          ))}
        </ul>
      )}
      {mayChange && automations.data !== undefined && (
        <Gallery projectId={projectId} automations={automations.data} onMade={open} />
      )}
      {isAdding && (
        <AutomationDialog
          projectId={projectId}
          automation={undefined}
          onClose={() => setIsAdding(false)}
          onSaved={(saved) => (saved.secret === null ? open(saved) : setMade(saved))}
        />
      )}
      {made?.secret != null && <ShownSecret secret={made.secret} onClose={() => open(made)} />}
    </>
  )
}

type ItemProps = { readonly projectId: string; readonly automation: Automation; readonly mayChange: boolean }

function Item({ projectId, automation, mayChange }: ItemProps) {
  const { id, name, enabled, lastRun } = automation
  const toggle = useMutation({ mutationFn: (wanted: boolean) => updateAutomation(projectId, id, { enabled: wanted }) })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <Link
          to="/projects/$projectId/automations/$automationId"
          params={{ projectId, automationId: id }}
          className="font-medium break-words hover:underline"
        >
          {name}
        </Link>
        <p className="text-sm text-muted">
          {sayTrigger(automation)} · {sayNext(automation)}
        </p>
        {toggle.isError && <Refused error={toggle.error} />}
      </div>
      <div className="flex items-center gap-2 text-sm text-muted">
        {lastRun === null ? (
          'Never ran'
        ) : (
          <>
            <RunBadge run={lastRun} />
            <RelativeTime at={lastRun.createdAt} />
          </>
        )}
      </div>
      {mayChange ? (
        <Switch
          label={`${name} is on`}
          checked={enabled}
          busy={toggle.isPending}
          onChange={(on) => toggle.mutate(on)}
        />
      ) : (
        <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'On' : 'Paused'}</Badge>
      )}
    </li>
  )
}
