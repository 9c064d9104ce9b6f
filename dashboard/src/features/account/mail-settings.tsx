// The events that the person gets by mail, and of which projects.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mailQuery, type MailSettings as Settings, saveMail } from '../../api/people/mail.ts'
import { allEvents, eventNames, toTypes } from '../../api/project/webhooks.ts'
import { type Project, projectsQuery } from '../../api/projects.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/choice.tsx'
import { Checklist } from '../../ui/form/checklist.tsx'
import { Refused, Skeleton } from '../../ui/notice.tsx'
import { say } from '../../ui/overlay/toast.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

export function MailSettings() {
  const settings = useQuery(mailQuery)
  const projects = useQuery(projectsQuery)
  return (
    <section aria-labelledby="mail">
      <h2 id="mail" className="mb-3 text-lg font-semibold">
        Mail
      </h2>
      {(settings.isPending || projects.isPending) && <Skeleton className="h-32" />}
      {settings.isError && <Refused error={settings.error} retry={() => void settings.refetch()} />}
      {projects.isError && <Refused error={projects.error} retry={() => void projects.refetch()} />}
      {settings.isSuccess && projects.isSuccess && <Form settings={settings.data} projects={projects.data} />}
    </section>
  )
}

function Form({ settings, projects }: { readonly settings: Settings; readonly projects: readonly Project[] }) {
  const [events, setEvents] = useState(settings.events)
  const [projectIds, setProjectIds] = useState(settings.projectIds)
  const save = useMutation({
    mutationFn: () => saveMail({ events: [...events], projectIds: projectIds && [...projectIds] }),
    onSuccess: () => say('Saved'),
  })
  // Two projects may have the same name.
  const nameOf = ({ id, name }: Project) =>
    projects.some((one) => one.id !== id && one.name === name) ? `${name} (${id})` : name
  const { problem, lastFailure } = settings
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {problem !== null && (
        <p role="note" className="rounded-lg bg-warn-soft px-4 py-3 text-warn">
          {problem}
        </p>
      )}
      {problem === null && lastFailure !== null && (
        <p role="note" className="rounded-lg bg-warn-soft px-4 py-3 text-warn">
          The last mail to you did not arrive (<RelativeTime at={lastFailure.at} />
          ): <bdi>{lastFailure.error}</bdi>.
        </p>
      )}
      <Checklist
        legend="Events"
        hint="What you get by mail. Without one, you get no mail."
        names={allEvents.map((type) => eventNames[type])}
        chosen={new Set(events.map((type) => eventNames[type]))}
        onChange={(names) => setEvents(toTypes(new Set(names)))}
      />
      <Checkbox
        label="Of all projects"
        hint="Also of those that are made later."
        checked={projectIds === null}
        onChange={(isAll) => setProjectIds(isAll ? null : projects.map(({ id }) => id))}
      />
      {projectIds !== null && (
        <Checklist
          legend="Projects"
          hint="Whose events you get."
          names={projects.map(nameOf)}
          chosen={new Set(projects.filter(({ id }) => projectIds.includes(id)).map(nameOf))}
          onChange={(names) => setProjectIds(projects.filter((one) => names.includes(nameOf(one))).map(({ id }) => id))}
        />
      )}
      {save.isError && <Refused error={save.error} />}
      <Button type="submit" className="self-start" busy={save.isPending}>
        Save the mail settings
      </Button>
    </form>
  )
}
