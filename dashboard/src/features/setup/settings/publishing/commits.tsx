// The commits of jobs: whom they name, how their first line begins, and who signs off.

import type { Project } from '../../../../api/projects.ts'
import { Checkbox, Choices } from '../../../../ui/form/choice.tsx'
import { Field, Input } from '../../../../ui/form/field.tsx'
import { SettingsCard, useSettings } from '../form.tsx'

const coAuthors = [
  {
    value: 'private',
    label: 'In private repositories',
    hint: 'The forge says at the start of each job whether the repository is public.',
  },
  { value: 'people', label: 'Always', hint: 'Everybody who can read the repository can read the addresses.' },
  { value: 'nobody', label: 'Never' },
] as const

export function Commits({ project }: { readonly project: Project }) {
  const settings = useSettings(project, {
    toDraft: ({ coAuthors, commit: { prefix, signOff, author } }) => ({
      coAuthors,
      prefix: prefix ?? '',
      signOff,
      name: author?.name ?? '',
      email: author?.email ?? '',
    }),
    toChange: ({ coAuthors, prefix, signOff, name, email }) => ({
      coAuthors,
      commit: {
        prefix: prefix === '' ? null : prefix,
        signOff,
        author: name.trim() === '' && email.trim() === '' ? null : { name: name.trim(), email: email.trim() },
      },
    }),
  })
  const { draft, change, of } = settings
  return (
    <SettingsCard title="Commits" settings={settings}>
      <Field
        label="First line begins with"
        hint="For repositories with a rule on commit messages, such as “docs: ”. The space at its end counts."
        problem={of('commit/prefix')}
      >
        <Input
          spellCheck={false}
          value={draft.prefix}
          onChange={(event) => change({ prefix: event.currentTarget.value })}
        />
      </Field>
      <Field
        label="Author’s name"
        hint="Empty: the author of the service. With a GitHub App, GitHub signs commits only if this is empty."
        problem={of('commit/author/name')}
      >
        <Input value={draft.name} onChange={(event) => change({ name: event.currentTarget.value })} />
      </Field>
      <Field label="Author’s e-mail address" problem={of('commit/author/email')}>
        <Input type="email" value={draft.email} onChange={(event) => change({ email: event.currentTarget.value })} />
      </Field>
      <div>
        <Checkbox
          label="Sign off (DCO)"
          hint="Only if the address is one of the account whose token pushes."
          checked={draft.signOff}
          onChange={(signOff) => change({ signOff })}
        />
        {of('commit/signOff') !== undefined && <p className="text-sm text-bad">Sign-off {of('commit/signOff')}</p>}
      </div>
      <Choices
        legend="Name the people who start or continue a job as co-authors, with their e-mail addresses"
        value={draft.coAuthors}
        choices={coAuthors}
        onChange={(coAuthors) => change({ coAuthors })}
      />
    </SettingsCard>
  )
}
