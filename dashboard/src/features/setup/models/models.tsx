// The providers whose models jobs can use: their keys, and the models with their prices.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { checkModelKey, deleteModelKey, type ModelKey, modelKeysQuery, providerNames } from '../../../api/models.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Empty, Refused, Skeleton } from '../../../ui/notice.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { say } from '../../../ui/overlay/toast.tsx'
import { CheckResult, ModelKeyForm } from './model-key-form.tsx'
import { ModelTable } from './model-table.tsx'

export function Models() {
  const keys = useQuery(modelKeysQuery)
  const [isAdding, setIsAdding] = useState(false)
  const add = (
    <Button kind="primary" onClick={() => setIsAdding(true)}>
      Add a key
    </Button>
  )
  return (
    <>
      <PageHead
        title="Models"
        about="Jobs use the built-in model, or one of a provider whose key is here. Keys are stored encrypted and never shown."
        actions={keys.data && keys.data.length > 0 && add}
      />
      {keys.isPending && <Skeleton className="h-32" />}
      {keys.isError && <Refused error={keys.error} retry={() => void keys.refetch()} />}
      {keys.data?.length === 0 && (
        <Empty title="There is no key of a provider yet" action={add}>
          The built-in model renames, replaces and fixes links. A key of Anthropic, OpenAI, Google or your own server
          lets jobs do anything that you can describe.
        </Empty>
      )}
      <ul className="flex flex-col gap-3">
        {keys.data?.map((key) => (
          <KeyCard key={key.provider} modelKey={key} />
        ))}
      </ul>
      <h2 className="mt-8 mb-3 text-lg font-semibold">Models that can be used</h2>
      <ModelTable />
      {isAdding && (
        <Dialog open onOpenChange={(open) => !open && setIsAdding(false)} title="Add a key">
          <ModelKeyForm onDone={() => setIsAdding(false)} />
        </Dialog>
      )}
    </>
  )
}

function KeyCard({ modelKey }: { readonly modelKey: ModelKey }) {
  const { provider, source, isStored, hint, baseUrl, problem, checkedAt } = modelKey
  const [asked, setAsked] = useState<'replace' | 'delete'>()
  const check = useMutation({ mutationFn: () => checkModelKey(provider, undefined) })
  const name = providerNames[provider]
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 rounded-lg border border-line px-4 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {problem !== null && <Badge tone="bad">Cannot be used</Badge>}
          {problem === null && checkedAt !== null && <Badge tone="good">Works</Badge>}
        </p>
        <p className="text-sm text-muted">
          {source === 'environment' ? 'From the environment of the service' : `Stored, ends with ${hint ?? 'nothing'}`}
          {source === 'environment' && isStored && ', which wins over the stored one'}
          {baseUrl !== null && `, at ${baseUrl}`}
          {checkedAt !== null && (
            <>
              , tested <RelativeTime at={checkedAt} />
            </>
          )}
        </p>
        {problem !== null && check.data === undefined && <p className="mt-1 text-sm text-bad">{problem}</p>}
        {check.isError && <Refused error={check.error} />}
        {check.isSuccess && <CheckResult check={check.data} />}
      </div>
      <div className="flex flex-wrap gap-2">
        {provider !== 'compatible' && (
          <Button size="small" busy={check.isPending} onClick={() => check.mutate()} aria-label={`Test ${name}`}>
            Test
          </Button>
        )}
        <Button size="small" onClick={() => setAsked('replace')} aria-label={`Replace the key of ${name}`}>
          Replace
        </Button>
        {isStored && (
          <Button size="small" onClick={() => setAsked('delete')} aria-label={`Delete the key of ${name}`}>
            Delete
          </Button>
        )}
      </div>
      <Asked asked={asked} provider={provider} onClose={() => setAsked(undefined)} />
    </li>
  )
}

type AskedProps = {
  readonly asked: 'replace' | 'delete' | undefined
  readonly provider: ModelKey['provider']
  readonly onClose: () => void
}

function Asked({ asked, provider, onClose }: AskedProps) {
  const name = providerNames[provider]
  return (
    <>
      {asked === 'replace' && (
        <Dialog open onOpenChange={(open) => !open && onClose()} title={`Replace the key of ${name}`}>
          <ModelKeyForm provider={provider} onDone={onClose} />
        </Dialog>
      )}
      {asked === 'delete' && (
        <Confirm
          title={`Delete the key of ${name}?`}
          verb="Delete"
          onClose={onClose}
          onConfirm={async () => {
            await deleteModelKey(provider)
            say(`The key of ${name} is deleted`)
          }}
        >
          Jobs of projects with a model of {name} fail until there is another key.
        </Confirm>
      )}
    </>
  )
}
