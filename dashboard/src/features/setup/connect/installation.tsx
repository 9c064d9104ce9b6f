// Chooses an installation of a GitHub App of this service, or creates the App first.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { beginForgeApp, type ForgeApp, forgeAppCheckQuery, forgeAppsQuery } from '../../../api/connections.ts'
import { Problem } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Choices } from '../../../ui/form/choice.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import type { FieldsProps } from './credential-fields.tsx'

export function InstallationChoice({ host, given, change, problem }: FieldsProps) {
  const apps = useQuery(forgeAppsQuery)
  if (apps.isPending) return <Skeleton className="h-24" />
  if (apps.isError) return <Refused error={apps.error} retry={() => void apps.refetch()} />
  const app = apps.data.find(({ webUrl }) => webUrl === host.origin)
  if (!app) return <CreateApp webUrl={host.origin ?? 'https://github.com'} />
  return (
    <>
      <Installations app={app} given={given} change={change} />
      {problem?.of('installationId') !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {problem.of('installationId')}
        </p>
      )}
    </>
  )
}

type ListProps = Pick<FieldsProps, 'given' | 'change'> & { readonly app: ForgeApp }

function Installations({ app, given, change }: ListProps) {
  const check = useQuery(forgeAppCheckQuery(app.id))
  if (check.isPending) return <Skeleton className="h-24" />
  if (check.isError) return <Refused error={check.error} retry={() => void check.refetch()} />
  const { installations } = check.data
  return (
    <div className="flex flex-col gap-3">
      {installations.length > 0 && (
        <Choices
          legend={`Installations of ${app.name}`}
          value={String(given.installationId ?? '')}
          onChange={(id) => change({ installationId: Number(id) })}
          choices={installations.map(({ id, account, repositories, isSuspended }) => ({
            value: String(id),
            label: account,
            hint: isSuspended
              ? 'Suspended on GitHub'
              : repositories === 'all'
                ? 'All repositories'
                : 'Selected repositories',
          }))}
        />
      )}
      <p className="text-sm text-muted">
        {installations.length === 0 ? `${app.name} is not installed yet. ` : 'Another account? '}
        <ExternalLink href={app.installUrl}>Install it on GitHub</ExternalLink>, then{' '}
        <button type="button" className="cursor-pointer text-accent underline" onClick={() => void check.refetch()}>
          look again
        </button>
        .
      </p>
    </div>
  )
}

/** The page opens in another tab: GitHub sends the person back to the service when the App exists. */
function CreateApp({ webUrl }: { readonly webUrl: string }) {
  const [name, setName] = useState('Docent')
  const [organization, setOrganization] = useState('')
  const begin = useMutation({
    mutationFn: () => beginForgeApp({ webUrl, name, organization: organization === '' ? null : organization }),
  })
  const problem = begin.error instanceof Problem ? begin.error : undefined
  const apps = useQuery({ ...forgeAppsQuery, refetchOnWindowFocus: 'always' })
  return (
    <div className="flex flex-col gap-3 rounded-md border border-line p-4">
      <p>This service has no GitHub App on {webUrl} yet. GitHub creates one with a click.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name of the App" hint="Unique on GitHub." problem={problem?.of('name')}>
          <Input value={name} maxLength={34} onChange={(event) => setName(event.currentTarget.value)} />
        </Field>
        <Field label="Organization" hint="Empty: your own account." problem={problem?.of('organization')}>
          <Input value={organization} onChange={(event) => setOrganization(event.currentTarget.value)} />
        </Field>
      </div>
      {begin.isError && problem?.details.length === 0 && <Refused error={begin.error} />}
      {begin.isSuccess ? (
        <p role="status">
          <ExternalLink href={begin.data.openUrl}>Continue on GitHub</ExternalLink>. When the App is created and
          installed, come back and{' '}
          <button type="button" className="cursor-pointer text-accent underline" onClick={() => void apps.refetch()}>
            look again
          </button>
          .
        </p>
      ) : (
        <div>
          <Button busy={begin.isPending} onClick={() => begin.mutate()}>
            Create a GitHub App
          </Button>
        </div>
      )}
    </div>
  )
}
