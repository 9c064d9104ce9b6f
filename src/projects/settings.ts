// The settings of a project: their defaults, changes and checks. In a change, a missing setting keeps its value, and
// null resets a setting to its default (RFC 7396).

import type { Insertable } from 'kysely'
import type { CategoryMapping } from '../analytics/category.ts'
import { fileGlobProblem } from '../docs-syntax/file-glob.ts'
import { toGlobs } from '../docs-syntax/glob.ts'
import { Failure, type FailureDetail, invalidFields } from '../lib/failure.ts'
import type { ProjectRow, Schema } from '../postgres/schema.ts'
import { siteExample } from '../sites/kinds.ts'
import { type FieldColumns, type FieldSettings, mapFields } from './setting-fields.ts'
import {
  type GroupColumns,
  type GroupField,
  type GroupName,
  type GroupSettings,
  type ListOfGroup,
  type SettingGroup,
  groupDefaults,
  mapGroups,
  settingGroups,
} from './setting-groups.ts'

/**
 * Globs of the paths that a job may change. An empty `allow` means all paths; `deny` always wins. Only `unprotect`, whose
 * globs name files, allows changes of protected files.
 */
export type PathPolicy = GroupSettings['pathPolicy']

export type PathGlobs = Pick<PathPolicy, 'allow' | 'deny' | 'unprotect'>

export type ProjectSettings = FieldSettings &
  GroupSettings & {
    readonly name: string
    /** The address as the git engine normalised it. */
    readonly repository: string
    /** The categories that the project counts differently; other categories count as their default class. */
    readonly categories: CategoryMapping
  }

type Optional<T> = { readonly [Name in keyof T]?: T[Name] | null | undefined }

/** Objects in a group change by their lists. */
type OptionalLists<T> = {
  readonly [Name in keyof T]?:
    | (T[Name] extends Readonly<Record<string, readonly string[]>> ? Optional<T[Name]> : T[Name])
    | null
    | undefined
}

type GroupChanges = { readonly [Name in keyof GroupSettings]?: OptionalLists<GroupSettings[Name]> | null | undefined }

export type ProjectChange = Optional<FieldSettings> &
  GroupChanges & {
    readonly name?: string | undefined
    readonly repository?: string | undefined
    readonly categories?: Optional<CategoryMapping> | null | undefined
  }

const fieldDefaults = mapFields((field, name) => [name, field.fallback]) as FieldSettings

export const defaults: Omit<ProjectSettings, 'name' | 'repository'> = {
  ...fieldDefaults,
  ...groupDefaults,
  categories: {},
}

/** The longest month. The limit on `signalRetentionDays` counts every month as this many days. */
const daysOfMonth = 31

const strictRetentionMonths = 25

type Judges = {
  /** Explains why a text is not a branch name, or returns null. */
  readonly branchProblem: (branch: string) => string | null
  /** Explains why a text is not a model of this service, or returns null. */
  readonly modelProblem: (model: string) => string | null
  /** Explains why a text is not the address of a page that jobs may read, or returns null. */
  readonly pageProblem: (address: string, isPrefix: boolean) => string | null
}

/** Returns `before` with the change applied. */
export function applyChange(before: ProjectSettings, change: ProjectChange): ProjectSettings {
  const after = changeAll(before, change)
  return after.privacy === 'strict' ? { ...after, ...toStrict(after, change) } : after
}

function changeAll(before: ProjectSettings, change: ProjectChange): ProjectSettings {
  const { categories, name, repository } = change
  const fields = mapFields((_, field) => [
    field,
    change[field] === null ? defaults[field] : (change[field] ?? before[field]),
  ])
  const groups = mapGroups((_, group) => [group, changeGroup(before, change, group)])
  return {
    ...(fields as FieldSettings),
    ...(groups as GroupSettings),
    name: name ?? before.name,
    repository: repository ?? before.repository,
    categories: categories === null ? {} : withoutDefaults({ ...before.categories, ...categories }),
  }
}

/** The most that strict privacy allows, except of what the change sends: that is refused instead. */
function toStrict(after: ProjectSettings, change: ProjectChange): Partial<ProjectSettings> {
  const { visitorWindow, retentionMonths, signalRetentionDays } = change
  const most = strictRetentionMonths
  return {
    visitorWindow: visitorWindow ?? 'day',
    retentionMonths: retentionMonths ?? Math.min(after.retentionMonths, most),
    signalRetentionDays: signalRetentionDays ?? Math.min(after.signalRetentionDays, most * daysOfMonth),
  }
}

