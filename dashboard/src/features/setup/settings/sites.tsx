// The sites of a project: where its documentation is published, and the script that their pages load.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteSite, type Project, type Site, sitesQuery } from '../../../api/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { Empty, Refused, Skeleton } from '../../../ui/notice.tsx'
import { say } from '../../../ui/overlay/toast.tsx'
import { Snippet } from '../connect/snippet.tsx'
import { Card } from './form.tsx'
import { SiteDialog } from './site-dialog.tsx'

type Asked = { readonly verb: 'edit' | 'delete'; readonly site: Site } | { readonly verb: 'create' }

export function Sites({ project }: { readonly project: Project }) {
  const sites = useQuery(sitesQuery(project.id))
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const add = (
    <Button kind="primary" onClick={() => setAsked({ verb: 'create' })}>
      Add a site
    </Button>
  )
  if (sites.isPending) return <Skeleton className="h-48" />
  if (sites.isError) return <Refused error={sites.error} retry={() => void sites.refetch()} />
  return (
    <>
      {sites.data.length === 0 ? (
        <Empty title="There is no site yet" action={add}>
          A site is where your documentation is published. Its pages load one small script, which reports page views
          without cookies.
        </Empty>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-muted">Page views are accepted from these origins only.</p>
          {add}
        </div>
      )}
      {sites.data.map((site) => (
        <SiteCard key={site.id} site={site} onAsk={(verb) => setAsked({ verb, site })} />
      ))}
      {(asked?.verb === 'create' || asked?.verb === 'edit') && (
        <SiteDialog projectId={project.id} site={asked.verb === 'edit' ? asked.site : undefined} onClose={close} />
      )}
      {asked?.verb === 'delete' && (
        <Confirm
          title={`Delete ${asked.site.name}?`}
          verb="Delete"
          onClose={close}
          onConfirm={async () => {
            await deleteSite(project.id, asked.site.id)
            say(`${asked.site.name} is deleted`)
          }}
        >
          Its pages can no longer report page views. Recorded page views stay.
        </Confirm>
      )}
    </>
  )
}

type CardProps = { readonly site: Site; readonly onAsk: (verb: 'edit' | 'delete') => void }

function SiteCard({ site, onAsk }: CardProps) {
  return (
    <Card title={site.name} about={site.honoursOptOut ? 'Honours Do Not Track and Global Privacy Control.' : undefined}>
      <div className="flex flex-col gap-4">
        <ul aria-label="Origins" className="flex flex-col gap-1">
          {site.origins.map((origin) => (
            <li key={origin} className="font-mono text-sm break-all">
              {origin}
            </li>
          ))}
        </ul>
        <Snippet site={site} />
        <div className="flex gap-2">
          <Button size="small" onClick={() => onAsk('edit')} aria-label={`Edit ${site.name}`}>
            Edit
          </Button>
          <Button size="small" onClick={() => onAsk('delete')} aria-label={`Delete ${site.name}`}>
            Delete
          </Button>
        </div>
      </div>
    </Card>
  )
}
