// Where the documentation is: the repository, the base branch, the access, and how pull requests are opened.

import type { Project } from '../../../api/projects.ts'
import { Checkbox } from '../../../ui/form/choice.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Connection } from '../connect/connection.tsx'
import { toNames } from './drafts.ts'
import { Card, SettingsCard, useSettings } from './form.tsx'

type Props = { readonly project: Project }

export function RepositorySettings({ project }: Props) {
  return (
    <>
      <Card title="Access" about="What this service may do with the repository, tried just now.">
        <Connection key={project.repository} project={project} />
      </Card>
      <Place project={project} />
      <PullRequests project={project} />
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

function PullRequests({ project }: Props) {
  const settings = useSettings(project, {
    toDraft: ({ coAuthors, pullRequest: { draft, labels, reviewers } }) => ({
      namesPeople: coAuthors === 'people',
      draft,
      labels: labels.join(', '),
      reviewers: reviewers.join(', '),
    }),
    toChange: ({ namesPeople, draft, labels, reviewers }) => ({
      coAuthors: namesPeople ? 'people' : 'nobody',
      pullRequest: { draft, labels: [...toNames(labels)], reviewers: [...toNames(reviewers)] },
    }),
  })
  const { draft, change, of } = settings
  return (
    <SettingsCard
      title="Commits and pull requests"
      about="How pull requests are opened on a forge. The ones that Docent keeps itself have no labels and reviewers."
      settings={settings}
    >
      <Checkbox
        label="Name people as co-authors of commits"
        hint="The people who start or continue a job in the dashboard, with their names and e-mail addresses."
        checked={draft.namesPeople}
        onChange={(checked) => change({ namesPeople: checked })}
      />
      <Checkbox
        label="Open pull requests as drafts"
        checked={draft.draft}
        onChange={(checked) => change({ draft: checked })}
      />
      <Field
        label="Labels"
        hint="Separated by commas. Labels that the forge does not know are left out."
        problem={of('pullRequest/labels')}
      >
        <Input
          value={draft.labels}
          placeholder="documentation"
          onChange={(event) => change({ labels: event.currentTarget.value })}
        />
      </Field>
      <Field
        label="Reviewers"
        hint="Accounts on the forge, separated by commas. On Bitbucket: the id in the address of their profile."
        problem={of('pullRequest/reviewers')}
      >
        <Input
          value={draft.reviewers}
          placeholder="octocat"
          onChange={(event) => change({ reviewers: event.currentTarget.value })}
        />
      </Field>
    </SettingsCard>
  )
}
