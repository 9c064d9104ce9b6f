// The pull requests of jobs on a forge, in the shape of Docent's own and in the state that the forge last reported. A job
// stores only the pull request of its current branch; earlier ones are on the forge.

import type { Finish } from '../../agent/tool.ts'
import { forgeKinds } from '../../forge/host.ts'
import type { WantedPulls } from '../../forge/own/pulls.ts'
import type { PullResponse } from '../../forge/own/response.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { pollErrorOf } from './polls.ts'
import { describeBranch } from './description.ts'

/** Returns at most 1,000 pull requests, those of the newest jobs first. */
export async function listHostedPulls(
  db: Db,
  projectId: string,
  { state, jobId, merged }: WantedPulls,
): Promise<readonly PullResponse[]> {
  let query = hostedJobs(db, projectId)
  if (state) query = query.where('pull_state', '=', state)
  if (jobId !== undefined) query = query.where('id', '=', jobId)
  if (merged) query = query.where('pull_state', '=', 'merged').where('pull_merged_at', 'is not', null)
  if (merged?.from) query = query.where('pull_merged_at', '>=', merged.from)
  if (merged?.to) query = query.where('pull_merged_at', '<', merged.to)
  return describe(db, await query.orderBy('ordinal', 'desc').limit(1_000).execute())
}

/** Returns undefined if no job of the project has a pull request with this number on a forge now. */
export async function findHostedPull(db: Db, projectId: string, number: number): Promise<PullResponse | undefined> {
  const query = hostedJobs(db, projectId).where('pull_number', '=', number)
  const [pull] = await describe(db, await query.orderBy('ordinal', 'desc').limit(1).execute())
  return pull
}

function hostedJobs(db: Db, projectId: string) {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('pull_forge', 'in', forgeKinds)
    .where('pull_number', 'is not', null)
    .where('pr_link', 'is not', null)
}

/** Uses the title and text from the runs, although people may have changed both on the forge. */
async function describe(db: Db, jobs: readonly JobRow[]): Promise<readonly PullResponse[]> {
  if (jobs.length === 0) return []
  const ids = jobs.map(({ id }) => id)
  const columns = ['job_id', 'branch', 'base_branch', 'finish', 'created_at'] as const
  const runs = await db
    .selectFrom('runs')
    .select(columns)
    .where('job_id', 'in', ids)
    .where('finish', 'is not', null)
    .where('error_code', 'is', null)
    .orderBy('number')
    .execute()
  const byJob = Map.groupBy(runs, (run) => run.job_id)
  return jobs.flatMap((job) => {
    const ofBranch = (byJob.get(job.id) ?? []).filter(({ branch }) => branch === job.branch)
    const finishes = ofBranch.flatMap(({ finish }) => (finish === null ? [] : [JSON.parse(finish) as Finish]))
    if (job.pull_number === null || job.pull_forge === null || job.pr_link === null) return []
    return {
      number: job.pull_number,
      forge: job.pull_forge,
      jobId: job.id,
      ...describeBranch(finishes),
      note: '',
      draft: job.pull_draft ?? false,
      branch: job.branch,
      base: job.pull_base ?? ofBranch.at(-1)?.base_branch ?? '',
      state: job.pull_state ?? 'open',
      link: job.pr_link,
      headCommit: job.head_commit ?? '',
      mergeCommit: null,
      mergedAt: job.pull_state === 'merged' ? (job.pull_merged_at?.toISOString() ?? null) : null,
      checkedAt: job.pull_checked_at?.toISOString() ?? null,
      checkError: pollErrorOf(job),
      createdAt: (ofBranch[0]?.created_at ?? job.created_at).toISOString(),
      updatedAt: job.updated_at.toISOString(),
    }
  })
}
