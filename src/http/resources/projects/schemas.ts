// Projects, as requests and responses have them.

import { list, string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import { categories, defaultClasses, visitorClasses } from '../../../analytics/category.ts'
import type { AccessReport } from '../../../projects/access/access.ts'
import type { Project } from '../../../projects/projects.ts'
import type { WithSources } from '../../../projects/sources/sources.ts'
import { sourceSettingsSchema } from '../sources/schemas.ts'
import { type FieldSettings, mapFields, type SettingField } from '../../../projects/setting-fields.ts'
import {
  type GroupField,
  type GroupSettings,
  type GroupValue,
  type ListOfGroup,
  mapGroupFields,
  mapGroups,
  type SettingGroup,
  settingGroups,
} from '../../../projects/setting-groups.ts'
import type { ProjectChange } from '../../../projects/settings.ts'
import { integerParameter, text } from '../../contract/text.ts'
import { exactObject, namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { accessSchema, exampleOfAccess } from '../credential/schemas.ts'

const visitorClass = namedEnum('VisitorClass', visitorClasses)
const categoriesText = `Overrides how the page views of a category count. The defaults are: ${defaultWords()}. Applies to all page views that are kept.`

function defaultWords(): string {
  return Object.entries(defaultClasses)
    .map(([category, its]) => `\`${category}\` ${its}`)
    .join(', ')
}

type ResponseFields = { readonly [Name in keyof FieldSettings]: z.ZodType<FieldSettings[Name]> }
type ChangeFields = {
  readonly [Name in keyof FieldSettings]: z.ZodOptional<z.ZodNullable<z.ZodType<FieldSettings[Name]>>>
}

const responseFields = mapFields((field, name) => [name, toResponseField(field, toTitle(name))]) as ResponseFields
const changeFields = mapFields((field, name) => [name, toChangeField(field, toTitle(name))]) as ChangeFields

/** `pathPolicy` is `PathPolicy`. */
function toTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function toResponseField(field: SettingField, title: string) {
  const { description } = field
  if (field.kind === 'choice') return z.enum(field.choices).openapi({ title, description })
  if (field.kind === 'number') return z.number().openapi({ description })
  if (field.kind === 'flag') return z.boolean().openapi({ description })
  if (field.kind === 'texts')
    return z
      .array(field.choices ? oneOf(field.choices, title) : z.string())
      .readonly()
      .openapi({ description })
  return (field.fallback === null ? z.string().nullable() : z.string()).openapi({ description })
}

function toChangeField(field: SettingField, title: string) {
  const { description } = field
  if (field.kind === 'choice') return z.enum(field.choices).nullable().optional().openapi({ title, description })
  if (field.kind === 'texts') return texts(field, title).openapi({ description })
  if (field.kind === 'flag') return z.boolean().nullable().optional().openapi({ description })
  return field.kind === 'number' ? limit(field.max).openapi({ description }) : text(field).nullable().optional()
}

/** `DimensionsOff` is a list, and a value of it `DimensionsOffValue`. */
function oneOf(choices: readonly string[], title: string) {
  return z.enum(choices).openapi({ title: `${title}Value` })
}

function texts({ max, choices, example }: SettingField & { readonly kind: 'texts' }, title: string) {
  const one = choices ? oneOf(choices, title) : text({ max, description: 'One of them.', example })
  return z.array(one).max(50, 'must have at most 50 entries').readonly().nullable().optional()
}

function limit(max: number) {
  return z.int().min(1, 'must be at least 1').max(max).nullable().optional()
}

const globs = z
  .array(text({ max: 500, description: 'A glob.', example: 'docs/' }))
  .max(100)
  .nullable()
  .optional()

const addresses = (description: string, example: string) =>
  z
    .array(text({ max: 2_000, description, example }))
    .max(100)
    .nullable()
    .optional()

const names = (description: string, example: string) =>
  z.array(oneLine(description, example)).max(20).nullable().optional()

/** A name on a forge: commas separate names in GitLab's API. */
function oneLine(description: string, example: string) {
  return text({ max: 100, description, example }).refine((name) => !/[\p{Cc},]/u.test(name), {
    message: 'must be one line without commas',
  })
}

function line({ description, example, fallback }: Extract<GroupField, { readonly kind: 'line' }>) {
  const shown = { description, example }
  return fallback === null ? z.string().nullable().openapi(shown) : z.string().openapi(shown)
}

function lineToChange({ description, example }: Extract<GroupField, { readonly kind: 'line' }>) {
  return text({ max: 100, description, example })
    .refine((value) => !/\p{Cc}/u.test(value), { message: 'must be one line' })
    .nullable()
    .optional()
}

const person = z
  .object({
    name: text({ max: 100, description: 'A name.', example: 'Acme Docs' }).refine(
      (name) => !/[<>\p{Cc}]/u.test(name) && name.trim() === name,
      { message: 'must be one line without < and >' },
    ),
    email: text({ max: 254, description: 'An e-mail address.', example: 'docs@example.com' }).refine(
      (email) => /^[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+$/u.test(email),
      { message: 'must be an e-mail address, such as docs@example.com' },
    ),
  })
  .openapi({ title: 'CommitAuthor' })

function rule({ title, choices, item, example }: Extract<GroupField, { readonly kind: 'rules' }>) {
  return z.object({
    kind: namedEnum(title, choices),
    path: text({ max: 500, description: item, example: example.path }),
  })
}

const responseGroups = mapGroups((group, name) => [name, toResponseGroup(group, `${toTitle(name)}Settings`)]) as {
  readonly [Name in keyof GroupSettings]: z.ZodType<GroupSettings[Name]>
}
const changeGroups = mapGroups((group, name) => [name, toChangeGroup(group, `${toTitle(name)}Change`)]) as {
  readonly [Name in keyof GroupSettings]: z.ZodType<ProjectChange[Name]>
}

function toResponseGroup(group: SettingGroup, title: string) {
  const fields = mapGroupFields(group, (field) => {
    if (field.kind === 'limit') return z.number().nullable()
    if (field.kind === 'choice') return namedEnum(toTitle(field.option), field.choices)
    if (field.kind === 'rules') return z.array(rule(field)).readonly()
    if (field.kind === 'lists') return z.object(mapLists(field.lists, () => z.array(z.string()).readonly()))
    if (field.kind === 'line') return line(field)
    if (field.kind === 'person') return z.object({ name: z.string(), email: z.string() }).nullable()
    return field.kind === 'flag' ? z.boolean() : z.array(z.string()).readonly()
  })
  return z.object(fields).openapi({ title, description: group.description })
}

function toChangeGroup(group: SettingGroup, title: string) {
  const fields = mapGroupFields(group, toChangeOfGroup)
  return z.object(fields).nullable().optional().openapi({ title, description: group.description })
}

/** The limits of a group outside of a project, without other fields. */
export function exactLimits<Name extends 'budget' | 'automationCaps'>(name: Name) {
  const fields = mapGroupFields(settingGroups[name], toChangeOfGroup)
  return exactObject(fields) as unknown as z.ZodType<Partial<GroupSettings[Name]>>
}

export function shownLimits<Name extends 'budget' | 'automationCaps'>(name: Name): z.ZodType<GroupSettings[Name]> {
  return responseGroups[name]
}

function mapLists<Value>(lists: Readonly<Record<string, ListOfGroup>>, toValue: (list: ListOfGroup) => Value) {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, toValue(list)]))
}

