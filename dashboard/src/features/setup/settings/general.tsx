// The name and the identifier of a project, and its end.

import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteProject, type Project } from '../../../api/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { Copy } from '../../../ui/copy.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { say } from '../../../ui/overlay/toast.tsx'
import { Card, SettingsCard, useSettings } from './form.tsx'

type Props = { readonly project: Project }

export function General({ project }: Props) {
  const settings = useSettings(project, {
    toDraft: ({ name }) => ({ name }),
    toChange: ({ name }) => ({ name }),
  })
  return (
    <>
      <SettingsCard title="Project" settings={settings}>
        <Field label="Name" problem={settings.of('name')}>
          <Input
            required
            maxLength={100}
            value={settings.draft.name}
            onChange={(event) => settings.change({ name: event.currentTarget.value })}
          />
        </Field>
        <div>
          <p className="text-sm font-medium">Identifier</p>
          <p className="flex flex-wrap items-center gap-3">
            <code className="font-mono text-sm break-all">{project.id}</code>
            <Copy text={project.id} />
          </p>
          <p className="text-sm text-muted">
            In the addresses of the API. Created <RelativeTime at={project.createdAt} />.
          </p>
        </div>
      </SettingsCard>
      <Deletion project={project} />
    </>
  )
}

function Deletion({ project }: Props) {
  const navigate = useNavigate()
  const [isAsked, setIsAsked] = useState(false)
  const [typed, setTyped] = useState('')
  return (
    <Card title="Danger zone">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium">Delete this project</p>
          <p className="text-sm text-muted">
            Its jobs, pull requests kept by Docent, sites and page views go with it. The repository stays as it is.
          </p>
        </div>
        <Button kind="danger" onClick={() => setIsAsked(true)}>
          Delete the project
        </Button>
      </div>
      {isAsked && (
        <Confirm
          title={`Delete ${project.name}?`}
          verb="Delete"
          isReady={typed === project.name}
          onClose={() => {
            setIsAsked(false)
            setTyped('')
          }}
          onConfirm={async () => {
            await deleteProject(project.id)
            say(`${project.name} is deleted`)
            await navigate({ to: '/' })
          }}
          content={
            <Field label={`Type ${project.name} to confirm`}>
              <Input autoComplete="off" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
            </Field>
          }
        >
          This deletes everything that Docent has of the project, and stops its jobs. It cannot be undone.
        </Confirm>
      )}
    </Card>
  )
}
