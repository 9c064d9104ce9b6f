// Where comments on the forge that call Docent count.

import type { Project } from '../../../../api/projects.ts'
import { Choices } from '../../../../ui/form/choice.tsx'
import { SettingsCard, useSettings } from '../form.tsx'

const places = [
  {
    value: 'pull_requests',
    label: 'On pull requests of jobs',
    hint: 'A comment is a message to the job. A submitted review is one message with all of its comments.',
  },
  {
    value: 'everywhere',
    label: 'On issues, too',
    hint: 'A comment on an issue of the repository starts a job (GitHub, GitLab, Gitea).',
  },
  { value: 'off', label: 'Nowhere' },
] as const satisfies readonly {
  readonly value: Project['mentions']
  readonly label: string
  readonly hint?: string
}[]

export function Mentions({ project }: { readonly project: Project }) {
  const settings = useSettings(project, {
    toDraft: ({ mentions }) => ({ mentions }),
    toChange: ({ mentions }) => ({ mentions }),
  })
  return (
    <SettingsCard
      title="Comments on the forge"
      about="People who may push call Docent with @ and the name of its account, or with /docent at the start of a line. The account’s own comments and those of bots call nobody. The tab “Activity” of a job has the words to copy."
      settings={settings}
    >
      <Choices
        legend="Where do comments count?"
        value={settings.draft.mentions}
        onChange={(mentions) => settings.change({ mentions })}
        choices={places}
      />
    </SettingsCard>
  )
}
