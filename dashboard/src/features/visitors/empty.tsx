// The steps to the first page view: the script for pages, the command for access logs, the request for servers. The
// page looks for page views every few seconds, so it fills itself.

import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { siteTag } from '../../../../src/analytics/collect/site-tag.ts'
import { Problem } from '../../api/problem.ts'
import { createSite, sitesQuery } from '../../api/projects.ts'
import { prefix } from '../../base.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { Refused, Skeleton } from '../../ui/notice.tsx'

type Props = { readonly projectId: string; readonly isAdmin: boolean }

export function FirstPageViews({ projectId, isAdmin }: Props) {
  const address = `${location.origin}${prefix}`
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="font-medium">
        No page views yet. This page fills itself when the first one arrives.
      </p>
      <Way title="People: put the script into your pages">
        <Snippet projectId={projectId} isAdmin={isAdmin} />
      </Way>
      <Way title="AI agents and crawlers: import access logs">
        <p className="text-muted">
          They run no scripts, so only your server sees them.{' '}
          <Link to="/projects/$projectId/visitors/import" params={{ projectId }} className="underline">
            Import logs from this computer
          </Link>
          , or run this where they are; the same command again reads what is new.
        </p>
        <CopyBlock
          name="The command that imports a log"
          text={`docent analytics import access.log* --project ${projectId}`}
        />
      </Way>
      <Way title="Or send them as they happen">
        <p className="text-muted">From a server or an edge function, with an API key that may write:</p>
        <CopyBlock
          name="The request that records a page view"
          text={`curl ${address}v1/analytics/${projectId}/page-views \\
  -H "Authorization: Bearer $DOCENT_API_KEY" -H "Content-Type: application/json" \\
  -d '[{ "timestamp": "${new Date().toISOString()}", "path": "/quickstart", "userAgent": "Claude-User/1.0", "address": "192.0.2.1" }]'`}
        />
      </Way>
    </div>
  )
}

function Way({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-2 rounded-lg border border-line p-4">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function Snippet({ projectId, isAdmin }: Props) {
  const sites = useQuery(sitesQuery(projectId))
  if (sites.isPending) return <Skeleton className="h-12" />
  if (sites.isError) return <Refused error={sites.error} retry={() => void sites.refetch()} />
  const [site] = sites.data
  if (site === undefined)
    return isAdmin ? (
      <NewSite projectId={projectId} />
    ) : (
      <p className="text-muted">The project has no site yet. Ask an admin to add the address of your documentation.</p>
    )
  return (
    <>
      <p className="text-muted">
        Into the head of every page of {site.name}. It sets no cookies and has less than 1 kB.
      </p>
      <CopyBlock name="The script tag" text={siteTag(`${location.origin}${prefix}`, site.id)} />
    </>
  )
}

function NewSite({ projectId }: { readonly projectId: string }) {
  const [origin, setOrigin] = useState('')
  const create = useMutation({ mutationFn: () => createSite(projectId, origin) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  const problem = create.error instanceof Problem ? create.error.of('origins/0') : undefined
  return (
    <form onSubmit={submit} className="flex max-w-md flex-col gap-3">
      <Field label="Address of your documentation" hint="Page views count only from there." problem={problem}>
        <Input
          required
          type="url"
          placeholder="https://docs.example.com"
          value={origin}
          onChange={({ currentTarget: { value } }) => setOrigin(value)}
        />
      </Field>
      {create.isError && problem === undefined && <Refused error={create.error} />}
      <Button type="submit" kind="primary" busy={create.isPending} className="w-fit">
        Create the script tag
      </Button>
    </form>
  )
}
