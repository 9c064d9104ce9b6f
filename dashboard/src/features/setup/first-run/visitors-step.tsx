// The step of the visitors: where the documentation is published, and the line for its pages.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../../api/problem.ts'
import { createSite, sitesQuery, updateProject } from '../../../api/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Choices } from '../../../ui/form/choice.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { windowsFor } from '../settings/windows.ts'
import { Snippet } from '../connect/snippet.tsx'
import type { StepProps } from './step-props.ts'

export function VisitorsStep({ project, onNext }: StepProps) {
  const { data: sites = [] } = useQuery(sitesQuery(project.id))
  return (
    <section className="flex flex-col gap-4">
      <div>
        <h2 className="text-lg font-semibold">Count your readers</h2>
        <p className="text-muted">
          One small script, without cookies, tells which pages people read. AI agents run no scripts: to count them,
          import access logs or report page views from your server.
        </p>
      </div>
      {sites.length === 0 ? (
        <SiteForm project={project} />
      ) : (
        <>
          {sites.map((site) => (
            <Snippet key={site.id} site={site} />
          ))}
          <div>
            <Button kind="primary" onClick={onNext}>
              Continue
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

function SiteForm({ project }: Pick<StepProps, 'project'>) {
  const [origin, setOrigin] = useState('')
  const [visitorWindow, setWindow] = useState(project.visitorWindow)
  const save = useMutation({
    mutationFn: async () => {
      // Before the site, so that its first page view has this window.
      if (visitorWindow !== project.visitorWindow) await updateProject(project.id, { visitorWindow })
      return createSite(project.id, origin)
    },
  })
  const problem = save.error instanceof Problem ? save.error : undefined
  const [detail] = problem?.details ?? []
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Field
        label="Address of your documentation"
        hint="Page views are accepted from this origin only."
        problem={detail && `The address ${detail.message}`}
      >
        <Input
          required
          type="url"
          value={origin}
          placeholder="https://docs.example.com"
          onChange={(event) => setOrigin(event.currentTarget.value)}
        />
      </Field>
      <Choices
        legend="How long is somebody the same visitor?"
        value={visitorWindow}
        choices={windowsFor(project)}
        onChange={setWindow}
        className="sm:grid-cols-2"
      />
      {save.isError && detail === undefined && <Refused error={save.error} />}
      <div>
        <Button type="submit" kind="primary" busy={save.isPending}>
          Show the script
        </Button>
      </div>
    </form>
  )
}
