// An automation: instructions, what starts jobs with them, and what these may use and change. Its types, and its row.

import type { AutomationRow } from '../postgres/schema/automations.ts'
import type { GroupSettings } from '../projects/setting-groups.ts'
import type { SecretPlace } from '../secrets/signing-secret.ts'
import { type AutomationKind, readyKindOf } from './ready/kinds.ts'
import { type KindOptions, optionsOf } from './ready/options.ts'

export const triggerTypes = ['schedule', 'docs', 'code', 'event', 'person'] as const
export const updateModes = ['pull_request', 'draft', 'merge'] as const
export const groupings = ['one', 'each'] as const

/**
 * `timeZone` null: that of the project. `docs`: commits that reach the base branch of the documentation. `code`: commits that reach
 * the branch of a source (null: the base branch of the documentation, if the product is in the same repository); each one, or all
 * together at the times of a cron. `paths`: globs of the files that count; empty: all. `event`: a request to its own address, signed
 * or with a key. `person`: people and keys start it, and nothing else.
 */
export type Trigger =
  | { readonly type: 'schedule'; readonly cron: string; readonly timeZone: string | null }
  | { readonly type: 'docs'; readonly paths: readonly string[] }
  | {
      readonly type: 'code'
      readonly source: string | null
      readonly paths: readonly string[]
      /** `merge`, or five fields of cron in the zone of the project. */
      readonly when: string
    }
  | { readonly type: 'event' }
  | { readonly type: 'person' }

/** A trigger that follows a branch. */
export type FollowingTrigger = Extract<Trigger, { readonly type: 'docs' | 'code' }>

type Budgets = GroupSettings['budget']
type Caps = GroupSettings['automationCaps']

