// How readers are counted: the zone of the days, how long somebody stays the same visitor, which page views count, how long
// they are kept, and what each category of clients counts as.

import { useId } from 'react'
import type { Project } from '../../../api/projects.ts'
import { Choices } from '../../../ui/form/choice.tsx'
import { Checklist } from '../../../ui/form/checklist.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { categories, type Category, classes, type VisitorClass } from './categories.ts'
import { fromNumber, numberPattern, toNumber } from '../../../ui/form/drafts.ts'
import { SettingsCard, useSettings } from './form.tsx'
import { windowsFor } from './windows.ts'

type Props = { readonly project: Project }

export function VisitorSettings({ project }: Props) {
  return (
    <>
      <Privacy project={project} />
      {/* Strict privacy changes their values: their drafts begin again. */}
      <Counting key={`counting ${project.privacy}`} project={project} />
      <Dimensions project={project} />
      <Retention key={`retention ${project.privacy}`} project={project} />
      <Mapping project={project} />
    </>
  )
}

type Words<Value extends string> = Readonly<Record<Value, { readonly label: string; readonly hint?: string }>>

/** Exhaustive records: a new choice of the service is a type error here. */
const sources: Words<Project['collectionSource']> = {
  both: { label: 'Browsers and servers', hint: 'A page that both report counts once.' },
  browser: { label: 'Browsers only', hint: 'The script on your pages. AI agents run no scripts, so few are counted.' },
  server: { label: 'Servers only', hint: 'Access logs, middleware and log drains.' },
}
const unverified: Words<Project['unverifiedAiAgents']> = {
  count: { label: 'Count them as what they claim to be' },
  ignore: { label: 'Leave them out' },
}

function choicesOf<Value extends string>(words: Words<Value>) {
  return (Object.keys(words) as Value[]).map((value) => ({ value, ...words[value] }))
}

const privacies: Words<Project['privacy']> = {
  standard: {
    label: 'Standard',
    hint: 'The page, the class and the visitor, where the visitor came from, the dimensions below, and for some days the user agent and the headers.',
  },
  strict: {
    label: 'Strict',
    hint: 'Only the page, the class, and a visitor who is another one the next day. Browsers that ask not to be counted are not counted, on any site. Page views stay for 25 months at most.',
  },
}

function Privacy({ project }: Props) {
  const settings = useSettings(project, {
    toDraft: ({ privacy }) => ({ privacy }),
    toChange: (draft) => draft,
  })
  const { draft, change } = settings
  const turnsStrict = draft.privacy === 'strict' && project.privacy !== 'strict'
  return (
    <SettingsCard title="Privacy" settings={settings}>
      <Choices
        legend="What is kept of a page view"
        value={draft.privacy}
        choices={choicesOf(privacies)}
        onChange={(privacy) => change({ privacy })}
        className="sm:grid-cols-2"
      />
      {turnsStrict && (
        <p className="text-muted">
          Saving clears the rest of earlier page views for good: referring sites, dimensions, user agents and headers.
          Their numbers of visitors stay.
        </p>
      )}
    </SettingsCard>
  )
}

function Counting({ project }: Props) {
  const zones = useId()
  const settings = useSettings(project, {
    toDraft: ({ timeZone, visitorWindow, collectionSource, unverifiedAiAgents }) => ({
      timeZone,
      visitorWindow,
      collectionSource,
      unverifiedAiAgents,
    }),
    toChange: (draft) => ({ ...draft, timeZone: draft.timeZone.trim() }),
  })
  const { draft, change, of } = settings
  return (
    <SettingsCard title="Counting" settings={settings}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Time zone" hint="Days begin and end in it." problem={of('timeZone')}>
          <Input
            required
            list={zones}
            spellCheck={false}
            value={draft.timeZone}
            onChange={(event) => change({ timeZone: event.currentTarget.value })}
          />
        </Field>
        <datalist id={zones}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </datalist>
      </div>
      <Choices
        legend="The same visitor for, from the next page view on"
        value={draft.visitorWindow}
        choices={windowsFor(project)}
        onChange={(visitorWindow) => change({ visitorWindow })}
        className="sm:grid-cols-2"
      />
      <Choices
        legend="Which page views count"
        value={draft.collectionSource}
        choices={choicesOf(sources)}
        onChange={(collectionSource) => change({ collectionSource })}
      />
      <Choices
        legend="AI agents from an address that their operator does not publish"
        value={draft.unverifiedAiAgents}
        choices={choicesOf(unverified)}
        onChange={(unverifiedAiAgents) => change({ unverifiedAiAgents })}
        className="sm:grid-cols-2"
      />
    </SettingsCard>
  )
}

