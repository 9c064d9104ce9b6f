// Which commits of the documentation automations published: Docent names the job in its commits, and forges name the pull request in
// what they merge. An automation never starts itself, and what a started one publishes starts nothing; so no circle can arise.

import { sql } from 'kysely'
import type { MainlineCommit } from '../../git/types.ts'
import type { Db } from '../../postgres/types.ts'
import type { Place } from './places.ts'

export type Publisher = { readonly automationId: string; readonly generation: number }

const trailer = /^Docent-Job: (job_[a-z0-9]{20})\/\d+$/gm

/**
 * By commit; those that people published are not there. A job that a person started is that person's. A number on the base branch
 * proves a merge: the forge may not have been asked yet whether the pull request is still open.
 */
export async function findPublishers(
  db: Db,
  { projectId, repository }: Pick<Place, 'projectId' | 'repository'>,
  commits: readonly MainlineCommit[],
): Promise<ReadonlyMap<string, Publisher>> {
  const named = commits.map((commit) => ({ commit: commit.commit, jobs: jobsIn(commit), pulls: commit.pullRequests }))
  const jobs = [...new Set(named.flatMap((one) => one.jobs))]
  const pulls = [...new Set(named.flatMap((one) => one.pulls))]
  if (jobs.length + pulls.length === 0) return new Map()
  const { rows } = await sql<Found>`/* automations.publishers */ select jobs.id, pull_number as pull,
      (origin::jsonb) ->> 'automationId' as "automationId",
      coalesce((select max(generation) from automation_runs where job_id = jobs.id), 1)::int as generation
    from jobs where project_id = ${projectId} and origin like '{"kind":"automation"%'
      and (id = any(${jobs}::text[]) or (pull_state in ('open', 'merged') and repository = ${repository}
        and pull_number = any(${pulls}::integer[])))`.execute(db)
  return new Map(
    named.flatMap(({ commit, ...by }) => {
      const found = rows.filter(({ id, pull }) => by.jobs.includes(id) || (pull !== null && by.pulls.includes(pull)))
      const [first] = found.toSorted((a, b) => b.generation - a.generation)
      return first ? [[commit, first] as const] : []
    }),
  )
}

type Found = Publisher & { readonly id: string; readonly pull: number | null }

function jobsIn({ ending }: MainlineCommit): readonly string[] {
  return [...ending.matchAll(trailer)].map(([, id = '']) => id)
}
