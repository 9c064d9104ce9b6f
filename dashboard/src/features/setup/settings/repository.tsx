// Where the documentation is: the repository, the base branch, the access, and how pull requests are opened.

import type { Project } from '../../../api/projects.ts'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Connection } from '../connect/connection.tsx'
import { Card, SettingsCard, useSettings } from './form.tsx'
import { Commits } from './publishing/commits.tsx'
import { Mentions } from './publishing/mentions.tsx'
import { PullRequests } from './publishing/pull-requests.tsx'
import { Releases } from './publishing/releases.tsx'

type Props = { readonly project: Project }

export function RepositorySettings({ project }: Props) {
  return (
    <>
      <Card title="Access" about="What this service may do with the repository, tried just now.">
        <Connection key={project.repository} project={project} />
      </Card>
      <Place project={project} />
      <Commits project={project} />
      <PullRequests project={project} />
      <Mentions project={project} />
      <Releases project={project} />
    </>
  )
}

function Place({ project }: Props) {
  const settings = useSettings(project, {
    toDraft: ({ repository, branch }) => ({ repository, branch: branch ?? '' }),
    toChange: ({ repository, branch }) => ({
      repository: repository.trim(),
      branch: branch.trim() === '' ? null : branch.trim(),
    }),
  })
  const { draft, change, of } = settings
  return (
    <SettingsCard title="Repository" settings={settings}>
      <Field
        label="Address"
        hint="It can move while no job is active. On another host it needs another credential."
        problem={of('repository')}
      >
        <Input
          required
          spellCheck={false}
          value={draft.repository}
          onChange={(event) => change({ repository: event.currentTarget.value })}
        />
      </Field>
      <Field
        label="Base branch"
        hint="Jobs start from it, and pull requests go to it. Empty: the default branch of the repository."
        problem={of('branch')}
      >
        <Input
          spellCheck={false}
          value={draft.branch}
          onChange={(event) => change({ branch: event.currentTarget.value })}
        />
      </Field>
    </SettingsCard>
  )
}
