// Owners of credentials: a project, whose credential is for its repository, and a source, which has its own. Each has the
// id by which the git engine knows its repository. A source never uses the credential of its project.

import { sql } from 'kysely'
import type { PublicationColumns } from '../../forge/publication.ts'
import { Failure } from '../../lib/failure.ts'
import type { Db } from '../../postgres/types.ts'
import { hasOwnName, labelOf, type Named } from '../set-command.ts'

type Shared = {
  readonly id: string
  readonly named: Named
  readonly repository: string
  /** null: the default branch of the repository. */
  readonly branch: string | null
}
/** `fork`: the address of the repository that has the branches of jobs; null: the repository itself. */
export type ProjectOwner = Shared & {
  readonly kind: 'project'
  readonly fork: string | null
  readonly columns: PublicationColumns
}
export type SourceOwner = Shared & { readonly kind: 'source'; readonly fork: null }
export type Owner = ProjectOwner | SourceOwner

export function isSource(id: string): boolean {
  return id.startsWith('src_')
}

/** Throws `not_found`. */
export function readOwner(db: Db, id: string): Promise<Owner> {
  return isSource(id) ? readSourceOwner(db, id) : readProjectOwner(db, id)
}

/** Throws `not_found`. */
export async function readProjectOwner(db: Db, id: string): Promise<ProjectOwner> {
  const columns = ['name', 'repository', 'fork', 'branch', 'pull_request', 'commit', hasOwnName.as('isUnique')] as const
  const row = await db.selectFrom('projects').select(columns).where('id', '=', id).executeTakeFirst()
  if (!row) throw noOwner(id)
  const { repository, fork, branch, pull_request, commit } = row
  const named = { project: labelOf({ ...row, id }), source: null }
  return { kind: 'project', id, named, repository, fork, branch, columns: { pull_request, commit } }
}

/** Throws `not_found`. */
export async function readSourceOwner(db: Db, id: string): Promise<SourceOwner> {
  const row = await db
    .selectFrom('sources')
    .innerJoin('projects', 'projects.id', 'sources.project_id')
    .select(['projects.id as projectId', 'projects.name', hasOwnName.as('isUnique')])
    .select(['sources.name as source', 'sources.repository', 'sources.branch'])
    .where('sources.id', '=', id)
    .executeTakeFirst()
  if (!row) throw noOwner(id)
  const { projectId, source, repository, branch } = row
  const named = { project: labelOf({ ...row, id: projectId }), source }
  return { kind: 'source', id, named, repository, fork: null, branch }
}

/** Keeps it from being deleted until the transaction ends. Throws `not_found`. */
export async function holdOwner(trx: Db, id: string): Promise<void> {
  const table = isSource(id) ? 'sources' : 'projects'
  const { rows } =
    await sql`/* owners.hold */ select 1 from ${sql.table(table)} where id = ${id} for key share`.execute(trx)
  if (rows.length === 0) throw noOwner(id)
}

function noOwner(id: string): Failure {
  return new Failure('not_found', `There is no such ${isSource(id) ? 'source' : 'project'}.`)
}
