// Which repository and branch a trigger follows, and how it is read: a source, or the repository of the documentation.

import { createIsVisible } from '../../jobs/sources/visible.ts'
import type { Git, IsVisible, Oid, Past, SourceRepository } from '../../git/types.ts'
import type { ProjectRow, SourceRow } from '../../postgres/schema.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import type { FollowingTrigger } from '../automation.ts'

/** `repositoryId`: of the mirror. `branch` null: the default branch. */
export type Place = {
  readonly repositoryId: string
  readonly projectId: string
  readonly repository: string
  readonly branch: string | null
  /** Has the branches of jobs; null: the repository itself has them. */
  readonly fork: string | null
  /** null: the repository of the documentation. */
  readonly source: Pick<SourceRow, 'id' | 'name'> | null
  readonly isVisible: IsVisible
  /** Whether its newest release gets a commit status. */
  readonly wantsStatus: boolean
}

/** Undefined: the project has no such source any more. */
export async function findPlace(
  db: Db | Trx,
  projectId: string,
  trigger: FollowingTrigger,
): Promise<Place | undefined> {
  const name = trigger.type === 'code' ? trigger.source : null
  if (name === null) {
    const project = await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst()
    return project && placeOfProject(project)
  }
  const query = db.selectFrom('sources').selectAll().where('project_id', '=', projectId).where('name', '=', name)
  const source = await query.executeTakeFirst()
  return source && placeOfSource(source)
}

export function placeOfProject({ id, repository, branch, fork, release_status: wantsStatus }: ProjectRow): Place {
  const all = () => true
  return { repositoryId: id, projectId: id, repository, branch, fork, source: null, isVisible: all, wantsStatus }
}

export function placeOfSource(row: SourceRow): Place {
  const { id, project_id: projectId, name, repository, branch, release_status: wantsStatus } = row
  const isVisible = createIsVisible(JSON.parse(row.paths) as readonly string[])
  return { repositoryId: id, projectId, repository, branch, fork: null, source: { id, name }, isVisible, wantsStatus }
}

export type OpenPlace = {
  readonly past: Past & Pick<SourceRepository, 'isAncestor' | 'mergeBase' | 'probe'>
  /** Updates the mirror, and returns the newest commit of the branch. */
  fetch(signal: AbortSignal): Promise<{ readonly branch: string; readonly commit: Oid }>
}

export function openPlace(git: Pick<Git, 'repository' | 'source'>, place: Place): OpenPlace {
  const { repositoryId, repository, branch, fork, source, isVisible } = place
  if (source) {
    const past = git.source(repositoryId, repository)
    return { past, fetch: (signal) => past.fetch({ branch, isVisible }, signal) }
  }
  const past = git.repository(repositoryId, repository, fork)
  return {
    past,
    fetch: async (signal) => (await past.fetch({ branch, branches: [] }, signal)).base,
  }
}