export type Automation = {
  readonly id: string
  /** Unique in the project. */
  readonly name: string
  readonly kind: AutomationKind
  readonly trigger: Trigger
  /** The prompt of its jobs; of a ready-made one, what the project adds to it, or nothing. */
  readonly instructions: string
  /** Each option of its kind; empty for a kind without options. */
  readonly options: KindOptions
  /** The names of the sources that its jobs need; null: all of the project. */
  readonly sources: readonly string[] | null
  /** The globs of the paths that its jobs may change; empty: all that the project allows. */
  readonly scope: readonly string[]
  /** null: the model of the project. */
  readonly model: string | null
  /** Budgets of a run, each at most the project's. */
  readonly budgets: Budgets
  /** How changes are proposed: as the project wants it, or as a draft in any case. `merge`: the service merges the pull request, see `jobs/merging`. */
  readonly update: (typeof updateModes)[number]
  /** With `merge`: also a commit on which no check of the forge appears. */
  readonly mergeWithoutChecks: boolean
  /** `one`: a run continues the job of the open pull request. `each`: it has a job and a pull request of its own. */
  readonly grouping: (typeof groupings)[number]
  readonly caps: Caps
  readonly enabled: boolean
  /** Why it paused itself; null if it is on, or a person paused it. */
  readonly pausedBecause: string | null
  /** Nothing starts from then on; null: never. */
  readonly endsAt: string | null
  /** null: nothing is due. */
  readonly nextRunAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

type Settable = Pick<
  Automation,
  | 'name'
  | 'trigger'
  | 'instructions'
  | 'sources'
  | 'scope'
  | 'model'
  | 'update'
  | 'mergeWithoutChecks'
  | 'grouping'
  | 'enabled'
> & {
  readonly options: Partial<KindOptions>
  readonly budgets: Partial<Budgets>
  readonly caps: Partial<Caps>
  readonly endsAt: Date | null
}

/** A missing field keeps its value, and null restores the default. The same applies to the fields of `budgets` and `caps`. */
export type AutomationChange = { readonly [Name in keyof Settable]?: Settable[Name] | null | undefined } & {
  readonly kind?: AutomationKind | undefined
  readonly name?: string | undefined
  readonly trigger?: Trigger | undefined
  readonly instructions?: string | undefined
  readonly enabled?: boolean | undefined
}
/** Without a kind: `custom`, which has no default for the three that `CompleteAutomation` has. */
export type NewAutomation = AutomationChange
export type CompleteAutomation = AutomationChange &
  Pick<Settable, 'name' | 'trigger' | 'instructions'> &
  Pick<Automation, 'kind'>
/** The commit after which an automation that follows a branch begins: a tag, a commit, a date or `last-tag`. Undefined: the head. */
export type Beginning = { readonly since?: string | undefined }

export const noCaps: Caps = { runsPerDay: null, costUsdPerDay: null }
const noBudgets: Budgets = {
  turns: null,
  tokens: null,
  seconds: null,
  changedFiles: null,
  changedBytes: null,
  costUsd: null,
}

type Columns = Omit<
  AutomationRow,
  | 'id'
  | 'project_id'
  | 'next_slot'
  | 'next_run_at'
  | 'slot_zone'
  | 'paused_because'
  | 'resumed_at'
  | 'event_secret'
  | 'created_at'
  | 'updated_at'
>

/** The columns of an automation for which nothing was chosen but what it needs. */
const defaults: Omit<Columns, 'name' | 'trigger' | 'instructions' | 'kind'> = {
  options: '{}',
  sources: null,
  scope: '[]',
  model: null,
  budgets: '{}',
  update_mode: 'pull_request',
  merge_without_checks: false,
  grouping: 'each',
  caps: '{}',
  enabled: true,
  ends_at: null,
}

export function newColumns(given: CompleteAutomation): Columns {
  const { name, kind, trigger, instructions } = given
  const needed = { name, kind, trigger: JSON.stringify(trigger), instructions: JSON.stringify(instructions) }
  return applyChange({ ...defaults, ...needed }, given)
}

export function applyChange<Row extends Columns>(row: Row, change: AutomationChange): Row {
  const { name, trigger, instructions, sources, scope, model } = change
  const { update, mergeWithoutChecks, grouping, enabled, endsAt } = change
  return {
    ...row,
    ...(name === undefined ? {} : { name }),
    ...(trigger === undefined ? {} : { trigger: JSON.stringify(trigger) }),
    ...(instructions === undefined ? {} : { instructions: JSON.stringify(instructions) }),
    ...(sources === undefined ? {} : { sources: sources && JSON.stringify([...new Set(sources)]) }),
    ...(scope === undefined ? {} : { scope: JSON.stringify(scope ?? []) }),
    ...(model === undefined ? {} : { model }),
    ...(update === undefined ? {} : { update_mode: update ?? defaults.update_mode }),
    ...(mergeWithoutChecks === undefined ? {} : { merge_without_checks: mergeWithoutChecks ?? false }),
    ...(grouping === undefined
      ? {}
      : { grouping: grouping ?? readyKindOf(row.kind as AutomationKind)?.grouping ?? defaults.grouping }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(endsAt === undefined ? {} : { ends_at: endsAt }),
    options: layOver(row.options, change.options),
    budgets: layOver(row.budgets, change.budgets),
    caps: layOver(row.caps, change.caps),
  }
}

function layOver(stored: string, change: object | null | undefined): string {
  if (change === null) return '{}'
  const all: object = { ...(JSON.parse(stored) as object), ...change }
  const isSet = (value: unknown) => typeof value === 'number' || typeof value === 'boolean'
  return JSON.stringify(Object.fromEntries(Object.entries(all).filter(([, value]) => isSet(value))))
}

/** The place of the secret that signs its events. */
export function secretPlace(id: string): SecretPlace {
  return { owner: id, purpose: 'event secret' }
}

export function kindOf(row: Pick<AutomationRow, 'kind' | 'options'>): Pick<Automation, 'kind' | 'options'> {
  const kind = row.kind as AutomationKind
  return { kind, options: optionsOf(kind, JSON.parse(row.options) as Partial<KindOptions>) }
}

export function triggerOf({ trigger }: Pick<AutomationRow, 'trigger'>): Trigger {
  return JSON.parse(trigger) as Trigger
}

export function isFollowing(trigger: Trigger): trigger is FollowingTrigger {
  return trigger.type === 'docs' || trigger.type === 'code'
}

export function capsOf({ caps }: Pick<AutomationRow, 'caps'>): Caps {
  return { ...noCaps, ...(JSON.parse(caps) as Partial<Caps>) }
}

export function toAutomation(row: AutomationRow): Automation {
  return {
    id: row.id,
    name: row.name,
    ...kindOf(row),
    trigger: triggerOf(row),
    instructions: JSON.parse(row.instructions) as string,
    sources: row.sources === null ? null : (JSON.parse(row.sources) as readonly string[]),
    scope: JSON.parse(row.scope) as readonly string[],
    model: row.model,
    budgets: { ...noBudgets, ...(JSON.parse(row.budgets) as Partial<Budgets>) },
    update: row.update_mode,
    mergeWithoutChecks: row.merge_without_checks,
    grouping: row.grouping,
    caps: capsOf(row),
    enabled: row.enabled,
    pausedBecause: row.paused_because,
    endsAt: row.ends_at?.toISOString() ?? null,
    nextRunAt: row.next_run_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
