// How pull requests are opened, and how they end.

import type { Project } from '../../../../api/projects.ts'
import { Checkbox, Choices } from '../../../../ui/form/choice.tsx'
import { Field, Input } from '../../../../ui/form/field.tsx'
import { toNames } from '../drafts.ts'
import { SettingsCard, useSettings } from '../form.tsx'

const deleteBranch = [
  { value: 'merged', label: 'After the merge' },
  { value: 'ended', label: 'After the merge, and two weeks after a close' },
  { value: 'never', label: 'Never' },
] as const

export function PullRequests({ project }: { readonly project: Project }) {
  const settings = useSettings(project, {
    toDraft: ({ pullRequest }) => ({
      ...pullRequest,
      labels: pullRequest.labels.join(', '),
      reviewers: pullRequest.reviewers.join(', '),
      assignees: pullRequest.assignees.join(', '),
      milestone: pullRequest.milestone ?? '',
      titlePrefix: pullRequest.titlePrefix ?? '',
    }),
    toChange: ({ labels, reviewers, assignees, milestone, titlePrefix, branchPrefix, ...rest }) => ({
      pullRequest: {
        ...rest,
        labels: [...toNames(labels)],
        reviewers: [...toNames(reviewers)],
        assignees: [...toNames(assignees)],
        milestone: milestone.trim() === '' ? null : milestone.trim(),
        titlePrefix: titlePrefix === '' ? null : titlePrefix,
        branchPrefix: branchPrefix.trim() === '' ? null : branchPrefix.trim(),
      },
    }),
  })
  const { draft, change, of } = settings
  const names = (field: 'assignees' | 'reviewers', label: string) => (
    <Field label={label} hint="Accounts on the forge, separated by commas." problem={of(`pullRequest/${field}`)}>
      <Input
        value={draft[field]}
        placeholder="octocat"
        onChange={(event) => change({ [field]: event.currentTarget.value })}
      />
    </Field>
  )
  return (
    <SettingsCard
      title="Pull requests"
      about="A forge that does not accept a label, an account or a milestone opens the pull request without it, and the job says so. The ones that Docent keeps itself have none of them."
      settings={settings}
    >
      <Checkbox
        label="Open pull requests as drafts"
        checked={draft.draft}
        onChange={(checked) => change({ draft: checked })}
      />
      <Field
        label="Branches begin with"
        hint="The id of the job follows. Branches that exist keep their names."
        problem={of('pullRequest/branchPrefix')}
      >
        <Input
          spellCheck={false}
          value={draft.branchPrefix}
          onChange={(event) => change({ branchPrefix: event.currentTarget.value })}
        />
      </Field>
      <Field label="Titles begin with" hint="The space at its end counts." problem={of('pullRequest/titlePrefix')}>
        <Input value={draft.titlePrefix} onChange={(event) => change({ titlePrefix: event.currentTarget.value })} />
      </Field>
      <Field
        label="Labels"
        hint="Separated by commas. GitHub and GitLab create labels that do not exist."
        problem={of('pullRequest/labels')}
      >
        <Input
          value={draft.labels}
          placeholder="documentation"
          onChange={(event) => change({ labels: event.currentTarget.value })}
        />
      </Field>
      {names('reviewers', 'Reviewers')}
      {names('assignees', 'Assignees')}
      <Field label="Milestone" hint="The title of an open one on the forge." problem={of('pullRequest/milestone')}>
        <Input value={draft.milestone} onChange={(event) => change({ milestone: event.currentTarget.value })} />
      </Field>
      <Checkbox
        label="Let the forge merge them"
        hint="With its own auto-merge, when the required checks and reviews are there. Not for drafts."
        checked={draft.autoMerge}
        onChange={(checked) => change({ autoMerge: checked })}
      />
      <Choices
        legend="Delete the branch"
        value={draft.deleteBranch}
        choices={deleteBranch}
        onChange={(choice) => change({ deleteBranch: choice })}
      />
    </SettingsCard>
  )
}
