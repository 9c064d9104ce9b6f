// Webhooks from forges: the address to enter there, its secret once, and whether deliveries come.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  createForgeWebhook,
  deleteForgeWebhook,
  forgeNames,
  type ForgeWebhook,
  forgeWebhooksQuery,
  type HookedForge,
  rotateForgeWebhookSecret,
} from '../../../api/project/forge-webhooks.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyBlock } from '../../../ui/copy.tsx'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { ShownOnce } from '../../../ui/overlay/shown-once.tsx'
import { say } from '../../../ui/overlay/toast.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Card } from '../settings/form.tsx'

const forges = Object.keys(forgeNames) as HookedForge[]

type Asked = { readonly verb: 'delete' | 'rotate'; readonly webhook: ForgeWebhook }

export function FromForge({ projectId }: { readonly projectId: string }) {
  const webhooks = useQuery(forgeWebhooksQuery(projectId))
  const [asked, setAsked] = useState<Asked>()
  const [shown, setShown] = useState<ForgeWebhook>()
  return (
    <Card
      title="From a forge"
      about="Docent looks at pull requests and branches at intervals. With a webhook, the forge says at once that something happened. A GitHub App has one already."
    >
      <div className="flex flex-col gap-5">
        {webhooks.isPending && <Skeleton className="h-12" />}
        {webhooks.isError && <Refused error={webhooks.error} retry={() => void webhooks.refetch()} />}
        {webhooks.data?.map((webhook) => (
          <OneWebhook key={webhook.id} webhook={webhook} onAsk={(verb) => setAsked({ verb, webhook })} />
        ))}
        <Add projectId={projectId} onMade={setShown} />
      </div>
      {asked !== undefined && (
        <Question projectId={projectId} asked={asked} onClose={() => setAsked(undefined)} onSecret={setShown} />
      )}
      {typeof shown?.secret === 'string' && (
        <ShownOnce
          name="secret"
          text={shown.secret}
          about={`Enter it at ${forgeNames[shown.forge]}, with the address of the webhook: deliveries are known by it.`}
          onClose={() => setShown(undefined)}
        />
      )}
    </Card>
  )
}

type AddProps = { readonly projectId: string; readonly onMade: (webhook: ForgeWebhook) => void }

function Add({ projectId, onMade }: AddProps) {
  const add = useMutation({
    mutationFn: (forge: HookedForge) => createForgeWebhook(projectId, forge),
    onSuccess: onMade,
  })
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-muted">Add one for</span>
        {forges.map((forge) => (
          <Button
            key={forge}
            size="small"
            busy={add.isPending && add.variables === forge}
            onClick={() => add.mutate(forge)}
          >
            {forgeNames[forge]}
          </Button>
        ))}
      </div>
      {add.isError && <Refused error={add.error} />}
    </div>
  )
}

type QuestionProps = {
  readonly projectId: string
  readonly asked: Asked
  readonly onClose: () => void
  readonly onSecret: (webhook: ForgeWebhook) => void
}

function Question({ projectId, asked: { verb, webhook }, onClose, onSecret }: QuestionProps) {
  if (verb === 'rotate') {
    return (
      <Confirm
        title="Replace the secret?"
        verb="Replace"
        onClose={onClose}
        onConfirm={async () => onSecret(await rotateForgeWebhookSecret(projectId, webhook.id))}
      >
        Deliveries with the one before are refused until you enter the new one at the forge.
      </Confirm>
    )
  }
  return (
    <Confirm
      title="Delete the webhook?"
      verb="Delete"
      onClose={onClose}
      onConfirm={async () => {
        await deleteForgeWebhook(projectId, webhook.id)
        say('The webhook is deleted')
      }}
    >
      Its address takes nothing any more. Delete it at {forgeNames[webhook.forge]}, too.
    </Confirm>
  )
}

type OneProps = { readonly webhook: ForgeWebhook; readonly onAsk: (verb: Asked['verb']) => void }

function OneWebhook({ webhook: { forge, url, deliveredAt, refused, refusedAt }, onAsk }: OneProps) {
  const name = forgeNames[forge]
  return (
    <section aria-label={`Webhook of ${name}`} className="flex flex-col gap-2">
      <CopyBlock name={`The address for ${name}`} text={url} />
      <p className="text-sm text-muted">
        {deliveredAt === null ? (
          'No delivery came yet'
        ) : (
          <>
            Last delivery <RelativeTime at={deliveredAt} />
          </>
        )}
      </p>
      {refusedAt !== null && (
        <p className="text-sm text-bad">
          {refused === 1 ? '1 delivery was' : `${refused} deliveries were`} refused, because the secret did not fit;
          last <RelativeTime at={refusedAt} />
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => onAsk('rotate')} aria-label={`New secret of ${url}`}>
          New secret
        </Button>
        <Button size="small" onClick={() => onAsk('delete')} aria-label={`Delete ${url}`}>
          Delete
        </Button>
      </div>
    </section>
  )
}
