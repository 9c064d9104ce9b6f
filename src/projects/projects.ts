// Creates, reads, updates and deletes projects. A project has a repository, a base branch and settings.

import { sql } from 'kysely'
import { type Person, signOffProblem } from '../forge/publication.ts'
import { Failure, invalidFields } from '../lib/failure.ts'
import { createId } from '../lib/id.ts'
import type { Db } from '../postgres/types.ts'
import { createCursor, noCursor, toPage } from '../requests/cursor.ts'
import type { ProjectRow } from '../postgres/schema.ts'
import { readCredential, type StoredCredential } from './credentials.ts'
import {
  applyChange,
  checkChange,
  defaults,
  fromColumns,
  type ProjectChange,
  type ProjectSettings,
  toColumns,
} from './settings.ts'

export type Project = ProjectSettings & {
  readonly id: string
  /** The address of the fork that has the branches of jobs; null: the repository itself has them. See `access/fork.ts`. */
  readonly fork: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type ProjectsContext = {
  readonly db: Db
  /** Normalises an address or throws `invalid_input`. Provided by the git engine. */
  readonly checkAddress: (address: string) => string
  /** Explains why a text is not a branch name, or returns null. Provided by the git engine. */
  readonly branchProblem: (branch: string) => string | null
  /** Explains why a text is not a model that this service can use now, or returns null. */
  readonly modelProblem: (model: string) => string | null | Promise<string | null>
  /** Explains why a text is not the address of a page that jobs may read, or of a prefix of such, or returns null. */
  readonly pageProblem: (address: string, isPrefix: boolean) => string | null
  /** The author of commits for which a project names nobody. */
  readonly identity: Person
}

export type ProjectPage = { readonly projects: readonly Project[]; readonly nextCursor: string | null }
export type ProjectFilter = { readonly limit: number; readonly cursor: string | undefined }

const cursor = createCursor('p', 'prj_[a-z0-9]{20}')

export type NewProject = ProjectChange & { readonly name: string; readonly repository: string }

/** Does not contact the repository, which may be created, or become reachable, later. Throws `invalid_input`. */
export async function createProject(context: ProjectsContext, project: NewProject): Promise<Project> {
  const { name } = project
  const repository = context.checkAddress(project.repository)
  const settings = applyChange({ ...defaults, name, repository }, { ...project, repository })
  checkChange(await judgesOf(context, project), project, settings)
  if (settings.commit.signOff) refuseSignOff(settings, undefined, context.identity)
  const now = new Date()
  const row = await context.db
    .insertInto('projects')
    .values({ id: createId('prj'), ...toColumns(settings), created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toProject(row)
}

/**
 * Changes the settings of later runs. Throws `project_busy` when the repository changes while a job is active, because
 * its runs continue from their commits; and `not_found`, `invalid_input`.
 */
export async function updateProject(context: ProjectsContext, id: string, given: ProjectChange): Promise<Project> {
  const { repository } = given
  const change = repository === undefined ? given : { ...given, repository: context.checkAddress(repository) }
  const judges = await judgesOf(context, change)
  return context.db.transaction().execute(async (trx) => {
    // Jobs become active under the same lock, so no job becomes active meanwhile.
    const row = await trx.selectFrom('projects').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    const before = fromColumns(row ?? noProject())
    const after = applyChange(before, change)
    checkChange(judges, change, after)
    if (change.commit?.signOff === true || (after.commit.signOff && change.commit?.author !== undefined))
      refuseSignOff(after, await readCredential(trx, id), context.identity)
    const moves = after.repository !== before.repository
    if (moves) await refuseBusy(trx, id)
    const changed = await trx
      .updateTable('projects')
      .set({ ...toColumns(after), ...(moves ? { fork: null } : {}), updated_at: new Date() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toProject(changed)
  })
}

/**
 * Deletes the project and everything that belongs to it. Its page views are in another store and are queued for
 * deletion. A run in progress loses its lease. Throws `not_found`.
 */
export async function deleteProject(db: Db, id: string): Promise<void> {
  const deleted = await db
    .with('deleted', (query) => query.deleteFrom('projects').where('id', '=', id).returning('id'))
    .insertInto('deleted_projects')
    .columns(['project_id'])
    .expression((query) => query.selectFrom('deleted').select('id'))
    .returning('project_id')
    .executeTakeFirst()
  if (!deleted) noProject()
}

/** Asks about the models before a transaction begins: the stored keys of models decide. */
async function judgesOf(
  { branchProblem, modelProblem, pageProblem }: ProjectsContext,
  { model, models }: ProjectChange,
) {
  const problems = new Map<string, string | null>()
  for (const one of [...(model ? [model] : []), ...(models ?? [])]) problems.set(one, await modelProblem(one))
  return { branchProblem, modelProblem: (one: string) => problems.get(one) ?? null, pageProblem }
}

/** Throws `not_found`. */
export async function getProject(db: Db, id: string): Promise<Project> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
  return toProject(row ?? noProject())
}

/** Sorts by name, then by id. `ids` null means all projects. Throws `invalid_input` for an invalid cursor. */
export async function listProjects(db: Db, ids: readonly string[] | null, filter: ProjectFilter): Promise<ProjectPage> {
  let query = db.selectFrom('projects').selectAll().orderBy('name').orderBy('id')
  if (ids) query = query.where('id', 'in', ids.length > 0 ? ids : [''])
  if (filter.cursor !== undefined) {
    const id = cursor.read(filter.cursor)
    // The place of a project that the caller may not see would tell its name.
    if (ids && !ids.includes(id)) noCursor()
    const last = await db.selectFrom('projects').select(['name', 'id']).where('id', '=', id).executeTakeFirst()
    if (!last) noCursor()
    query = query.where(sql<boolean>`(name, id) > (${last.name}, ${last.id})`)
  }
  const rows = await query.limit(filter.limit + 1).execute()
  const { page, nextCursor } = toPage(rows, { limit: filter.limit, cursor, keyOf: ({ id }) => id })
  return { projects: page.map(toProject), nextCursor }
}

/** Throws `invalid_input`. A run asks again: another credential may have been entered. */
function refuseSignOff({ commit }: ProjectSettings, credential: StoredCredential | undefined, service: Person): void {
  const { account = null, checked, kind = null } = credential ?? {}
  const problem = signOffProblem({ author: commit.author ?? service, kind, account, emails: checked?.facts?.emails })
  if (problem === null) return
  throw invalidFields([{ pointer: '#/commit/signOff', message: `is refused: ${problem}` }])
}

/** Throws `project_busy`. The caller holds the lock of the project. */
export async function refuseBusy(db: Db, id: string): Promise<void> {
  const active = await db
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', id)
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst()
  if (!active) return
  throw new Failure('project_busy', `The repository cannot be changed while job ${active.id} is active.`)
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    fork: row.fork,
    ...fromColumns(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

function noProject(): never {
  throw new Failure('not_found', 'There is no such project.')
}
