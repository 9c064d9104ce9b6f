// How pull requests are opened, and how they end.

import type { Project, ProjectChange } from '../../../../api/projects.ts'
import { Checkbox, Choices } from '../../../../ui/form/choice.tsx'
import { Field, Input } from '../../../../ui/form/field.tsx'
import { toNames } from '../../../../ui/form/drafts.ts'
import { SettingsCard, type Settings, useSettings } from '../form.tsx'

export function PullRequests({ project }: { readonly project: Project }) {
  const settings = useSettings(project, { toDraft, toChange })
  return (
    <SettingsCard
      title="Pull requests"
      about="If a forge does not accept a label, an account or a milestone, it opens the pull request without it, and the job says so. The ones that Docent keeps itself have only a branch and a title."
      settings={settings}
    >
      <Names settings={settings} />
      <Decorations settings={settings} />
      <Ending settings={settings} />
    </SettingsCard>
  )
}

type Draft = ReturnType<typeof toDraft>
type Props = { readonly settings: Settings<Draft> }

function toDraft({ pullRequest }: Project) {
  return {
    ...pullRequest,
    labels: pullRequest.labels.join(', '),
    reviewers: pullRequest.reviewers.join(', '),
    assignees: pullRequest.assignees.join(', '),
    milestone: pullRequest.milestone ?? '',
    titlePrefix: pullRequest.titlePrefix ?? '',
  }
}

function toChange({
  labels,
  reviewers,
  assignees,
  milestone,
  titlePrefix,
  branchPrefix,
  ...rest
}: Draft): ProjectChange {
  const pullRequest = {
    ...rest,
    labels: [...toNames(labels)],
    reviewers: [...toNames(reviewers)],
    assignees: [...toNames(assignees)],
    milestone: milestone.trim() === '' ? null : milestone.trim(),
    titlePrefix: titlePrefix === '' ? null : titlePrefix,
    branchPrefix: branchPrefix.trim() === '' ? null : branchPrefix.trim(),
  }
  return { pullRequest }
}

function Names({ settings: { draft, change, of } }: Props) {
  return (
    <>
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
    </>
  )
}

const accounts = { reviewers: 'Reviewers', assignees: 'Assignees' } as const
const hints = {
  reviewers:
    'Accounts on the forge, separated by commas. On Bitbucket and Azure DevOps: their ids, which the guide says how to find.',
  assignees: 'Accounts on the forge, separated by commas. Not on Bitbucket and Azure DevOps.',
} as const

function Decorations({ settings: { draft, change, of } }: Props) {
  return (
    <>
      <Checkbox
        label="Open pull requests as drafts"
        checked={draft.draft}
        onChange={(checked) => change({ draft: checked })}
      />
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
      {(['reviewers', 'assignees'] as const).map((field) => (
        <Field key={field} label={accounts[field]} hint={hints[field]} problem={of(`pullRequest/${field}`)}>
          <Input
            value={draft[field]}
            placeholder="octocat"
            onChange={(event) => change({ [field]: event.currentTarget.value })}
          />
        </Field>
      ))}
      <Field label="Milestone" hint="The title of an open one on the forge." problem={of('pullRequest/milestone')}>
        <Input value={draft.milestone} onChange={(event) => change({ milestone: event.currentTarget.value })} />
      </Field>
    </>
  )
}

const deleteBranch = [
  { value: 'merged', label: 'After the merge' },
  { value: 'ended', label: 'After the merge, and two weeks after a close' },
  { value: 'never', label: 'Never' },
] as const

const onFailedChecks = [
  { value: 'ignore', label: 'People see to them' },
  { value: 'fix', label: 'The agent gets them once, with the ends of their logs' },
] as const

function Ending({ settings: { draft, change } }: Props) {
  return (
    <>
      <Choices
        legend="When checks of the forge fail"
        value={draft.onFailedChecks}
        choices={onFailedChecks}
        onChange={(choice) => change({ onFailedChecks: choice })}
      />
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
    </>
  )
}
