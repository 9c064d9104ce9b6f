// Deletes the branches of pull requests that have ended, as the project says: after the merge, two weeks after a close, or
// never. Only a branch that is at the commit that was merged, or that Docent published: commits of people stay. A branch that
// another open pull request has as its base or its head stays, too.
//
//   run published ─► (its pull request has ended) ─► claimed ─► merged ───────────────────► deleted ─► done
//                                                      │  ├───► closed ─► two weeks later ► deleted ─► done
//                                                      │  ├───► opened again, or used ─────► due again: after a day
//                                                      │  └───► no response ───────────────► due again: after an hour
//                                                      └─ moved, gone, or refused ───────────────────────────► done

import { sql } from 'kysely'
import { pullSettingsOf } from '../../forge/publication.ts'
import type { PullState } from '../../forge/host.ts'
import type { HostOf } from '../../forge/hosted.ts'
import type { Git } from '../../git/types.ts'
import type { ReadUpkeepTime } from '../../lib/clock.ts'
import { toFailure } from '../../lib/failure.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { ProjectRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { day, hour, minute } from '../pulls/polls.ts'

export type BranchOptions = {
  readonly db: Db
  readonly git: Git
  readonly hostOf: HostOf
  readonly upkeepTime: ReadUpkeepTime
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly signal: AbortSignal
}

/** Longer than one deletion takes. */
const claimSeconds = 10 * minute
const closedDays = 14
/** A closed pull request that is opened again later keeps its branch. */
const watchedDays = 30

/** Deletes the branches that are due, one after the other. Throws only errors of the database. */
export async function deleteBranches(options: BranchOptions): Promise<void> {
  for (;;) {
    const due = await claimDue(options.db)
    if (!due || options.signal.aborted) return
    const after = await judge(options, due).catch((error: unknown) => missedBy(options, due, error))
    await sql`/* branches.recordCheck */ update runs
      set branch_check_after = now() + make_interval(secs => ${after ?? null}::float8) where id = ${due.run_id}`.execute(
      options.db,
    )
  }
}

type Due = {
  readonly run_id: string
  readonly job_id: string
  readonly project_id: string
  readonly branch: string
  /** The commit that Docent published on the branch, as far as it knows. */
  readonly published: string | null
  readonly forge: string
  readonly closed_at: Date | null
}

/** The last of the runs that published the same branch counts. */
async function claimDue(db: Db): Promise<Due | undefined> {
  const { rows } = await sql<Due>`/* branches.claimDue */ update runs
    set branch_check_after = now() + make_interval(secs => ${claimSeconds})
    from jobs where jobs.id = runs.job_id and runs.id = (
      select due.id from runs due join jobs its on its.id = due.job_id
      where due.branch_check_after <= now() and due.branch is not null and its.status <> 'active'
        and (its.branch <> due.branch or its.pull_state in ('merged', 'closed'))
      order by due.branch_check_after limit 1 for update of due skip locked)
    returning runs.id as run_id, runs.job_id, jobs.project_id, runs.branch, runs.branch_closed_at as closed_at,
      coalesce(jobs.pull_forge, 'docent') as forge, case when jobs.branch = runs.branch and jobs.head_commit is not null
        then jobs.head_commit else coalesce(runs.commit_id, runs.expected_head) end as published`.execute(db)
  return rows[0]
}

/** Returns the seconds until the next look, or undefined if nothing is left to do. */
async function judge(options: BranchOptions, due: Due): Promise<number | undefined> {
  const project = await findProject(options.db, due.project_id)
  const { deleteBranch } = pullSettingsOf(project)
  if (deleteBranch === 'never' || (await isReplaced(options.db, due))) return undefined
  const pulls = await pullsOf(options, due)
  if (pulls.some(({ state }) => state === 'open')) return day
  const merged = pulls.findLast(({ state }) => state === 'merged')
  // Gitea does not say which commit was merged while the branch is there.
  const wanted = merged && (merged.head || due.published)
  if (wanted) return remove(options, due, { project, commit: wanted })
  if (merged || pulls.length === 0 || due.published === null) return undefined
  const now = await options.upkeepTime()
  const closedAt = due.closed_at ?? (await rememberClosed(options.db, due))
  if (!now) return day
  const days = (now.getTime() - closedAt.getTime()) / 1_000 / day
  if (deleteBranch === 'ended' && days >= closedDays) return remove(options, due, { project, commit: due.published })
  return days < watchedDays ? day : undefined
}

type Target = { readonly project: ProjectRow; readonly commit: string }

async function remove(options: BranchOptions, due: Due, { project, commit }: Target): Promise<number | undefined> {
  const { git, log, signal } = options
  const { branch, job_id: jobId } = due
  if (await isUsed(options, due)) return day
  const repository = git.repository(project.id, project.repository, project.fork)
  const { base, heads } = await repository.fetch({ branch: project.branch, branches: [branch] }, signal)
  if (heads.get(branch) !== commit || base.branch === branch) return undefined
  await repository.restoreBranch({ branch, expected: commit, to: null }, signal)
  log.info({ jobId, branch }, 'the branch of an ended pull request was deleted')
  return undefined
}

type Ended = { readonly state: PullState; readonly head: string }

async function pullsOf({ db, hostOf, signal }: BranchOptions, due: Due): Promise<readonly Ended[]> {
  const own = await db
    .selectFrom('pulls')
    .select(['state', 'head_commit as head'])
    .where('project_id', '=', due.project_id)
    .where('branch', '=', due.branch)
    .orderBy('number')
    .execute()
  const host = await hostOf(due.project_id, signal)
  const hosted = (await host?.listByBranch(due.branch, signal)) ?? []
  return [...own, ...hosted.map(({ state, head }) => ({ state, head: head.commit }))]
}

/** Whether another open pull request is to be merged into the branch. */
async function isUsed({ db, hostOf, signal }: BranchOptions, { project_id, branch }: Due): Promise<boolean> {
  const own = db.selectFrom('pulls').select('number').where('project_id', '=', project_id).where('base', '=', branch)
  if (await own.where('state', '=', 'open').executeTakeFirst()) return true
  const host = await hostOf(project_id, signal)
  return ((await host?.listOnto(branch, signal)) ?? []).length > 0
}

/** Whether a later run of the job published the same branch, or works on it. */
async function isReplaced(db: Db, { run_id: id, job_id: jobId, branch }: Due): Promise<boolean> {
  const { rows } = await sql`/* branches.later */ select 1 from runs later join runs this on this.id = ${id}
    where later.job_id = ${jobId} and later.branch = ${branch} and later.number > this.number
      and later.branch_check_after is not null limit 1`.execute(db)
  return rows.length > 0
}

async function rememberClosed(db: Db, { run_id: id }: Due): Promise<Date> {
  const set = { branch_closed_at: sql<Date>`now()` }
  const row = await db
    .updateTable('runs')
    .set(set)
    .where('id', '=', id)
    .returning('branch_closed_at')
    .executeTakeFirst()
  return row?.branch_closed_at ?? new Date()
}

function findProject(db: Db, id: string): Promise<ProjectRow> {
  return db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** A failure that may pass is tried again. */
function missedBy({ log, signal }: BranchOptions, { job_id: jobId, branch }: Due, error: unknown): number | undefined {
  if (signal.aborted) return 0
  const { code, meaning } = toFailure(error)
  log.warn({ err: error, code, jobId, branch }, 'the branch of an ended pull request could not be deleted')
  return meaning.retry ? hour : undefined
}
