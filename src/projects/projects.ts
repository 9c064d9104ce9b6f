// Projects: what everything else belongs to. A project has a repository and a base branch.

import { Failure } from '../lib/failure.ts'
import { createId } from '../lib/id.ts'
import type { Db } from '../postgres/open.ts'
import type { ProjectRow } from '../postgres/schema.ts'

export type Project = {
  readonly id: string
  readonly name: string
  /** The address as the git engine normalised it. */
  readonly repository: string
  /** null: the remote's default branch. */
  readonly branch: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type ProjectsContext = {
  readonly db: Db
  /** Normalises an address or throws `invalid_input`; the git engine's. */
  readonly checkAddress: (address: string) => string
  /** Says why a text is no branch name; the git engine's. */
  readonly branchProblem: (branch: string) => string | null
}

export type NewProject = { readonly name: string; readonly repository: string; readonly branch: string | null }

/** The repository is not asked here: it may be created, or become reachable, later. Throws `invalid_input`. */
export async function createProject(context: ProjectsContext, project: NewProject): Promise<Project> {
  const now = new Date()
  const row = await context.db
    .insertInto('projects')
    .values({
      id: createId('prj'),
      name: project.name,
      repository: context.checkAddress(project.repository),
      branch: checkBranch(context, project.branch),
      model: null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toProject(row)
}

/** Throws `not_found`. */
export async function getProject(db: Db, id: string): Promise<Project> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new Failure('not_found', 'There is no such project.')
  return toProject(row)
}

/** By name, then by id. `ids` null: all. */
export async function listProjects(db: Db, ids: readonly string[] | null): Promise<readonly Project[]> {
  let query = db.selectFrom('projects').selectAll().orderBy('name').orderBy('id')
  if (ids) query = query.where('id', 'in', ids.length > 0 ? ids : [''])
  return (await query.execute()).map(toProject)
}

function checkBranch(context: ProjectsContext, branch: string | null): string | null {
  const problem = branch === null ? null : context.branchProblem(branch)
  if (problem === null) return branch
  throw new Failure('invalid_input', `The branch name is refused: ${problem}.`, {
    details: [{ message: problem, pointer: '#/branch' }],
  })
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    repository: row.repository,
    branch: row.branch,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
