// The commit that the diff of a job starts from, if people have chosen another base for its pull request.

import type { HostedPull } from '../../forge/host.ts'
import type { Git } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { findBase, findJob } from '../store.ts'

export type CompareContext = {
  readonly db: Db
  readonly git: Pick<Git, 'repository'>
  readonly signal: AbortSignal
}

/** Returns the columns that change. Throws the failures of the repository. */
export async function compareWithBase(
  { db, git, signal }: CompareContext,
  { id, project_id: projectId }: Pick<JobRow, 'id' | 'project_id'>,
  { base, head: { branch } }: HostedPull,
): Promise<Partial<JobRow>> {
  const job = await findJob(db, projectId, id)
  const project = await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst()
  const before = job && (await findBase(db, job))
  if (!project || !job?.head_commit || before === undefined || before === base) return {}
  const repository = git.repository(project.id, project.repository, project.fork)
  try {
    const refs = await repository.fetch({ branch: base, branches: [branch] }, signal)
    return { base_commit: (await repository.mergeBase(refs.base.commit, job.head_commit, signal)) ?? refs.base.commit }
  } catch (error) {
    // Some forges keep pull requests whose base was deleted.
    if (error instanceof Failure && error.code === 'base_not_found') return {}
    throw error
  }
}
