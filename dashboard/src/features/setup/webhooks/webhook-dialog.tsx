// Adds a webhook, or changes one: its address, its format, and the events that it gets.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../../api/problem.ts'
import {
  allEvents,
  createWebhook,
  eventNames,
  type EventType,
  toTypes,
  updateWebhook,
  type Webhook,
} from '../../../api/project/webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { Checklist } from '../../../ui/form/checklist.tsx'
import { Choices } from '../../../ui/form/choice.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'

type Props = {
  readonly projectId: string
  /** Undefined: a new one. */
  readonly webhook: Webhook | undefined
  readonly onClose: () => void
  readonly onSaved: (webhook: Webhook) => void
}

const formats = [
  { value: 'standard', label: 'Standard Webhooks', hint: 'JSON, signed with a secret. For programs.' },
  { value: 'slack', label: 'Slack', hint: 'A message, for the address of an incoming webhook of Slack.' },
] as const

export function WebhookDialog({ projectId, webhook, onClose, onSaved }: Props) {
  const isSlack = webhook?.format === 'slack'
  const [url, setUrl] = useState(isSlack ? '' : (webhook?.url ?? ''))
  const [format, setFormat] = useState<Webhook['format']>(webhook?.format ?? 'standard')
  const [events, setEvents] = useState<readonly EventType[]>(webhook?.events ?? allEvents)
  const address = url.trim()
  const save = useMutation({
    mutationFn: () =>
      webhook === undefined
        ? createWebhook(projectId, { url: address, format, events: [...events] })
        : updateWebhook(projectId, webhook.id, { ...(address === '' ? {} : { url: address }), events: [...events] }),
    onSuccess: (saved) => {
      onClose()
      onSaved(saved)
    },
  })
  const problem = save.error instanceof Problem ? save.error : undefined
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={webhook === undefined ? 'Add a webhook' : 'Edit the webhook'}
      keep
      footer={<Buttons isBusy={save.isPending} isReady={events.length > 0} onClose={onClose} />}
    >
      <form
        id="webhook"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        {webhook === undefined && <Choices legend="Format" value={format} onChange={setFormat} choices={formats} />}
        <Field
          label="Address"
          hint={
            isSlack ? 'Empty: the address stays as it is. It is not shown, because who knows it may post.' : undefined
          }
          problem={problem?.of('url')}
        >
          <Input
            required={!isSlack}
            inputMode="url"
            spellCheck={false}
            maxLength={2_000}
            placeholder={format === 'slack' ? 'https://hooks.slack.com/services/…' : 'https://example.com/hooks'}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
        </Field>
        <Events events={events} onChange={setEvents} />
        {save.isError && (problem?.details.length ?? 0) === 0 && <Refused error={save.error} />}
      </form>
    </Dialog>
  )
}

type EventsProps = { readonly events: readonly EventType[]; readonly onChange: (events: readonly EventType[]) => void }

function Events({ events, onChange }: EventsProps) {
  return (
    <Checklist
      legend="Events"
      hint="At least one."
      names={allEvents.map((type) => eventNames[type])}
      chosen={new Set(events.map((type) => eventNames[type]))}
      onChange={(names) => onChange(toTypes(new Set(names)))}
    />
  )
}

type ButtonsProps = { readonly isBusy: boolean; readonly isReady: boolean; readonly onClose: () => void }

function Buttons({ isBusy, isReady, onClose }: ButtonsProps) {
  return (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="webhook" kind="primary" busy={isBusy} disabled={!isReady}>
        Save
      </Button>
    </>
  )
}
