// When an automation starts: at times of a schedule, often chosen ones or one's own, by events, or when people ask for it.

import { useSuspenseQuery } from '@tanstack/react-query'
import { projectQuery } from '../../api/projects.ts'
import { Choices } from '../../ui/form/choice.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { FieldsProps } from './draft.ts'
import { presets } from './words.tsx'

const starts = [
  { value: 'schedule', label: 'By a schedule', hint: 'And when somebody asks for it.' },
  { value: 'event', label: 'By events', hint: 'When another system sends a request to its address.' },
  { value: 'person', label: 'By people', hint: 'When somebody asks for it, and at no other time.' },
] as const
const own = 'own'

export function StartFields({ projectId, draft, change, problem }: FieldsProps) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId))
  const preset = presets.find(({ value }) => value === draft.cron)?.value ?? own
  return (
    <>
      <Choices
        legend="How does it start?"
        value={draft.starts}
        onChange={(chosen) => change({ starts: chosen })}
        choices={starts}
        className="sm:grid-cols-3"
      />
      {draft.starts === 'schedule' && (
        <>
          <Field label="Times">
            <Select
              value={preset}
              options={[...presets, { value: own, label: 'Other times' }]}
              onChange={(value) => change({ cron: value === own ? '' : value })}
            />
          </Field>
          {preset === own && (
            <Field
              label="Other times, as cron"
              hint="Minute, hour, day of the month, month, day of the week: 30 6 * * MON-FRI. At least 15 minutes apart."
              problem={problem?.of('trigger/cron')}
            >
              <Input
                required
                spellCheck={false}
                className="font-mono"
                placeholder="30 6 * * MON-FRI"
                value={draft.cron}
                onChange={(event) => change({ cron: event.currentTarget.value })}
              />
            </Field>
          )}
          <Field
            label="Time zone"
            hint={`Such as Europe/Berlin. Empty: that of the project, ${project.timeZone}.`}
            problem={problem?.of('trigger/timeZone')}
          >
            <Input
              spellCheck={false}
              value={draft.timeZone}
              placeholder={project.timeZone}
              onChange={(event) => change({ timeZone: event.currentTarget.value })}
            />
          </Field>
        </>
      )}
    </>
  )
}
