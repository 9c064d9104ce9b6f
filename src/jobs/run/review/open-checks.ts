// Opens the checks of a run on its commits.

import type { Oid } from '../../../git/types.ts'
import type { ProjectRow } from '../../../postgres/schema.ts'
import type { GroupSettings } from '../../../projects/setting-groups.ts'
import { createFindDrift } from '../../sources/find-drift.ts'
import { budgetOf, type RunContext, type RunPart } from '../context.ts'
import type { Prepared } from '../prepare.ts'
import { openRunChecks, type RunChecks } from '../../review/run-checks.ts'

export type CheckSettings = GroupSettings['checks']

export function checkSettingsOf({ checks }: Pick<ProjectRow, 'checks'>): CheckSettings {
  const fallback: CheckSettings = { block: 'breaking', losses: 'show', grounding: 'show', ignore: [], sites: [] }
  return { ...fallback, ...(JSON.parse(checks) as Partial<CheckSettings>) }
}

/** The longest wait of a timer. */
const mostMs = 2 ** 31 - 1

type Branch = Pick<Prepared, 'base' | 'branch' | 'sources' | 'start'>

/** The caller closes them. They take no longer than the budget of the run allows. */
export function openChecks(
  context: RunPart<'db' | 'project' | 'repository' | 'run' | 'signal', 'budget' | 'facts' | 'git'>,
  branch: Branch,
  published: () => Promise<Oid | null> = () => findPublished(context, branch),
): RunChecks {
  const { deps, project, repository, signal } = context
  const deadline = AbortSignal.timeout(Math.min(budgetOf(context).seconds * 1_000, mostMs))
  return openRunChecks({
    repository,
    facts: deps.facts,
    settings: checkSettingsOf(project),
    base: branch.base.commit,
    start: branch.start,
    published,
    drift: openDrift(context, branch),
    signal: AbortSignal.any([signal, deadline]),
  })
}

function openDrift(
  { db, deps, project, repository }: RunPart<'db' | 'project' | 'repository', 'git'>,
  { base: { commit }, sources }: Branch,
) {
  const docs = { repository, commit }
  return createFindDrift({ db, git: deps.git, projectId: project.id, docs, isOver: false }, sources)
}

/** Returns the last commit that the agent published on the branch, if the branch still contains it. */
async function findPublished(
  { db, run, repository, signal }: Pick<RunContext, 'db' | 'repository' | 'run' | 'signal'>,
  { branch, start }: Pick<Branch, 'branch' | 'start'>,
): Promise<Oid | null> {
  const rows = await db
    .selectFrom('runs')
    .select('commit_id')
    .where('job_id', '=', run.job_id)
    .where('branch', '=', branch)
    .where('number', '<', run.number)
    .orderBy('number', 'desc')
    .execute()
  for (const { commit_id: commit } of rows) {
    if (commit === null || !(await repository.contains(commit, signal))) continue
    if (await repository.isAncestor(commit, start, signal)) return commit
  }
  return null
}
