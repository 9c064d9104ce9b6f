// An automation as people type it: numbers as text, lists as lines. Pure.

import type { Problem } from '../../api/problem.ts'
import type { Automation, NewAutomation } from '../../api/project/automations.ts'
import { fromLines, fromNumber, toLines, toNumber } from '../../ui/form/drafts.ts'

type Budgets = Automation['budgets']
type Caps = Automation['caps']

/** Exhaustive records: a new limit is a type error here. */
export const capLabels: Readonly<Record<keyof Caps, string>> = {
  runsPerDay: 'Runs a day',
  costUsdPerDay: 'US dollars a day',
}
export const budgetLabels: Readonly<Record<keyof Budgets, string>> = {
  costUsd: 'US dollars a run',
  turns: 'Turns a run',
  tokens: 'Tokens a run',
  seconds: 'Seconds a run',
  changedFiles: 'Changed files a run',
  changedBytes: 'Changed bytes a run',
}
export const limitNames: ReadonlyMap<string, string> = new Map(Object.entries({ ...capLabels, ...budgetLabels }))

export type Draft = {
  readonly name: string
  readonly instructions: string
  readonly starts: Automation['trigger']['type']
  /** The options of its kind. */
  readonly options: Automation['options']
  readonly cron: string
  readonly timeZone: string
  /** Empty: the repository of the project. */
  readonly source: string
  /** Globs of the files that count, one a line. */
  readonly paths: string
  /** Whether each commit starts a run, or the times of `cron` do. */
  readonly each: boolean
  readonly scope: string
  /** Undefined: all of the project. */
  readonly sources: readonly string[] | undefined
  /** Empty: that of the project. */
  readonly model: string
  readonly update: Automation['update']
  readonly mergeWithoutChecks: boolean
  readonly grouping: Automation['grouping']
  readonly caps: Readonly<Record<keyof Caps, string>>
  readonly budgets: Readonly<Record<keyof Budgets, string>>
}

/** The properties of a part of the form. */
export type FieldsProps = {
  readonly projectId: string
  readonly draft: Draft
  readonly change: (fields: Partial<Draft>) => void
  readonly problem: Problem | undefined
}

export function toDraft(automation: Automation | undefined, cron: string): Draft {
  const {
    name = '',
    instructions = '',
    options = {},
    trigger,
    scope = [],
    sources,
    model,
    caps,
    budgets,
  } = automation ?? {}
  const schedule = trigger?.type === 'schedule' ? trigger : undefined
  const code = trigger?.type === 'code' ? trigger : undefined
  const collected = code === undefined || code.when === 'merge' ? cron : code.when
  return {
    name,
    instructions,
    options,
    starts: trigger?.type ?? 'schedule',
    cron: schedule?.cron ?? collected,
    timeZone: schedule?.timeZone ?? '',
    source: code?.source ?? '',
    paths: fromLines(trigger && 'paths' in trigger ? trigger.paths : []),
    each: code === undefined || code.when === 'merge',
    scope: fromLines(scope),
    sources: sources ?? undefined,
    model: model ?? '',
    update: automation?.update ?? 'pull_request',
    mergeWithoutChecks: automation?.mergeWithoutChecks ?? false,
    grouping: automation?.grouping ?? 'each',
    caps: map(capLabels, (name) => fromNumber(caps?.[name] ?? null)),
    budgets: map(budgetLabels, (name) => fromNumber(budgets?.[name] ?? null)),
  }
}

export function toFields(draft: Draft): NewAutomation {
  const { name, instructions, options, scope, sources, model, update, mergeWithoutChecks, grouping, caps, budgets } =
    draft
  return {
    name: name.trim(),
    instructions,
    ...(Object.keys(options).length === 0 ? {} : { options }),
    trigger: toTrigger(draft),
    scope: [...toLines(scope)],
    sources: sources === undefined ? null : [...sources],
    model: model === '' ? null : model,
    update,
    mergeWithoutChecks,
    grouping,
    caps: map(capLabels, (name) => toNumber(caps[name])),
    budgets: map(budgetLabels, (name) => toNumber(budgets[name])),
  }
}

function toTrigger({ starts, cron, timeZone, source, paths, each }: Draft): NonNullable<NewAutomation['trigger']> {
  const zone = timeZone.trim() === '' ? null : timeZone.trim()
  const globs = [...toLines(paths)]
  if (starts === 'schedule') return { type: starts, cron: cron.trim(), timeZone: zone }
  if (starts === 'docs') return { type: starts, paths: globs }
  if (starts !== 'code') return { type: starts }
  return { type: starts, source: source === '' ? null : source, paths: globs, when: each ? 'merge' : cron.trim() }
}

function map<Name extends string, Value>(labels: Readonly<Record<Name, string>>, toValue: (name: Name) => Value) {
  return Object.fromEntries(namesOf(labels).map((name) => [name, toValue(name)])) as Record<Name, Value>
}

export function namesOf<Name extends string>(labels: Readonly<Record<Name, string>>): readonly Name[] {
  const names: Name[] = []
  for (const name in labels) names.push(name)
  return names
}
