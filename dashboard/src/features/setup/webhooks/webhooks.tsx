// The webhooks of a project: where its events are sent, whether they arrive, and why one was disabled; and those from forges.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Project } from '../../../api/projects.ts'
import {
  deleteWebhook,
  eventNames,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
  webhooksQuery,
} from '../../../api/project/webhooks.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/form/switch.tsx'
import { Empty, Refused, Skeleton } from '../../../ui/notice.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { ShownOnce } from '../../../ui/overlay/shown-once.tsx'
import { say } from '../../../ui/overlay/toast.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Card } from '../settings/form.tsx'
import { Deliveries } from './deliveries.tsx'
import { FromForge } from './from-forge.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'

type Asked = { readonly verb: 'edit' | 'delete' | 'rotate'; readonly webhook: Webhook } | { readonly verb: 'create' }

export function Webhooks({ project }: { readonly project: Project }) {
  const webhooks = useQuery(webhooksQuery(project.id))
  const [asked, setAsked] = useState<Asked>()
  const [secret, setSecret] = useState<string>()
  const add = (
    <Button kind="primary" onClick={() => setAsked({ verb: 'create' })}>
      Add a webhook
    </Button>
  )
  if (webhooks.isPending) return <Skeleton className="h-48" />
  if (webhooks.isError) return <Refused error={webhooks.error} retry={() => void webhooks.refetch()} />
  return (
    <>
      {webhooks.data.length === 0 ? (
        <Empty title="There is no webhook yet" action={add}>
          A webhook tells another system, or a channel of Slack, what happens to jobs, pull requests and automations.
        </Empty>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-muted">Events that cannot be delivered are sent again over three days.</p>
          {add}
        </div>
      )}
      {webhooks.data.map((webhook) => (
        <WebhookCard
          key={webhook.id}
          projectId={project.id}
          webhook={webhook}
          onAsk={(verb) => setAsked({ verb, webhook })}
        />
      ))}
      <FromForge projectId={project.id} />
      {asked !== undefined && (
        <Dialogs
          projectId={project.id}
          asked={asked}
          onClose={() => setAsked(undefined)}
          onSecret={(shown) => setSecret(shown ?? undefined)}
        />
      )}
      {secret !== undefined && (
        <ShownOnce
          name="secret"
          text={secret}
          about="It signs the requests, as Standard Webhooks defines it: the receiver checks them with it."
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}

type DialogsProps = {
  readonly projectId: string
  readonly asked: Asked
  readonly onClose: () => void
  readonly onSecret: (secret: string | null) => void
}

function Dialogs({ projectId, asked, onClose, onSecret }: DialogsProps) {
  if (asked.verb === 'create' || asked.verb === 'edit') {
    return (
      <WebhookDialog
        projectId={projectId}
        webhook={asked.verb === 'edit' ? asked.webhook : undefined}
        onClose={onClose}
        onSaved={({ secret }) => onSecret(secret)}
      />
    )
  }
  const { id } = asked.webhook
  if (asked.verb === 'rotate') {
    return (
      <Confirm
        title="Replace the secret?"
        verb="Replace"
        onClose={onClose}
        onConfirm={async () => onSecret((await rotateWebhookSecret(projectId, id)).secret)}
      >
        Requests are signed with the new one at once: the receiver refuses them until it has it.
      </Confirm>
    )
  }
  return (
    <Confirm
      title="Delete the webhook?"
      verb="Delete"
      onClose={onClose}
      onConfirm={async () => {
        await deleteWebhook(projectId, id)
        say('The webhook is deleted')
      }}
    >
      Nothing is sent to {asked.webhook.url} any more, and the list of its deliveries is gone.
    </Confirm>
  )
}

type CardProps = {
  readonly projectId: string
  readonly webhook: Webhook
  readonly onAsk: (verb: 'edit' | 'delete' | 'rotate') => void
}

function WebhookCard({ projectId, webhook, onAsk }: CardProps) {
  const { id, url, format, events, enabled, disabledBecause, endsAt, deliveredAt } = webhook
  const [isOpen, setIsOpen] = useState(false)
  const toggle = useMutation({ mutationFn: (wanted: boolean) => updateWebhook(projectId, id, { enabled: wanted }) })
  return (
    <Card title={new URL(url).host} about={format === 'slack' ? 'Messages for Slack' : undefined}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <bdi className="min-w-0 flex-1 basis-60 font-mono text-sm break-all">{url}</bdi>
          {disabledBecause !== null && <Badge tone="bad">Disabled</Badge>}
          <Switch
            label={`${url} is on`}
            checked={enabled}
            busy={toggle.isPending}
            onChange={(on) => toggle.mutate(on)}
          />
        </div>
        {disabledBecause !== null && (
          <p className="text-sm text-bad">
            Disabled by the service: <bdi>{disabledBecause}</bdi>. Turn it on when the receiver is repaired.
          </p>
        )}
        {toggle.isError && <Refused error={toggle.error} />}
        <p className="text-sm text-muted">{events.map((type) => eventNames[type]).join(', ')}</p>
        <p className="text-sm text-muted">
          {deliveredAt === null ? (
            'Nothing was delivered yet'
          ) : (
            <>
              Last delivered <RelativeTime at={deliveredAt} />
            </>
          )}
          {endsAt !== null && (
            <>
              {' · '}Ends <RelativeTime at={endsAt} />
            </>
          )}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            Deliveries
          </Button>
          <Test projectId={projectId} webhook={webhook} onSent={() => setIsOpen(true)} />
          <Button size="small" onClick={() => onAsk('edit')} aria-label={`Edit ${url}`}>
            Edit
          </Button>
          {format === 'standard' && (
            <Button size="small" onClick={() => onAsk('rotate')} aria-label={`New secret of ${url}`}>
              New secret
            </Button>
          )}
          <Button size="small" onClick={() => onAsk('delete')} aria-label={`Delete ${url}`}>
            Delete
          </Button>
        </div>
        {isOpen && <Deliveries projectId={projectId} webhook={webhook} />}
      </div>
    </Card>
  )
}

type TestProps = { readonly projectId: string; readonly webhook: Webhook; readonly onSent: () => void }

function Test({ projectId, webhook: { id, url, enabled }, onSent }: TestProps) {
  const test = useMutation({ mutationFn: () => testWebhook(projectId, id), onSuccess: onSent })
  return (
    <>
      <Button
        size="small"
        disabled={!enabled}
        busy={test.isPending}
        onClick={() => test.mutate()}
        aria-label={`Send a test to ${url}`}
      >
        Send a test
      </Button>
      {test.isError && <Refused error={test.error} />}
    </>
  )
}
