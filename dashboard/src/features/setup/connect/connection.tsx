// The access of a project to its repository: tried when the page opens, with the form for a credential where one is missing.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  accessQuery,
  type Credential,
  credentialQuery,
  deleteCredential,
  proveAccess,
} from '../../../api/connections.ts'
import type { Project } from '../../../api/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { say } from '../../../ui/overlay/toast.tsx'
import { AccessReport } from './access.tsx'
import { CredentialForm } from './credential-form.tsx'
import { Fork } from './fork.tsx'
import { hostOf } from './host.ts'
import { Rules } from './rules.tsx'
import { Signing } from './signing.tsx'

type Props = { readonly project: Project }

export function Connection({ project }: Props) {
  const access = useQuery(accessQuery(project.id))
  const [isEntering, setIsEntering] = useState(false)
  const prove = useMutation({ mutationFn: () => proveAccess(project.id) })
  if (access.isPending) return <Waiting />
  if (access.isError) return <Refused error={access.error} retry={() => void access.refetch()} />
  const hasCredential = access.data.credential !== null
  const isLocal = hostOf(project.repository).origin === undefined
  const isLacking = Object.values(access.data.rights).includes('no')
  const isOpen = !isLocal && (isEntering || (isLacking && !hasCredential))
  return (
    <div className="flex flex-col gap-4">
      <AccessReport {...access.data} repository={project.repository} />
      <Rules projectId={project.id} rules={access.data.rules} check={() => void access.refetch()} />
      {prove.isError && <Refused error={prove.error} />}
      <div className="flex flex-wrap gap-2">
        <Button size="small" busy={access.isFetching} onClick={() => void access.refetch()}>
          Check again
        </Button>
        <Button size="small" busy={prove.isPending} onClick={() => prove.mutate()}>
          {prove.isPending ? 'Trying …' : 'Try a push and a pull request'}
        </Button>
      </div>
      <Fork project={project} access={access.data} />
      {hasCredential && <Stored projectId={project.id} />}
      {isOpen && (
        <div className="rounded-md border border-line p-4">
          <CredentialForm
            projectId={project.id}
            repository={project.repository}
            onStored={() => setIsEntering(false)}
            onCancel={isEntering ? () => setIsEntering(false) : undefined}
          />
        </div>
      )}
      {!isOpen && !isLocal && (
        <div>
          <Button onClick={() => setIsEntering(true)}>
            {hasCredential ? 'Replace the credential' : 'Enter a credential'}
          </Button>
        </div>
      )}
    </div>
  )
}

function Waiting() {
  return (
    <div role="status" className="flex flex-col gap-2">
      <p className="text-muted">Trying the access to the repository …</p>
      <Skeleton className="h-36" />
    </div>
  )
}

const kinds: Readonly<Record<Credential['kind'], string>> = {
  github_app: 'GitHub App',
  token: 'Access token',
  basic: 'User and password',
  ssh: 'Key for ssh',
}

function Stored({ projectId }: { readonly projectId: string }) {
  const [isAsked, setIsAsked] = useState(false)
  const credential = useQuery(credentialQuery(projectId))
  if (credential.isPending) return <Skeleton className="h-16" />
  if (credential.isError) return <Refused error={credential.error} retry={() => void credential.refetch()} />
  const { kind, webUrl, problem, expiresAt, checkedAt, updatedAt } = credential.data
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3 rounded-md border border-line px-3 py-2">
        <div className="min-w-0">
          <p className="font-medium">{kinds[kind]}</p>
          <p className="text-sm text-muted">
            Sent to {webUrl} only. Entered <RelativeTime at={updatedAt} />
            {checkedAt !== null && (
              <>
                , checked <RelativeTime at={checkedAt} />
              </>
            )}
            {expiresAt !== null && (
              <>
                , expires <RelativeTime at={expiresAt} />
              </>
            )}
            .
          </p>
          {problem !== null && <p className="text-sm text-bad">{problem}</p>}
        </div>
        <Button size="small" onClick={() => setIsAsked(true)}>
          Remove
        </Button>
        {isAsked && (
          <Confirm
            title="Remove the credential?"
            verb="Remove"
            onClose={() => setIsAsked(false)}
            onConfirm={async () => {
              await deleteCredential(projectId)
              say('The credential is removed')
            }}
          >
            The secret is deleted from this service. Revoke it at the host, too. Jobs fail until there is another one.
          </Confirm>
        )}
      </div>
      <Signing projectId={projectId} credential={credential.data} />
    </>
  )
}
