// The sources of a project: repositories of the product that jobs read, and never write.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Project } from '../../../api/projects.ts'
import { deleteSource, type Source, sourcesQuery } from '../../../api/project/sources.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../../../ui/notice.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { say } from '../../../ui/overlay/toast.tsx'
import { SourceCard } from './source-card.tsx'
import { SourceDialog } from './source-dialog.tsx'

type Asked = { readonly verb: 'edit' | 'remove'; readonly source: Source } | { readonly verb: 'add' }

export function Sources({ project }: { readonly project: Project }) {
  const sources = useQuery(sourcesQuery(project.id))
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const add = (
    <Button kind="primary" onClick={() => setAsked({ verb: 'add' })}>
      Add a source
    </Button>
  )
  if (sources.isPending) return <Skeleton className="h-48" />
  if (sources.isError) return <Refused error={sources.error} retry={() => void sources.refetch()} />
  return (
    <>
      {sources.data.length === 0 ? (
        <Empty title="There is no source yet" action={add}>
          A source is a repository of the product that your documentation describes. Its files are read, and never
          written.
        </Empty>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-muted">Repositories of the product. Their files are read, and never written.</p>
          {add}
        </div>
      )}
      {sources.data.map((source) => (
        <SourceCard
          key={source.id}
          projectId={project.id}
          source={source}
          onAsk={(verb) => setAsked({ verb, source })}
        />
      ))}
      {(asked?.verb === 'add' || asked?.verb === 'edit') && (
        <SourceDialog
          projectId={project.id}
          source={asked.verb === 'edit' ? asked.source : undefined}
          onClose={close}
        />
      )}
      {asked?.verb === 'remove' && (
        <Confirm
          title={`Remove ${asked.source.name}?`}
          verb="Remove"
          onClose={close}
          onConfirm={async () => {
            await deleteSource(project.id, asked.source.name)
            say(`${asked.source.name} is removed`)
          }}
        >
          Its credential is deleted from this service. The repository stays as it is.
        </Confirm>
      )}
    </>
  )
}
