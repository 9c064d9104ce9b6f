// Creates a GitHub App: this service describes it, and GitHub creates it with a click. The page of GitHub opens in another
// tab and sends the person back to the service when the App exists.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { beginForgeApp, forgeAppsQuery } from '../../../api/connections.ts'
import { Problem } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Refused } from '../../../ui/notice.tsx'

/** `webUrl`: the address of GitHub. Undefined: the person enters it. It can be within another form. */
export function CreateApp({ webUrl: fixed }: { readonly webUrl?: string }) {
  const [webUrl, setWebUrl] = useState('https://github.com')
  const [name, setName] = useState('Docent')
  const [organization, setOrganization] = useState('')
  const begin = useMutation({
    mutationFn: () =>
      beginForgeApp({
        webUrl: fixed ?? webUrl.trim(),
        name,
        organization: organization.trim() === '' ? null : organization.trim(),
      }),
  })
  const problem = begin.error instanceof Problem ? begin.error : undefined
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name of the App" hint="Unique on GitHub." problem={problem?.of('name')}>
          <Input value={name} maxLength={34} onChange={(event) => setName(event.currentTarget.value)} />
        </Field>
        <Field label="Organization" hint="Empty: your own account." problem={problem?.of('organization')}>
          <Input value={organization} onChange={(event) => setOrganization(event.currentTarget.value)} />
        </Field>
        {fixed === undefined && (
          <Field label="Address of GitHub" hint="Or of your own GitHub Enterprise." problem={problem?.of('webUrl')}>
            <Input spellCheck={false} value={webUrl} onChange={(event) => setWebUrl(event.currentTarget.value)} />
          </Field>
        )}
      </div>
      {begin.isError && problem?.details.length === 0 && <Refused error={begin.error} />}
      {begin.isSuccess ? (
        <Continue openUrl={begin.data.openUrl} />
      ) : (
        <div>
          <Button busy={begin.isPending} onClick={() => begin.mutate()}>
            Create a GitHub App
          </Button>
        </div>
      )}
    </>
  )
}

function Continue({ openUrl }: { readonly openUrl: string }) {
  const apps = useQuery({ ...forgeAppsQuery, refetchOnWindowFocus: 'always' })
  return (
    <p role="status">
      <ExternalLink href={openUrl}>Continue on GitHub</ExternalLink>. When the App is created and installed, come back
      and{' '}
      <button type="button" className="cursor-pointer text-accent underline" onClick={() => void apps.refetch()}>
        look again
      </button>
      .
    </p>
  )
}