function changeGroup(before: ProjectSettings, change: ProjectChange, name: GroupName): unknown {
  return change[name] === null ? groupDefaults[name] : layOver<object>(before[name], change[name], groupDefaults[name])
}

/** Checks the changed values and the resulting settings. Throws `invalid_input` with every problem. */
export function checkChange(judges: Judges, change: ProjectChange, after: ProjectSettings): void {
  const { branch, model, models, timeZone } = change
  const details = [
    detail('#/branch', typeof branch === 'string' ? refusal(judges.branchProblem(branch)) : null),
    detail('#/model', typeof model === 'string' ? judges.modelProblem(model) : null),
    ...(models ?? []).map((one, at) => detail(`#/models/${at}`, judges.modelProblem(one))),
    detail('#/timeZone', typeof timeZone === 'string' && toTimeZone(timeZone) === undefined ? noTimeZone : null),
    ...Object.entries(settingGroups).flatMap(([name, group]) =>
      listDetails(judges, group, { pointer: `#/${name}`, change: Reflect.get(change, name) }),
    ),
    ...publicationDetails(judges, change, after),
    ...strictDetails(after),
    ...retentionDetails(change, after),
  ].flat()
  if (details.length > 0) throw invalidFields(details)
}

/** Returns the zone in its usual letter case; undefined for an unknown zone. An offset is not a zone. */
export function toTimeZone(name: string): string | undefined {
  if (!/^[A-Z][\w+-]*(?:\/[A-Z0-9][\w+-]*)*$/.test(name)) return undefined
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    return known.toLowerCase() === name.toLowerCase() ? known : name
  } catch {
    return undefined
  }
}

type Columns = Omit<Insertable<Schema['projects']>, 'id' | 'created_at' | 'updated_at'>

export function toColumns(settings: ProjectSettings): Columns {
  const columns = mapFields(({ column }, name) => [column, settings[name]]) as FieldColumns
  return {
    ...columns,
    ...(mapGroups(({ column }, name) => [column, toJson(settings[name])]) as GroupColumns),
    name: settings.name,
    repository: settings.repository,
    time_zone: toTimeZone(settings.timeZone) ?? settings.timeZone,
    categories: JSON.stringify(settings.categories),
  }
}

export function fromColumns(row: ProjectRow): ProjectSettings {
  const fields = mapFields(({ column }, name) => [name, row[column]]) as FieldSettings
  return {
    ...fields,
    ...(mapGroups(({ column }, name) => [name, fromJson(groupDefaults[name], row[column])]) as GroupSettings),
    name: row.name,
    repository: row.repository,
    categories: JSON.parse(row.categories) as CategoryMapping,
  }
}

/** A limit that is null is left out. */
function toJson(group: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(group).filter(([, value]) => value !== null)))
}

function fromJson(fallback: object, column: unknown): object {
  return layOver(fallback, JSON.parse(String(column)) as object, fallback)
}

