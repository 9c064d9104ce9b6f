// Whether the newest release of the repository of the project gets a commit status.

import type { Project } from '../../../../api/projects.ts'
import { Checkbox } from '../../../../ui/form/choice.tsx'
import { SettingsCard, useSettings } from '../form.tsx'

export function Releases({ project }: { readonly project: Project }) {
  const settings = useSettings(project, {
    toDraft: ({ releaseStatus }) => ({ releaseStatus }),
    toChange: ({ releaseStatus }) => ({ releaseStatus }),
  })
  return (
    <SettingsCard
      title="Releases"
      about="For a product that is in the repository of its documentation, and that an automation follows. A source has a setting of its own."
      settings={settings}
    >
      <Checkbox
        label="Set a commit status on releases"
        hint="It says on the newest tag how many changes are undocumented. The credential needs the right to set statuses."
        checked={settings.draft.releaseStatus}
        onChange={(releaseStatus) => settings.change({ releaseStatus })}
      />
    </SettingsCard>
  )
}
