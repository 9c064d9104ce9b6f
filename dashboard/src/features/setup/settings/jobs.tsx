// The limits of jobs: the model, the budgets of a run, the checks of a change, the paths, and the pages from outside.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { modelsQuery } from '../../../api/models.ts'
import type { Project } from '../../../api/projects.ts'
import { Field, Input, TextArea } from '../../../ui/form/field.tsx'
import { Choices } from '../../../ui/form/choice.tsx'
import { ModelField } from '../models/model-field.tsx'
import { ChecksSettings } from './checks.tsx'
import { Numbers } from '../../../ui/form/numbers.tsx'
import { fromLines, fromNumber, numberPattern, toNames, toNumber } from '../../../ui/form/drafts.ts'
import { SettingsCard, useSettings } from './form.tsx'
import { Policy } from './policy.tsx'
import { PagesSettings } from './reading/pages.tsx'

type Props = { readonly project: Project }

export function JobSettings({ project }: Props) {
  return (
    <>
      <ModelChoice project={project} />
      <Budgets project={project} />
      <AutomationCaps project={project} />
      <ChecksSettings project={project} />
      <Policy project={project} />
      <PagesSettings project={project} />
      <Transcripts project={project} />
    </>
  )
}

function ModelChoice({ project }: Props) {
  const { data: models = [] } = useQuery(modelsQuery)
  const settings = useSettings(project, {
    toDraft: ({ model, models }) => ({ model: model ?? '', models: fromLines(models) }),
    toChange: ({ model, models }) => ({
      model: model.trim() === '' ? null : model.trim(),
      models: [...toNames(models)],
    }),
  })
  const standard = models.find(({ isDefault }) => isDefault)?.id
  return (
    <SettingsCard
      title="Model"
      about={
        <>
          The one that edits the pages. Keys of providers are under{' '}
          <Link to="/models" className="text-accent underline">
            Models
          </Link>
          .
        </>
      }
      settings={settings}
    >
      <ModelField
        hint={`As provider/model. Empty: the model of the service${standard === undefined ? '' : `, ${standard}`}.`}
        problem={settings.of('model')}
        value={settings.draft.model}
        placeholder={standard}
        onChange={(model) => settings.change({ model })}
      />
      <Field
        label="Other models that a job may choose"
        hint="One a line, as provider/model. Empty: every job uses the model above."
        problem={settings.of('models')}
      >
        <TextArea
          rows={2}
          spellCheck={false}
          value={settings.draft.models}
          onChange={(event) => settings.change({ models: event.currentTarget.value })}
        />
      </Field>
    </SettingsCard>
  )
}

type Budget = Project['budget']

/** An exhaustive record: a new limit is a type error here. */
const limits: Readonly<Record<keyof Budget, { readonly label: string; readonly hint: string }>> = {
  costUsd: { label: 'Cost in US dollars', hint: 'By the price table of the service.' },
  turns: { label: 'Turns', hint: 'Responses of the model.' },
  tokens: { label: 'Tokens', hint: 'Read and written.' },
  seconds: { label: 'Seconds', hint: 'From the start of a run.' },
  changedFiles: { label: 'Changed files', hint: 'Of one run.' },
  changedBytes: { label: 'Changed bytes', hint: 'Of one run.' },
}
const names = Object.keys(limits) as readonly (keyof Budget)[]

const ends = [
  { value: 'keep', label: 'Keep them', hint: 'The job fails. A message continues from the changes.' },
  { value: 'publish', label: 'Publish them', hint: 'As a draft that says what was asked, after the usual checks.' },
] as const satisfies readonly {
  readonly value: Project['onBudgetEnd']
  readonly label: string
  readonly hint: string
}[]

function Budgets({ project }: Props) {
  const settings = useSettings(project, {
    toDraft: ({ budget, onBudgetEnd }) => ({ ...mapLimits((name) => fromNumber(budget[name])), onBudgetEnd }),
    toChange: ({ onBudgetEnd, ...draft }) => ({ budget: mapLimits((name) => toNumber(draft[name])), onBudgetEnd }),
  })
  return (
    <SettingsCard
      title="Budget of a run"
      about="A run ends at the first limit that it reaches. Empty: the limit of the service, which also holds where this one is larger."
      settings={settings}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Numbers
          fields={names.map((name) => ({ name, ...limits[name] }))}
          values={settings.draft}
          onChange={(name, value) => settings.change({ [name]: value })}
          problemOf={(name) => settings.of(`budget/${name}`)}
        />
      </div>
      <Choices
        legend="What becomes of the changes at the limit?"
        value={settings.draft.onBudgetEnd}
        onChange={(onBudgetEnd) => settings.change({ onBudgetEnd })}
        choices={ends}
        className="sm:grid-cols-2"
      />
    </SettingsCard>
  )
}

function mapLimits<Value>(toValue: (name: keyof Budget) => Value) {
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<keyof Budget, Value>
}

const caps = [
  { name: 'runsPerDay', label: 'Runs a day' },
  { name: 'costUsdPerDay', label: 'US dollars a day' },
] as const

function AutomationCaps({ project }: Props) {
  const settings = useSettings(project, {
    toDraft: ({ automationCaps: { runsPerDay, costUsdPerDay } }) => ({
      runsPerDay: fromNumber(runsPerDay),
      costUsdPerDay: fromNumber(costUsdPerDay),
    }),
    toChange: ({ runsPerDay, costUsdPerDay }) => ({
      automationCaps: { runsPerDay: toNumber(runsPerDay), costUsdPerDay: toNumber(costUsdPerDay) },
    }),
  })
  return (
    <SettingsCard
      title="Caps of automations"
      about="How much all automations together may start in a day. A run beyond a cap starts no job. Empty: no cap."
      settings={settings}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Numbers
          fields={caps}
          values={settings.draft}
          onChange={(name, value) => settings.change({ [name]: value })}
          problemOf={(name) => settings.of(`automationCaps/${name}`)}
        />
      </div>
    </SettingsCard>
  )
}

function Transcripts({ project }: Props) {
  const settings = useSettings(project, {
    toDraft: ({ transcripts }) => ({ keepDays: fromNumber(transcripts.keepDays) }),
    toChange: ({ keepDays }) => ({ transcripts: { keepDays: toNumber(keepDays) } }),
  })
  return (
    <SettingsCard
      title="Transcripts"
      about="What the model was given and what it did, turn by turn. Messages, changes and events of a job are always kept."
      settings={settings}
    >
      <Field
        label="Days to keep a transcript"
        hint="After the last run of the job. Empty: always. A job that continues later no longer has the conversation."
        problem={settings.of('transcripts/keepDays')}
      >
        <Input
          inputMode="numeric"
          pattern={numberPattern}
          title="A number"
          className="tabular-nums"
          value={settings.draft.keepDays}
          onChange={(event) => settings.change({ keepDays: event.currentTarget.value })}
        />
      </Field>
    </SettingsCard>
  )
}
