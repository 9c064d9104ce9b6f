// How the service signs in at the host of a source: shown, entered and removed. The credential of the project is never used.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  deleteSourceCredential,
  putSourceCredential,
  type Source,
  sourceCredentialQuery,
} from '../../../api/project/sources.ts'
import { Button } from '../../../ui/button.tsx'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import { CredentialForm } from '../connect/credential-form.tsx'
import { hostOf } from '../connect/host.ts'
import { Stored } from '../connect/stored.tsx'

type Props = { readonly projectId: string; readonly source: Source }

export function SourceCredential({ projectId, source }: Props) {
  const [isEntering, setIsEntering] = useState(false)
  const { name, repository, access } = source
  const hasCredential = access !== null && access.credential !== null
  if (hostOf(repository).origin === undefined) return null
  const isOpen = isEntering || (access?.read === 'no' && !hasCredential)
  return (
    <>
      {hasCredential && <StoredOfSource projectId={projectId} source={source} />}
      {isOpen ? (
        <div className="rounded-md border border-line p-4">
          <CredentialForm
            repository={repository}
            isReadOnly
            put={(given) => putSourceCredential(projectId, source, given)}
            onStored={() => setIsEntering(false)}
            onCancel={isEntering ? () => setIsEntering(false) : undefined}
          />
        </div>
      ) : (
        <div>
          <Button size="small" onClick={() => setIsEntering(true)} aria-label={labelOf(hasCredential, name)}>
            {hasCredential ? 'Replace the credential' : 'Enter a credential'}
          </Button>
        </div>
      )}
    </>
  )
}

function labelOf(hasCredential: boolean, name: string): string {
  return hasCredential ? `Replace the credential of ${name}` : `Enter a credential for ${name}`
}

function StoredOfSource({ projectId, source }: Props) {
  const credential = useQuery(sourceCredentialQuery(projectId, source))
  if (credential.isPending) return <Skeleton className="h-16" />
  if (credential.isError) return <Refused error={credential.error} retry={() => void credential.refetch()} />
  // The check above it says the same.
  const problem = credential.data.problem === source.access?.problem ? null : credential.data.problem
  return (
    <Stored credential={{ ...credential.data, problem }} remove={() => deleteSourceCredential(projectId, source)}>
      The source is read as anybody may until there is another one.
    </Stored>
  )
}
