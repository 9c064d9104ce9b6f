// Chooses an installation of a GitHub App of this service, or creates the App first.

import { useQuery } from '@tanstack/react-query'
import { type ForgeApp, forgeAppCheckQuery, forgeAppsQuery } from '../../../api/connections.ts'
import { Choices } from '../../../ui/form/choice.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import { scopeOf } from '../apps/scope.ts'
import { CreateApp } from '../apps/create-app.tsx'
import type { FieldsProps } from './credential-fields.tsx'

export function InstallationChoice({ host, given, change, problem }: FieldsProps) {
  const apps = useQuery(forgeAppsQuery)
  if (apps.isPending) return <Skeleton className="h-24" />
  if (apps.isError) return <Refused error={apps.error} retry={() => void apps.refetch()} />
  const app = apps.data.find(({ webUrl }) => webUrl === host.origin)
  if (!app) {
    const webUrl = host.origin ?? 'https://github.com'
    return (
      <div className="flex flex-col gap-3 rounded-md border border-line p-4">
        <p>This service has no GitHub App on {webUrl} yet. GitHub creates one with a click.</p>
        <CreateApp webUrl={webUrl} />
      </div>
    )
  }
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
            hint: scopeOf({ repositories, isSuspended }),
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
