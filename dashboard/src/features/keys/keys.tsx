// API keys: the identifiers that requests need, and the keys.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keysQuery } from '../../api/keys.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { KeyTable } from './key-table.tsx'
import { NewKeyDialog } from './new-key.tsx'
import { ProjectIds } from './project-ids.tsx'

export function Keys() {
  const keys = useQuery(keysQuery)
  const [creating, setCreating] = useState(false)
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Create a key
    </Button>
  )
  const isEmpty = keys.data?.length === 0
  return (
    <>
      <PageHead
        title="API keys"
        about="A key lets a server or a person call the API. The service keeps only a digest, so a key is shown once."
        actions={isEmpty ? undefined : create}
      />
      <ProjectIds />
      <h2 className="mb-2 text-lg font-semibold">Keys</h2>
      {keys.isPending && <Skeleton className="h-40" />}
      {keys.isError && <Refused error={keys.error} retry={() => void keys.refetch()} />}
      {isEmpty && (
        <Empty title="There is no key yet" action={create}>
          Servers, the command line and the browser of a colleague each get one of their own.
        </Empty>
      )}
      {keys.isSuccess && !isEmpty && <KeyTable keys={keys.data} />}
      {creating && <NewKeyDialog onClose={() => setCreating(false)} />}
    </>
  )
}
