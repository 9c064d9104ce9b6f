// One GitHub App: its owner, its projects, a check at GitHub, and its removal from this service.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { deleteForgeApp, type ForgeApp, type ForgeAppCheck, forgeAppCheckQuery } from '../../../api/connections.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { say } from '../../../ui/overlay/toast.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { scopeOf } from './scope.ts'

type Props = { readonly app: ForgeApp }

export function AppCard({ app }: Props) {
  const [isRemoving, setIsRemoving] = useState(false)
  const check = useQuery({ ...forgeAppCheckQuery(app.id), enabled: false })
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 rounded-lg border border-line px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 font-medium break-words">
          <ExternalLink href={app.pageUrl}>{app.name}</ExternalLink>
          {app.problem !== null && <Badge tone="bad">Cannot be used</Badge>}
        </p>
        <p className="text-sm break-words text-muted">
          {app.owner === null ? 'On' : `Of ${app.owner} on`} {new URL(app.webUrl).host}, App ID {app.appId}, stored{' '}
          <RelativeTime at={app.createdAt} />
        </p>
        <Projects app={app} />
        {app.problem !== null && <p className="mt-1 text-sm break-words text-bad">{app.problem}</p>}
        {check.isError && !check.isFetching && <Refused error={check.error} />}
        {check.isSuccess && <Checked app={app} check={check.data} />}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          busy={check.isFetching}
          onClick={() => void check.refetch()}
          aria-label={`Check ${app.name}`}
        >
          Check
        </Button>
        <Button size="small" onClick={() => setIsRemoving(true)} aria-label={`Remove ${app.name}`}>
          Remove
        </Button>
      </div>
      {isRemoving && <Remove app={app} onClose={() => setIsRemoving(false)} />}
    </li>
  )
}

function Projects({ app: { projects } }: Props) {
  if (projects.length === 0) return <p className="text-sm text-muted">No project uses it.</p>
  return (
    <p className="text-sm break-words">
      Used by{' '}
      {projects.map(({ id, name }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <Link
            to="/projects/$projectId/settings/$section"
            params={{ projectId: id, section: 'repository' }}
            className="text-accent underline underline-offset-2"
          >
            {name}
          </Link>
        </Fragment>
      ))}
    </p>
  )
}

/** Announced when it appears. */
function Checked({ app, check: { missing, installations } }: Props & { readonly check: ForgeAppCheck }) {
  return (
    <div role="status" className="mt-2 text-sm">
      {missing.length === 0 ? (
        <p className="text-good">It has every permission that it needs.</p>
      ) : (
        missing.map(({ permission, remedy }) => (
          <p key={permission} className="break-words text-bad">
            {remedy}
          </p>
        ))
      )}
      {installations.length > 0 && (
        <ul aria-label={`Installations of ${app.name}`} className="mt-1">
          {installations.map(({ id, account, settingsUrl, repositories, isSuspended }) => (
            <li key={id}>
              <ExternalLink href={settingsUrl}>{account}</ExternalLink>: {scopeOf({ repositories, isSuspended })}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-1">
        {installations.length === 0 && 'It is not installed yet. '}
        <ExternalLink href={app.installUrl}>Install it on repositories</ExternalLink>
      </p>
    </div>
  )
}

function Remove({ app, onClose }: Props & { readonly onClose: () => void }) {
  return (
    <Confirm
      title={`Remove ${app.name}?`}
      verb="Remove"
      onClose={onClose}
      onConfirm={async () => {
        await deleteForgeApp(app.id)
        say(`${app.name} is removed`)
      }}
    >
      {consequenceOf(app)} The App stays on GitHub: delete it there, too.
    </Confirm>
  )
}

function consequenceOf({ projects }: ForgeApp): string {
  if (projects.length === 0) return 'No project uses it. This service forgets its private key.'
  const names = projects.map(({ name }) => name).join(', ')
  return `Jobs of ${names} can no longer reach their repositories, until the same App is stored again or the project gets another credential. This service forgets its private key.`
}
