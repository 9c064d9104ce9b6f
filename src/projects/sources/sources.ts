// The sources of a project: repositories of the product, which jobs read and never write. Only a commit status of a release may be
// set, if that is turned on. Only the records are here; each is
// read under its own credential or without one (`credentials.ts`), and checked by `access/source-access.ts`.

import { Failure, type FailureDetail, invalidFields } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'
import type { SourceRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import type { SourceAccess } from './source-access.ts'
import { readDocsFolders, type DocsFoldersContext } from './docs-folders.ts'
import type { ProjectsContext } from '../projects.ts'
import { globProblem } from '../settings.ts'

export type Source = {
  /** Also the id of its repository in the git engine, and of the owner of its credential. */
  readonly id: string
  readonly projectId: string
  /** Unique in the project: `[a-z0-9-]{1,40}`. */
  readonly name: string
  /** In the normal form of the git engine. */
  readonly repository: string
  /** null: the default branch of the repository. */
  readonly branch: string | null
  /** Globs of the files that can be read; empty: all files. */
  readonly paths: readonly string[]
  /** Whether people outside of the team commit to it without a review: no automation that reads it merges by itself. */
  readonly outsidersCommit: boolean
  /** Whether the newest release gets a commit status: the only thing that is ever written to it. */
  readonly releaseStatus: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

/** `access`: what the last check found; null: the repository or the credential changed after it. */
export type CheckedSource = Source & { readonly access: SourceAccess | null }

/** As the settings of a project show it. */
export type SourceSetting = Pick<Source, 'name' | 'repository' | 'branch' | 'paths' | 'releaseStatus'>

export type WithSources<Project> = Project & { readonly sources: readonly SourceSetting[] }

export type NewSource = Pick<Source, 'name' | 'repository'> & {
  readonly branch?: string | null | undefined
  readonly paths?: readonly string[] | null | undefined
  readonly outsidersCommit?: boolean | null | undefined
  readonly releaseStatus?: boolean | null | undefined
}
export type SourceChange = { readonly [Name in keyof NewSource]?: NewSource[Name] | undefined }

export type SourcesContext = Pick<ProjectsContext, 'branchProblem' | 'checkAddress'> &
  DocsFoldersContext & {
    /** Throws `invalid_input` if an automation of the project merges what outsiders commit. */
    readonly refuseMergingReaders: (trx: Trx, projectId: string) => Promise<void>
  }

export const mostSources = 20
export const sourceName = /^[a-z0-9-]{1,40}$/

/** By name. */
export async function listSources(db: Db, projectId: string): Promise<readonly CheckedSource[]> {
  const query = db.selectFrom('sources').selectAll().where('project_id', '=', projectId)
  return (await query.orderBy('name').execute()).map(toSource)
}

/** Throws `not_found`. */
export async function readSource(db: Db, projectId: string, name: string): Promise<CheckedSource> {
  const query = db.selectFrom('sources').selectAll().where('project_id', '=', projectId).where('name', '=', name)
  return toSource((await query.executeTakeFirst()) ?? noSource())
}

/** The projects with the sources of each, by name. */
export async function withSources<Project extends { readonly id: string }>(
  db: Db,
  projects: readonly Project[],
): Promise<readonly WithSources<Project>[]> {
  if (projects.length === 0) return []
  const ids = projects.map(({ id }) => id)
  const query = db.selectFrom('sources').selectAll().where('project_id', 'in', ids).orderBy('name')
  const sources = Map.groupBy((await query.execute()).map(toSource), ({ projectId }) => projectId)
  return projects.map((project) => ({ ...project, sources: (sources.get(project.id) ?? []).map(toSetting) }))
}

export async function withSourcesOf<Project extends { readonly id: string }>(
  db: Db,
  project: Project,
): Promise<WithSources<Project>> {
  const [shown] = await withSources(db, [project])
  return shown ?? { ...project, sources: [] }
}

function toSetting({ name, repository, branch, paths, releaseStatus }: Source): SourceSetting {
  return { name, repository, branch, paths, releaseStatus }
}

/** Throws `invalid_input`, `source_exists`, `too_many_sources` and `not_found`. */
export async function createSource(
  context: SourcesContext,
  projectId: string,
  given: NewSource,
  signal: AbortSignal,
): Promise<CheckedSource> {
  const columns = toColumns(context, given)
  await refuseFolder(context, projectId, given.name, signal)
  return await context.db.transaction().execute(async (trx) => {
    const names = await lockNames(trx, projectId)
    if (names.includes(given.name)) throw taken(given.name)
    if (names.length >= mostSources) {
      throw new Failure('too_many_sources', `A project has at most ${mostSources} sources.`)
    }
    const now = new Date()
    const row = await trx
      .insertInto('sources')
      .values({
        ...columns,
        id: createId('src'),
        project_id: projectId,
        name: given.name,
        repository: columns.repository ?? given.repository,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (row.outsiders_commit) await context.refuseMergingReaders(trx, projectId)
    return toSource(row)
  })
}

/** A missing field stays as it is. Throws `invalid_input`, `source_exists` and `not_found`. */
export async function updateSource(
  context: SourcesContext,
  source: Source,
  change: SourceChange,
  signal: AbortSignal,
): Promise<CheckedSource> {
  const { id, projectId } = source
  const columns = toColumns(context, change)
  const name = change.name ?? source.name
  if (name !== source.name) await refuseFolder(context, projectId, name, signal)
  return await context.db.transaction().execute(async (trx) => {
    const names = await lockNames(trx, projectId)
    const before = await trx.selectFrom('sources').selectAll().where('id', '=', id).executeTakeFirst()
    if (!before) return noSource()
    if (name !== before.name && names.includes(name)) throw taken(name)
    const after = { ...before, ...columns }
    const isOther = after.repository !== before.repository || after.branch !== before.branch
    const row = await trx
      .updateTable('sources')
      .set({ ...columns, ...(isOther ? { access: null } : {}), updated_at: new Date() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (row.outsiders_commit) await context.refuseMergingReaders(trx, projectId)
    return toSource(row)
  })
}

/** With its credential; a sweep deletes its mirror. Throws `not_found`. */
export async function deleteSource(db: Db, { id }: Pick<Source, 'id'>): Promise<void> {
  const deleted = await db.deleteFrom('sources').where('id', '=', id).returning('id').executeTakeFirst()
  if (!deleted) noSource()
}

/** Requests of one project come one after the other: the limit and the names hold for all of them. */
async function lockNames(trx: Trx, projectId: string): Promise<readonly string[]> {
  const project = await trx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .forUpdate()
    .executeTakeFirst()
  if (!project) throw new Failure('not_found', 'There is no such project.')
  const rows = await trx.selectFrom('sources').select('name').where('project_id', '=', projectId).execute()
  return rows.map(({ name }) => name)
}

type Columns = Partial<
  Pick<SourceRow, 'name' | 'repository' | 'branch' | 'paths' | 'outsiders_commit' | 'release_status'>
>

/** Throws `invalid_input`. */
function toColumns({ branchProblem, checkAddress }: SourcesContext, change: SourceChange): Columns {
  const { name, repository, branch, paths, outsidersCommit, releaseStatus } = change
  const details: FailureDetail[] = []
  if (name !== undefined && !sourceName.test(name)) {
    details.push({ pointer: '#/name', message: 'must be 1 to 40 lower-case letters, digits and dashes' })
  }
  const problem = branch ? branchProblem(branch) : null
  if (problem !== null) details.push({ pointer: '#/branch', message: `is refused: ${problem}` })
  for (const [at, glob] of (paths ?? []).entries()) {
    const message = globProblem(glob)
    if (message !== null) details.push({ pointer: `#/paths/${at}`, message })
  }
  if (details.length > 0) throw invalidFields(details)
  return {
    ...(name === undefined ? {} : { name }),
    ...(repository === undefined ? {} : { repository: checkAddress(repository) }),
    ...(branch === undefined ? {} : { branch }),
    ...(paths === undefined ? {} : { paths: JSON.stringify(paths ?? []) }),
    ...(outsidersCommit === undefined ? {} : { outsiders_commit: outsidersCommit ?? false }),
    ...(releaseStatus === undefined ? {} : { release_status: releaseStatus ?? false }),
  }
}

/** Tools name the files of a source `@name/…`. A documentation that cannot be read now refuses no name. */
async function refuseFolder(
  context: SourcesContext,
  projectId: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const folders = await readDocsFolders(context, projectId, signal)
  const found = [name, `@${name}`].find((folder) => folders?.has(folder))
  if (found === undefined) return
  const message = `is refused: the documentation has a top folder \`${found}\``
  throw invalidFields([{ pointer: '#/name', message }])
}

function toSource(row: SourceRow): CheckedSource {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    repository: row.repository,
    branch: row.branch,
    paths: JSON.parse(row.paths) as readonly string[],
    outsidersCommit: row.outsiders_commit,
    releaseStatus: row.release_status,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    access: row.access === null ? null : (JSON.parse(row.access) as SourceAccess),
  }
}

function taken(name: string): Failure {
  return new Failure('source_exists', `The project has a source \`${name}\` already.`)
}

function noSource(): never {
  throw new Failure('not_found', 'There is no such source in this project.')
}
