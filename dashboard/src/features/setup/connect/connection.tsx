// The access of a project to its repository: tried when the page opens, with the form for a credential where one is missing.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accessQuery, credentialQuery, deleteCredential, proveAccess, putCredential } from '../../../api/connections.ts'
import type { Project } from '../../../api/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import { AccessReport } from './access.tsx'
import { CredentialForm } from './credential-form.tsx'
import { Fork } from './fork.tsx'
import { hostOf } from './host.ts'
import { Rules } from './rules.tsx'
import { Signing } from './signing.tsx'
import { Stored } from './stored.tsx'

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
      {hasCredential && <StoredOfProject projectId={project.id} />}
      {isOpen && (
        <div className="rounded-md border border-line p-4">
          <CredentialForm
            repository={project.repository}
            put={(given) => putCredential(project.id, given)}
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

function StoredOfProject({ projectId }: { readonly projectId: string }) {
  const credential = useQuery(credentialQuery(projectId))
  if (credential.isPending) return <Skeleton className="h-16" />
  if (credential.isError) return <Refused error={credential.error} retry={() => void credential.refetch()} />
  return (
    <>
      <Stored credential={credential.data} remove={() => deleteCredential(projectId)}>
        Jobs fail until there is another one.
      </Stored>
      <Signing projectId={projectId} credential={credential.data} />
    </>
  )
}
