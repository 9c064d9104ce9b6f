// The GitHub Apps of this service: which projects use each, where it is installed, and what it lacks.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { forgeAppsQuery } from '../../../api/connections.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Empty, Refused, Skeleton } from '../../../ui/notice.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { AppCard } from './app-card.tsx'
import { CreateApp } from './create-app.tsx'

export function Apps() {
  const apps = useQuery({ ...forgeAppsQuery, refetchOnWindowFocus: 'always' })
  const [isCreating, setIsCreating] = useState(false)
  const create = (
    <Button kind="primary" onClick={() => setIsCreating(true)}>
      New GitHub App
    </Button>
  )
  return (
    <>
      <PageHead
        title="GitHub Apps"
        about="An App signs in for many projects, belongs to no person, and signs its commits. There is one for each GitHub server. Projects on other forges use tokens, which are in the settings of each project."
        actions={apps.data && apps.data.length > 0 && create}
      />
      {apps.isPending && <Skeleton className="h-32" />}
      {apps.isError && <Refused error={apps.error} retry={() => void apps.refetch()} />}
      {apps.data?.length === 0 && (
        <Empty title="There is no GitHub App yet" action={create}>
          GitHub creates one with a click. Then you choose its repositories there, and the App in the settings of a
          project, under Repository.
        </Empty>
      )}
      <ul className="flex flex-col gap-3">
        {apps.data?.map((app) => (
          <AppCard key={app.id} app={app} />
        ))}
      </ul>
      {isCreating && (
        <Dialog
          open
          keep
          onOpenChange={(open) => !open && setIsCreating(false)}
          title="New GitHub App"
          description="A GitHub server has one App of this service. To replace one, remove it here first."
          footer={<Button onClick={() => setIsCreating(false)}>Close</Button>}
        >
          <CreateApp />
        </Dialog>
      )}
    </>
  )
}