/** A record, so that a new dimension is a type error here. */
const dimensions: Readonly<Record<Project['dimensionsOff'][number], string>> = {
  country: 'Country',
  language: 'Language',
  device: 'Device',
  browser: 'Browser',
  os: 'Operating system',
  campaign: 'Campaign',
  title: 'Title of the page',
}

function Dimensions({ project }: Props) {
  const names = Object.keys(dimensions) as (keyof typeof dimensions)[]
  const settings = useSettings(project, {
    toDraft: ({ dimensionsOff }) => ({ kept: names.filter((name) => !dimensionsOff.includes(name)) }),
    toChange: ({ kept }) => ({ dimensionsOff: names.filter((name) => !kept.includes(name)) }),
  })
  return (
    <SettingsCard
      title="What is kept of a page view"
      about="Besides the page, the referring site and the class of the client. A change applies to later page views."
      settings={settings}
    >
      <Checklist
        legend="Dimensions"
        hint="What a page view does not say is unknown, never guessed."
        names={names}
        labels={dimensions}
        chosen={new Set(settings.draft.kept)}
        onChange={(kept) => settings.change({ kept: names.filter((name) => kept.includes(name)) })}
      />
    </SettingsCard>
  )
}

function Retention({ project }: Props) {
  const settings = useSettings(project, {
    toDraft: ({ retentionMonths, signalRetentionDays }) => ({
      retentionMonths: fromNumber(retentionMonths),
      signalRetentionDays: fromNumber(signalRetentionDays),
    }),
    toChange: ({ retentionMonths, signalRetentionDays }) => ({
      retentionMonths: toNumber(retentionMonths),
      signalRetentionDays: toNumber(signalRetentionDays),
    }),
  })
  const { draft, change, of } = settings
  const number = { inputMode: 'numeric', pattern: numberPattern, title: 'A number', className: 'tabular-nums' } as const
  return (
    <SettingsCard
      title="Retention"
      about="Older page views are deleted for good within a day. Empty: the default."
      settings={settings}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Months for page views" problem={of('retentionMonths')}>
          <Input
            {...number}
            value={draft.retentionMonths}
            onChange={(event) => change({ retentionMonths: event.currentTarget.value })}
          />
        </Field>
        <Field label="Days for user agents and headers" problem={of('signalRetentionDays')}>
          <Input
            {...number}
            value={draft.signalRetentionDays}
            onChange={(event) => change({ signalRetentionDays: event.currentTarget.value })}
          />
        </Field>
      </div>
    </SettingsCard>
  )
}

const categoryNames = Object.keys(categories) as readonly Category[]

function Mapping({ project }: Props) {
  const settings = useSettings<Record<Category, VisitorClass | 'standard'>>(project, {
    toDraft: (stored) => mapCategories((name) => stored.categories[name] ?? 'standard'),
    toChange: (draft) => ({ categories: mapCategories((name) => (draft[name] === 'standard' ? null : draft[name])) }),
  })
  return (
    <SettingsCard
      title="Categories"
      about="What each kind of client counts as. A change applies to all page views that are kept."
      settings={settings}
    >
      <ul className="divide-y divide-line">
        {categoryNames.map((name) => (
          <li key={name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <span className="min-w-0">
              {categories[name].label}
              <span className="block text-sm text-muted">{categories[name].hint}</span>
            </span>
            <Select
              name={`${categories[name].label} count as`}
              value={settings.draft[name]}
              options={classesFor(name)}
              onChange={(chosen) => settings.change({ [name]: chosen })}
              className="w-56"
            />
          </li>
        ))}
      </ul>
    </SettingsCard>
  )
}

function classesFor(name: Category) {
  const standard = { value: 'standard', label: `Default: ${classes[categories[name].standard]}` } as const
  return [standard, ...(Object.keys(classes) as VisitorClass[]).map((value) => ({ value, label: classes[value] }))]
}

function mapCategories<Value>(toValue: (name: Category) => Value) {
  return Object.fromEntries(categoryNames.map((name) => [name, toValue(name)])) as Record<Category, Value>
}