function toList({ item, example }: ListOfGroup) {
  return z
    .array(text({ max: 500, description: item, example }))
    .max(100)
    .nullable()
    .optional()
}

function toChangeOfGroup(field: GroupField) {
  if (field.kind === 'lists') return z.object(mapLists(field.lists, toList)).nullable().optional()
  if (field.kind === 'flag') return z.boolean().nullable().optional()
  if (field.kind === 'names') return names(field.item, field.example)
  if (field.kind === 'addresses') return addresses(field.item, field.example)
  if (field.kind === 'line') return lineToChange(field)
  if (field.kind === 'person') return person.nullable().optional()
  if (field.kind === 'choice') {
    const title = toTitle(field.option)
    return namedEnum(title, field.choices).nullable().optional().openapi({ title })
  }
  if (field.kind === 'rules') return z.array(rule(field)).max(100).nullable().optional()
  if (field.kind !== 'limit') return globs
  if (field.isWhole) return limit(field.max)
  return z.number().gt(0, 'must be more than 0').max(field.max).nullable().optional()
}

const shownSchema = z.object({
  id: z.string(),
  name: z.string(),
  repository: string('The address of the repository, in its normal form.'),
  fork: string(
    'The address of the fork that has the branches of jobs; null: the repository itself has them.',
  ).nullable(),
  ...responseFields,
  ...responseGroups,
  categories: z
    .partialRecord(z.enum(categories), visitorClass)
    .openapi({ title: 'Categories', description: categoriesText }),
  sources: sourceSettingsSchema,
  createdAt: time(),
  updatedAt: time(),
})

