// When an automation starts: at times of a schedule, often chosen ones or one's own, with commits, by events, or when people ask for it.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { sourcesQuery } from '../../api/project/sources.ts'
import { projectQuery } from '../../api/projects.ts'
import { Choices } from '../../ui/form/choice.tsx'
import { Field, Input, TextArea } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { FieldsProps } from './draft.ts'
import { presets } from './words.tsx'

const starts = [
  { value: 'schedule', label: 'By a schedule', hint: 'And when somebody asks for it.' },
  { value: 'code', label: 'By code', hint: 'When commits reach the branch of the product.' },
  { value: 'docs', label: 'By the docs', hint: 'When commits reach their base branch.' },
  { value: 'event', label: 'By events', hint: 'When another system sends a request to its address.' },
  { value: 'person', label: 'By people', hint: 'When somebody asks for it, and at no other time.' },
] as const
const own = 'own'

export function StartFields(props: FieldsProps) {
  const { draft, change } = props
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
          <Times {...props} field="trigger/cron" />
          <Zone {...props} />
        </>
      )}
      {draft.starts === 'code' && <CodeFields {...props} />}
      {(draft.starts === 'code' || draft.starts === 'docs') && <Paths {...props} />}
    </>
  )
}

function Times({ draft, change, problem, field }: FieldsProps & { readonly field: string }) {
  const preset = presets.find(({ value }) => value === draft.cron)?.value ?? own
  return (
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
          problem={problem?.of(field)}
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
    </>
  )
}

function Zone({ projectId, draft, change, problem }: FieldsProps) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId))
  return (
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
  )
}

const paces = [
  { value: 'each', label: 'Each commit, as it is merged' },
  { value: 'together', label: 'All that have waited, at certain times' },
] as const

function CodeFields(props: FieldsProps) {
  const { projectId, draft, change, problem } = props
  const { data: sources = [] } = useQuery(sourcesQuery(projectId))
  return (
    <>
      <Field
        label="Code"
        hint="A source of the project. Add others in the setup of the project."
        problem={problem?.of('trigger/source')}
      >
        <Select
          value={draft.source}
          options={[
            { value: '', label: 'The repository of the project' },
            ...sources.map(({ name }) => ({ value: name, label: name })),
          ]}
          onChange={(source) => change({ source })}
        />
      </Field>
      <Field label="A run takes">
        <Select
          value={draft.each ? 'each' : 'together'}
          options={paces}
          onChange={(pace) => change({ each: pace === 'each' })}
        />
      </Field>
      {!draft.each && <Times {...props} field="trigger/when" />}
    </>
  )
}

function Paths({ draft, change, problem }: FieldsProps) {
  const glob = problem?.details.find(({ pointer }) => pointer.startsWith('#/trigger/paths'))?.message
  return (
    <Field
      label="Files that count"
      hint="Globs, such as src/ or *.ts. One a line. Empty: all. Commits without such a file start nothing."
      problem={glob && `A glob ${glob}.`}
    >
      <TextArea
        spellCheck={false}
        className="min-h-16 font-mono text-sm"
        value={draft.paths}
        onChange={(event) => change({ paths: event.currentTarget.value })}
      />
    </Field>
  )
}
