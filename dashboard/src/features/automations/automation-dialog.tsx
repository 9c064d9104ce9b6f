// Makes an automation, or changes one: its instructions, when it starts, and what its jobs may do.

import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { modelChoices } from '../../api/models.ts'
import { Problem } from '../../api/problem.ts'
import { type Automation, createAutomation, updateAutomation } from '../../api/project/automations.ts'
import { sourcesQuery } from '../../api/project/sources.ts'
import { projectQuery } from '../../api/projects.ts'
import { Button } from '../../ui/button.tsx'
import { Checklist } from '../../ui/form/checklist.tsx'
import { Checkbox } from '../../ui/form/choice.tsx'
import { Field, Input, TextArea } from '../../ui/form/field.tsx'
import { Numbers } from '../../ui/form/numbers.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Refused } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { budgetLabels, capLabels, type Draft, type FieldsProps, namesOf, toDraft, toFields } from './draft.ts'
import { StartFields } from './start-fields.tsx'
import { presets } from './words.tsx'

type Props = {
  readonly projectId: string
  /** Undefined: a new one. */
  readonly automation: Automation | undefined
  readonly onClose: () => void
  readonly onSaved: (automation: Automation) => void
}

export function AutomationDialog({ projectId, automation, onClose, onSaved }: Props) {
  const [draft, setDraft] = useState(() => toDraft(automation, presets[0].value))
  const save = useMutation({
    mutationFn: () =>
      automation === undefined
        ? createAutomation(projectId, toFields(draft))
        : updateAutomation(projectId, automation.id, toFields(draft)),
    onSuccess: (saved) => {
      onClose()
      onSaved(saved)
    },
  })
  const problem = save.error instanceof Problem ? save.error : undefined
  const fields = { projectId, draft, problem, change: (given: Partial<Draft>) => setDraft({ ...draft, ...given }) }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={automation === undefined ? 'New automation' : `Edit ${automation.name}`}
      keep
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="automation" kind="primary" busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id="automation"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <TextFields {...fields} kind={automation?.kind ?? 'custom'} />
        <StartFields {...fields} />
        <JobFields {...fields} />
        <Limits {...fields} />
        {save.isError && <Refused error={save.error} />}
      </form>
    </Dialog>
  )
}

function TextFields({ draft, change, problem, kind }: FieldsProps & Pick<Automation, 'kind'>) {
  const isCustom = kind === 'custom'
  return (
    <>
      <Field label="Name" hint="Its pull requests name it." problem={problem?.of('name')}>
        <Input
          required
          maxLength={100}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </Field>
      <Field
        label={isCustom ? 'Instructions' : 'More instructions'}
        hint={
          isCustom
            ? 'What each run is asked to do: what to look for, what to change, and what to leave alone.'
            : 'They are added to those of this ready-made automation, and count before them.'
        }
        problem={problem?.of('instructions')}
      >
        <TextArea
          required={isCustom}
          maxLength={isCustom ? 50_000 : 10_000}
          value={draft.instructions}
          onChange={(event) => change({ instructions: event.currentTarget.value })}
        />
      </Field>
      <Options draft={draft} change={change} />
    </>
  )
}

function Options({ draft: { options }, change }: Pick<FieldsProps, 'draft' | 'change'>) {
  const names = Object.keys(options)
  if (names.length === 0) return undefined
  return (
    <Checklist
      legend="Parts"
      hint="The page of the automation shows what each of them asks for."
      names={names}
      chosen={new Set(names.filter((name) => options[name]))}
      onChange={(chosen) => change({ options: Object.fromEntries(names.map((name) => [name, chosen.includes(name)])) })}
    />
  )
}

const updates = [
  { value: 'pull_request', label: 'As in the project' },
  { value: 'draft', label: 'Drafts' },
  { value: 'merge', label: 'Merged when nothing needs a person' },
] as const

function hintFor({ update, starts }: Draft): string {
  if (update !== 'merge') return ''
  return starts === 'event'
    ? 'Outsiders write what events bring, so a person has to merge.'
    : 'Docent merges the commit that it checked if all checks are green, and otherwise says what it waits for.'
}
const groupings = [
  { value: 'each', label: 'One for each run' },
  { value: 'one', label: 'One that runs add to, until people review it' },
] as const

function JobFields({ projectId, draft, change, problem }: FieldsProps) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId))
  const { data: sources = [] } = useQuery(sourcesQuery(projectId))
  const names = sources.map(({ name }) => name)
  const glob = problem?.details.find(({ pointer }) => pointer.startsWith('#/scope'))?.message
  return (
    <>
      <Field
        label="Paths that its jobs may change"
        hint="Globs, such as docs/ or *.md. One a line. Empty: all that the project allows."
        problem={glob && `A glob ${glob}.`}
      >
        <TextArea
          spellCheck={false}
          className="min-h-16 font-mono text-sm"
          value={draft.scope}
          onChange={(event) => change({ scope: event.currentTarget.value })}
        />
      </Field>
      <Field label="Pull requests" hint={hintFor(draft)} problem={problem?.of('update')}>
        <Select value={draft.update} options={updates} onChange={(update) => change({ update })} />
      </Field>
      {draft.update === 'merge' && (
        <Checkbox
          label="Also when no check of the forge appears within ten minutes"
          checked={draft.mergeWithoutChecks}
          onChange={(mergeWithoutChecks) => change({ mergeWithoutChecks })}
        />
      )}
      <Field label="Number of pull requests">
        <Select value={draft.grouping} options={groupings} onChange={(grouping) => change({ grouping })} />
      </Field>
      {(project.models.length > 0 || draft.model !== '') && (
        <Field label="Model" problem={problem?.of('model')}>
          <Select
            value={draft.model}
            options={modelChoices(project, 'As in the project')}
            onChange={(model) => change({ model })}
          />
        </Field>
      )}
      {names.length > 0 && (
        <Checklist
          legend="Sources that its jobs need"
          hint="If one that you choose cannot be read, the job fails."
          names={names}
          chosen={new Set(draft.sources ?? names)}
          onChange={(chosen) => change({ sources: chosen.length === names.length ? undefined : chosen })}
        />
      )}
    </>
  )
}

function Limits({ draft, change, problem }: FieldsProps) {
  const { caps, budgets } = draft
  return (
    <details className="rounded-lg border border-line">
      <summary className="cursor-pointer px-4 py-2 text-sm text-muted hover:text-text">Limits</summary>
      <div className="grid gap-4 border-t border-line p-4 sm:grid-cols-2">
        <Numbers
          fields={fieldsOf(capLabels)}
          values={caps}
          onChange={(name, value) => change({ caps: { ...caps, [name]: value } })}
          problemOf={(name) => problem?.of(`caps/${name}`)}
        />
        <Numbers
          fields={fieldsOf(budgetLabels)}
          values={budgets}
          onChange={(name, value) => change({ budgets: { ...budgets, [name]: value } })}
          problemOf={(name) => problem?.of(`budgets/${name}`)}
        />
        <p className="text-sm text-muted sm:col-span-2">Empty: no limit but those of the project.</p>
      </div>
    </details>
  )
}

function fieldsOf<Name extends string>(labels: Readonly<Record<Name, string>>) {
  return namesOf(labels).map((name) => ({ name, label: labels[name] }))
}
