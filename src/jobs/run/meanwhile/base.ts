// The base of a run's branch. It is that of the pull request: people may retarget it, and a forge does when a branch is
// renamed. So a base that is gone is no end of a run as long as there is another one to take its place.

import type { PullRequest } from '../../../forge/forge.ts'
import type { RemoteRefs } from '../../../git/types.ts'
import { Failure } from '../../../lib/failure.ts'
import { type LeasedRun, writeAsRun } from '../../queue/lease.ts'
import type { RunPart } from '../context.ts'

/** The first one that exists is wanted; null is the default branch of the repository. */
export type Bases = readonly [string | null, ...(string | null)[]]

/** The base of new branches of the job; null: the default branch of the repository. */
export function usualBase({ job, project }: RunPart<'job' | 'project', never>): string | null {
  return job.base_branch ?? project.branch
}

/**
 * Fetches the branch and the first of the bases that exists. Throws `base_not_found`, with the name of the first base, if
 * no base exists.
 */
export async function fetchFirst(
  context: RunPart<'repository' | 'signal', never>,
  branch: string,
  [base, ...others]: Bases,
): Promise<RemoteRefs> {
  const { repository, signal } = context
  try {
    return await repository.fetch({ branch: base, branches: [branch], planned: branch }, signal)
  } catch (error) {
    const [next, ...rest] = others
    if (next === undefined || !isMissingBase(error)) throw error
    return await fetchFirst(context, branch, [next, ...rest]).catch((later: unknown) => {
      throw isMissingBase(later) ? error : later
    })
  }
}

export function isMissingBase(error: unknown): boolean {
  return error instanceof Failure && error.code === 'base_not_found'
}

type Compared = Pick<RemoteRefs, 'base'> & { readonly branch: string; readonly goneBase?: string }

/**
 * Compares with the base that the pull request has now, and remembers that. If it is gone, the base of the run takes its
 * place in the pull request.
 */
export async function followBase<Place extends Compared>(
  context: LeasedRun & RunPart<'repository', never>,
  place: Place,
  { base }: Pick<PullRequest, 'base'>,
): Promise<Place> {
  if (base === place.base.branch || base === place.goneBase) return place
  try {
    const refs = await fetchFirst(context, place.branch, [base])
    await saveBase(context, refs)
    return { ...place, base: refs.base }
  } catch (error) {
    if (isMissingBase(error)) return { ...place, goneBase: base }
    throw error
  }
}

export async function saveBase(context: LeasedRun, { base }: Pick<RemoteRefs, 'base'>): Promise<void> {
  await writeAsRun(context, async (trx, run) => {
    const set = { base_branch: base.branch, base_commit: base.commit }
    await trx.updateTable('runs').set(set).where('id', '=', run.id).execute()
  })
}
