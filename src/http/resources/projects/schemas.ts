// Projects, as requests and responses have them.

import { z } from '@hono/zod-openapi'
import { categories, defaultClasses, visitorClasses } from '../../../analytics/category.ts'
import type { AccessReport } from '../../../projects/access/access.ts'
import type { Project } from '../../../projects/projects.ts'
import { type FieldSettings, mapFields, type SettingField } from '../../../projects/setting-fields.ts'
import { text } from '../../contract/text.ts'
import { schemaOf } from '../../contract/schema-of.ts'
import { accessSchema, exampleOfAccess } from '../credential/schemas.ts'

const words = {
  budget:
    'Limits of one run. For each field, the smaller of this value and the budget of the service applies; null for the budget of the service.',
  pathPolicy:
    'Globs of the paths that jobs may change. If `allow` is empty, all paths are allowed; `deny` always wins. `docs/` matches everything in that top-level folder; `*.md` matches in any folder. Protected files (CI, hooks, manifests, scripts, instructions for agents) change only when a glob of `unprotect` matches them. Such a glob is relative to the root and names files, without `**`: `docs/package.json`, `.github/workflows/docs*.yml`.',
  pullRequest:
    "How pull requests are opened on a forge: as a draft or not, with which labels and reviewers. Labels and accounts that the forge does not know are left out. They do not apply to Docent's own pull requests.",
  categories: `Overrides how the page views of a category count. The defaults are: ${defaultWords()}. Applies to all page views that are kept.`,
}

function defaultWords(): string {
  return Object.entries(defaultClasses)
    .map(([category, its]) => `\`${category}\` ${its}`)
    .join(', ')
}

type ResponseFields = { readonly [Name in keyof FieldSettings]: z.ZodType<FieldSettings[Name]> }
type ChangeFields = {
  readonly [Name in keyof FieldSettings]: z.ZodOptional<z.ZodNullable<z.ZodType<FieldSettings[Name]>>>
}

const responseFields = mapFields((field, name) => [name, toResponseField(field)]) as ResponseFields
const changeFields = mapFields((field, name) => [name, toChangeField(field)]) as ChangeFields

function toResponseField(field: SettingField) {
  const { description } = field
  if (field.kind === 'choice') return z.enum(field.choices).openapi({ description })
  if (field.kind === 'number') return z.number().openapi({ description })
  return (field.fallback === null ? z.string().nullable() : z.string()).openapi({ description })
}

function toChangeField(field: SettingField) {
  const { description } = field
  if (field.kind === 'choice') return z.enum(field.choices).nullable().optional().openapi({ description })
  return field.kind === 'number' ? limit(field.max).openapi({ description }) : text(field).nullable().optional()
}

function limit(max: number) {
  return z.int().min(1, 'must be at least 1').max(max).nullable().optional()
}

const budgetNumber = z.number().nullable()

const shownSchema = z.object({
  id: z.string(),
  name: z.string(),
  repository: z.string().openapi({ description: 'The address of the repository, in its normal form.' }),
  ...responseFields,
  budget: z
    .object({
      turns: budgetNumber,
      tokens: budgetNumber,
      seconds: budgetNumber,
      changedFiles: budgetNumber,
      changedBytes: budgetNumber,
      costUsd: budgetNumber,
    })
    .openapi({ description: words.budget }),
  pathPolicy: z
    .object({
      allow: z.array(z.string()).readonly(),
      deny: z.array(z.string()).readonly(),
      unprotect: z.array(z.string()).readonly(),
    })
    .openapi({ description: words.pathPolicy }),
  pullRequest: z
    .object({
      draft: z.boolean(),
      labels: z.array(z.string()).readonly(),
      reviewers: z.array(z.string()).readonly(),
    })
    .openapi({ description: words.pullRequest }),
  categories: z.partialRecord(z.enum(categories), z.enum(visitorClasses)).openapi({ description: words.categories }),
  createdAt: z.string().openapi({ format: 'date-time' }),
  updatedAt: z.string().openapi({ format: 'date-time' }),
})

const example = {
  id: 'prj_0123456789abcdefghij',
  name: 'Acme docs',
  repository: 'https://github.com/acme/docs.git',
  branch: null,
  model: null,
  budget: { turns: 50, tokens: null, seconds: null, changedFiles: 20, changedBytes: null, costUsd: null },
  pathPolicy: { allow: ['docs/'], deny: ['docs/legal/'], unprotect: ['docs/package.json'] },
  pullRequest: { draft: false, labels: ['documentation'], reviewers: [] },
  timeZone: 'Europe/Berlin',
  visitorWindow: 'month',
  collectionSource: 'both',
  retentionMonths: 25,
  signalRetentionDays: 90,
  categories: { monitor: 'human' },
  unverifiedAiAgents: 'count',
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
}

export const projectSchema = schemaOf<Project>()(shownSchema.openapi('Project', { example }))

/** Creating a project succeeds even if its repository cannot be reached yet; `access` in the response reports that. */
export const createdProjectSchema = schemaOf<Project & { readonly access: AccessReport }>()(
  shownSchema
    .extend({ access: accessSchema.openapi({ description: 'The rights of the service on the repository.' }) })
    .openapi('CreatedProject', { example: { ...example, access: exampleOfAccess } }),
)

export const updatedProjectSchema = schemaOf<Project & { readonly access: AccessReport | null }>()(
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
  .object({ projects: z.array(projectSchema).readonly().openapi({ description: 'The projects by name, then by id.' }) })
  .openapi('Projects')

const name = text({ max: 100, description: 'A name for people.', example: 'Acme docs' })
const repository = text({
  max: 2_000,
  description: 'The address of the repository, without a user name or password.',
  example: 'https://github.com/acme/docs.git',
})

const globs = z
  .array(text({ max: 500, description: 'A glob.', example: 'docs/' }))
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

/** A missing field stays unchanged; in a new project it gets its default. null restores the default. */
const settings = {
  ...changeFields,
  budget: z
    .object({
      turns: limit(100_000),
      tokens: limit(1e12),
      seconds: limit(1e7),
      changedFiles: limit(1e6),
      changedBytes: limit(1e10),
      costUsd: z.number().gt(0, 'must be more than 0').max(1e6).nullable().optional(),
    })
    .nullable()
    .optional()
    .openapi({ description: words.budget }),
  pathPolicy: z
    .object({ allow: globs, deny: globs, unprotect: globs })
    .nullable()
    .optional()
    .openapi({ description: words.pathPolicy }),
  pullRequest: z
    .object({
      draft: z.boolean().nullable().optional(),
      labels: names('The name of a label.', 'documentation'),
      reviewers: names('The name of an account.', 'octocat'),
    })
    .nullable()
    .optional()
    .openapi({ description: words.pullRequest }),
  categories: z
    .partialRecord(z.enum(categories), z.enum(visitorClasses).nullable())
    .nullable()
    .optional()
    .openapi({ description: words.categories }),
}

export const newProjectSchema = z.object({ name, repository, ...settings }).openapi('NewProject', {
  example: { name: 'Acme docs', repository: 'https://github.com/acme/docs.git', pathPolicy: { allow: ['docs/**'] } },
})

export const projectChangeSchema = z
  .object({ name: name.optional(), repository: repository.optional(), ...settings })
  .openapi('ProjectChange', { example: { budget: { turns: 50 }, pathPolicy: { deny: ['docs/legal/'] }, model: null } })