const exampleSettings = mapFields((field, name) => [name, exampleOf(field)]) as FieldSettings
const exampleGroups = mapGroups((group, name) => [name, mapGroupFields(group, exampleOfGroup)]) as GroupSettings

function exampleOf(field: SettingField) {
  return (field.kind === 'text' && field.fallback !== null ? field.example : undefined) ?? field.fallback
}

function exampleOfGroup(field: GroupField): GroupValue {
  if (field.kind === 'flag') return false
  if (field.kind === 'limit') return field.example ?? null
  if (field.kind === 'choice') return field.choices[0]
  if (field.kind === 'rules') return []
  if (field.kind === 'lists') return mapLists(field.lists, () => [])
  if (field.kind === 'line') return field.fallback
  if (field.kind === 'person') return null
  if (field.kind === 'addresses') return []
  return field.kind === 'names' && field.isUnusual ? [] : [field.example]
}

const example = {
  id: 'prj_0123456789abcdefghij',
  name: 'Acme docs',
  repository: 'https://github.com/acme/docs.git',
  fork: null,
  ...exampleSettings,
  ...exampleGroups,
  categories: { monitor: 'human' },
  sources: [],
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
}

export const projectSchema = schemaOf<WithSources<Project>>()(shownSchema.openapi('Project', { example }))

/** Creating a project succeeds even if its repository cannot be reached yet; `access` in the response reports that. */
export const createdProjectSchema = schemaOf<WithSources<Project> & { readonly access: AccessReport }>()(
  shownSchema
    .extend({ access: accessSchema.openapi({ description: 'The rights of the service on the repository.' }) })
    .openapi('CreatedProject', { example: { ...example, access: exampleOfAccess } }),
)

export const updatedProjectSchema = schemaOf<WithSources<Project> & { readonly access: AccessReport | null }>()(
  shownSchema
    .extend({
      // A reference could not be null.
      access: z.object(accessSchema.shape).nullable().openapi({
        description: 'The rights of the service on the new repository; null if the repository did not change.',
      }),
    })
    .openapi('UpdatedProject', { example: { ...example, access: null } }),
)

export const projectsSchema = z
  .object({
    projects: list(projectSchema, 'The projects by name, then by id.'),
    nextCursor: string('Pass it as `cursor` to get the next page; null on the last page.').nullable(),
  })
  .openapi('Projects')

export const projectListQuery = z.object({
  limit: integerParameter({ min: 1, max: 100, fallback: 100, description: 'The number of projects on a page.' }),
  cursor: string('The `nextCursor` of the previous page (opaque).').optional(),
})

const name = text({ max: 100, description: 'A name for people.', example: 'Acme docs' })
const repository = text({
  max: 2_000,
  description: 'The address of the repository, without a user name or password.',
  example: 'https://github.com/acme/docs.git',
})

/** A missing field stays unchanged; in a new project it gets its default. null restores the default. */
const settings = {
  ...changeFields,
  ...changeGroups,
  categories: z
    .partialRecord(z.enum(categories), visitorClass.nullable())
    .nullable()
    .optional()
    .openapi({ title: 'CategoriesChange', description: categoriesText }),
}

export const newProjectSchema = z.object({ name, repository, ...settings }).openapi('NewProject', {
  example: { name: 'Acme docs', repository: 'https://github.com/acme/docs.git', pathPolicy: { allow: ['docs/**'] } },
})

export const projectChangeSchema = z
  .object({ name: name.optional(), repository: repository.optional(), ...settings })
  .openapi('ProjectChange', { example: { budget: { turns: 50 }, pathPolicy: { deny: ['docs/legal/'] }, model: null } })