function layOver<T extends object>(before: T, change: Optional<T> | undefined, fallback: T): T {
  const given = Object.entries(change ?? {}).filter(([, value]) => value !== undefined)
  const after = given.map(([key, value]) => {
    const [old, initial] = [Reflect.get(before, key), Reflect.get(fallback, key)] as readonly unknown[]
    return [
      key,
      isObject(value) && isObject(old) && isObject(initial) ? layOver(old, value, initial) : (value ?? initial),
    ]
  })
  return { ...before, ...Object.fromEntries(after) }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Keeps only the categories whose class differs from the default. */
function withoutDefaults(mapping: Optional<CategoryMapping>): CategoryMapping {
  return Object.fromEntries(Object.entries(mapping).filter(([, value]) => typeof value === 'string'))
}

export const noTimeZone = 'is not the name of a time zone, such as Europe/Berlin'

function refusal(problem: string | null): string | null {
  return problem === null ? null : `is refused: ${problem}`
}

type GivenGroup = { readonly pointer: string; readonly change: unknown }

function listDetails(judges: Judges, { fields }: SettingGroup, { pointer, change }: GivenGroup) {
  const given = (change ?? {}) as Readonly<Record<string, object | null>>
  return Object.entries(fields).flatMap(([field, declared]) => {
    if (declared.kind === 'lists') return listsDetails(`${pointer}/${field}`, declared.lists, given[field] ?? {})
    const problemOf = problemOfEach(declared, judges)
    if (!problemOf) return []
    const texts = (given[field] ?? []) as readonly string[]
    return texts.flatMap((text, at) => detail(`${pointer}/${field}/${at}`, problemOf(text)))
  })
}

function listsDetails(pointer: string, lists: Readonly<Record<string, ListOfGroup>>, given: object) {
  return Object.entries(lists).flatMap(([name, list]) => {
    const problemOf = problemOfEach(list)
    const texts = (Reflect.get(given, name) ?? []) as readonly string[]
    return problemOf ? texts.flatMap((text, at) => detail(`${pointer}/${name}/${at}`, problemOf(text))) : []
  })
}

type ProblemOf = (text: string) => string | null

function problemOfEach(field: GroupField | ListOfGroup, judges?: Pick<Judges, 'pageProblem'>): ProblemOf | undefined {
  if (field.kind === 'addresses') return (text) => judges?.pageProblem(text, field.isPrefix === true) ?? null
  if (field.kind === 'globs') return globProblem
  if (field.kind === 'keys') return keyProblem
  if (field.kind === 'files') return fileGlobProblem
  return field.kind === 'names' && field.isHost ? hostProblem : undefined
}

function hostProblem(host: string): string | null {
  const isHost = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(host)
  return isHost ? null : 'is not the name of a host in lower case, such as img.shields.io'
}

function keyProblem(text: string): string | null {
  return /^[^:]+:[^:\s]+$/.test(text) ? null : `is not a file and a key, such as ${siteExample.key}`
}

/** Completes the name of the field; null: no problem. */
export function globProblem(glob: string): string | null {
  try {
    toGlobs(glob)
    return null
  } catch (error) {
    if (error instanceof Failure) return `is refused: ${error.message.replace(/\.$/, '')}`
    throw error
  }
}

/** A branch of a job must have a valid name, and can't be below the base branch. */
function publicationDetails(judges: Judges, change: ProjectChange, after: ProjectSettings): readonly FailureDetail[] {
  const prefix = after.pullRequest.branchPrefix
  const pointer = '#/pullRequest/branchPrefix'
  if (typeof change.pullRequest?.branchPrefix === 'string') {
    const problem = judges.branchProblem(`${prefix}${longestJobName}`)
    if (problem !== null) return detail(pointer, `is refused, because with the id of a job after it ${problem}`)
  }
  if (after.branch === null || !prefix.startsWith(`${after.branch}/`)) return []
  const words = `there is no room for branches below \`${after.branch}\`, which is the base branch`
  const isSent = typeof change.pullRequest?.branchPrefix === 'string'
  return isSent
    ? detail(pointer, `is refused: ${words}`)
    : detail('#/branch', `is refused: branches of jobs begin with \`${prefix}\`, and ${words}`)
}

const longestJobName = `job_${'a'.repeat(20)}-100000`

/** Only values that were sent can be more than strict privacy allows. */
function strictDetails({ privacy, visitorWindow, retentionMonths }: ProjectSettings): readonly FailureDetail[] {
  if (privacy !== 'strict') return []
  const most = strictRetentionMonths
  return [
    ...detail('#/visitorWindow', visitorWindow === 'day' ? null : 'must be `day`, because `privacy` is `strict`'),
    ...detail(
      '#/retentionMonths',
      retentionMonths <= most ? null : `must be at most ${most}, because \`privacy\` is \`strict\``,
    ),
  ]
}

/** Points to a field that was sent. */
function retentionDetails(change: ProjectChange, after: ProjectSettings): readonly FailureDetail[] {
  const { retentionMonths, signalRetentionDays } = after
  const most = retentionMonths * daysOfMonth
  if (signalRetentionDays <= most) return []
  if (typeof change.signalRetentionDays === 'number') {
    return detail(
      '#/signalRetentionDays',
      `must be at most ${most}: no longer than \`retentionMonths\` keeps page views`,
    )
  }
  return detail(
    '#/retentionMonths',
    `keeps page views for at most ${most} days, and \`signalRetentionDays\` is ${signalRetentionDays}: send that, too, with at most ${most}`,
  )
}

function detail(pointer: string, message: string | null): readonly FailureDetail[] {
  return message === null ? [] : [{ pointer, message }]
}
