// Checks the rest of a site after a run that checked only what its change could affect: fills in what its review does not know
// yet, and edits the service's part of the pull request. `rest_check_after` of the run has the time; claiming it moves that time
// forward, so processes share the work, and what a killed one began is done again.
//
//   run stored a review ─► run ended ─► claimed ─► stored ─► pull request edited ─► done
//                                          │          └─ (a failure that may pass, or the process dies) ─► due again
//                                          └─ a later run was checked, or nothing can be read any more ─► done

import { sql } from 'kysely'
import { isDrift } from '../../checks/finding.ts'
import { mapStrings } from '../../lib/outbound/map-strings.ts'
import { toFailure } from '../../lib/failure.ts'
import { createOverlay } from '../../git/write/overlay.ts'
import type { Repository } from '../../git/types.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { JobRow, ProjectRow, RunRow } from '../../postgres/schema.ts'
import type { Db } from '../../postgres/types.ts'
import { loadEdits } from '../edits/stored-edits.ts'
import { pullKeyOf } from '../pulls/pull.ts'
import { toReviewed } from '../review/check-review.ts'
import { parseReview } from '../review/load.ts'
import { type CheckReview, countsOf, type Review, type ReviewedFinding } from '../review/review.ts'
import { openRunChecks } from '../review/run-checks.ts'
import type { RunDeps } from '../run/context.ts'
import { sayChecks } from '../run/describe/review-facts.ts'
import { createFindDrift } from '../sources/find-drift.ts'
import { readRunSources } from '../sources/run-sources.ts'
import { checkSettingsOf } from '../run/review/open-checks.ts'
import { lockJob, updateJob } from '../store.ts'

export type RestDeps = Pick<RunDeps, 'db' | 'facts' | 'forge' | 'git' | 'redactor'> & {
  readonly log: Pick<Log, 'error' | 'warn'>
}
export type RestOptions = RestDeps & { readonly signal: AbortSignal }

/** Longer than a check takes. */
const claimSeconds = 900

/** Finishes the checks that are due, one after the other. Throws only errors of the database. */
export async function finishChecks(options: RestOptions): Promise<void> {
  for (;;) {
    const due = await claimDue(options.db)
    if (due === undefined || options.signal.aborted) return
    const isDone = await finish(options, due).catch((error: unknown) => isHopeless(options, due, error))
    if (isDone) await options.db.updateTable('runs').set({ rest_check_after: null }).where('id', '=', due).execute()
  }
}

async function claimDue(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`/* checks.claimRest */ update runs
    set rest_check_after = now() + make_interval(secs => ${claimSeconds})
    where id = (select runs.id from runs join jobs on jobs.id = runs.job_id
      where rest_check_after <= now() and runs.state = 'ended' and jobs.status <> 'active'
      order by rest_check_after limit 1 for update of runs skip locked)
    returning id`.execute(db)
  return rows[0]?.id
}

/** Makes those due that other processes have claimed. Only when no other process can be alive. */
export async function freeRestChecks(db: Db): Promise<void> {
  await sql`/* checks.freeRest */ update runs set rest_check_after = now() where rest_check_after > now()`.execute(db)
}

/** A failure that may pass is tried again when the claim ends. */
function isHopeless({ log, signal }: RestOptions, runId: string, error: unknown): boolean {
  if (signal.aborted) return false
  const { code, meaning } = toFailure(error)
  if (meaning.retry) log.warn({ err: error, code, runId }, 'the rest of a site could not be checked yet')
  else log.error({ err: error, runId }, 'the rest of a site could not be checked')
  return !meaning.retry
}

type Due = { readonly run: RunRow; readonly job: JobRow; readonly project: ProjectRow; readonly review: Review }

/** Returns whether nothing is left to do. */
async function finish(options: RestOptions, runId: string): Promise<boolean> {
  const due = await loadDue(options.db, runId)
  if (!due) return true
  const { remaining } = due.review.checks
  const checks = remaining === null ? await checkRest(options, due) : due.review.checks
  if (remaining === null && !(await storeChecks(options, due, checks))) return false
  const key = pullKeyOf(due.job)
  if (key) await options.forge.amend(due.project.id, key, partOf(options, due.job.id, checks), options.signal)
  return true
}

/** Undefined: a later run of the job was checked, so nobody sees this review. */
async function loadDue(db: Db, runId: string): Promise<Due | undefined> {
  const run = await db.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirst()
  const job = run && (await db.selectFrom('jobs').selectAll().where('id', '=', run.job_id).executeTakeFirst())
  const project =
    job && (await db.selectFrom('projects').selectAll().where('id', '=', job.project_id).executeTakeFirst())
  if (!project || run.review === null || !(await isLastReviewed(db, run))) return undefined
  return { run, job, project, review: parseReview(run.review) }
}

async function isLastReviewed(db: Db, { job_id: jobId, number }: RunRow): Promise<boolean> {
  const later = db.selectFrom('runs').select('id').where('job_id', '=', jobId).where('number', '>', number)
  return (await later.where('review', 'is not', null).executeTakeFirst()) === undefined
}

/** Checks again what the run has checked, and everything else. Keeps what the review says about the change. */
async function checkRest(options: RestOptions, { run, project, review }: Due): Promise<CheckReview> {
  const repository = options.git.repository(project.id, project.repository, project.fork)
  const start = await findStart(repository, run)
  const overlay = await createOverlay(repository, start, await loadEdits(options.db, run.id))
  const base = run.base_commit ?? start
  const { db, git } = options
  const docs = { repository, commit: base }
  const checks = openRunChecks({
    repository,
    facts: options.facts,
    settings: checkSettingsOf(project),
    base,
    start,
    // Nobody asks who brought a problem that is old.
    published: () => Promise.resolve(start),
    drift: createFindDrift({ db, git, projectId: project.id, docs, isOver: true }, readRunSources(run.sources)),
    signal: options.signal,
  })
  try {
    const all = toReviewed(await checks.check({ edits: overlay.edits(), extent: 'all' })).checks
    const { findings, coverage, drift } = mapStrings(all, options.redactor.hide)
    const late = findLate(review.checks.findings, findings)
    return {
      ...review.checks,
      introduced: review.checks.introduced + countOf(late, 'introduced'),
      fixed: review.checks.fixed + countOf(late, 'fixed'),
      remaining: all.remaining,
      coverage: { ...review.checks.coverage, site: coverage.site },
      drift,
      findings: [...review.checks.findings, ...late, ...findings.filter(({ state }) => state === 'remaining')],
    }
  } finally {
    checks.close()
  }
}

/** The drift that the change brings or fixes and that the run did not find: it compares little with the sources. */
function findLate(known: readonly ReviewedFinding[], all: readonly ReviewedFinding[]): readonly ReviewedFinding[] {
  const keyOf = ({ state, kind, path, target }: ReviewedFinding) => JSON.stringify([state, kind, path, target])
  const keys = new Set(known.map(keyOf))
  const late = all.filter((one) => isDrift(one) && one.state !== 'remaining' && !keys.has(keyOf(one)))
  return late.map((one) => ({ ...one, isLate: true }))
}

function countOf(findings: readonly ReviewedFinding[], state: ReviewedFinding['state']): number {
  return findings.filter((one) => one.state === state).length
}

async function findStart(
  repository: Repository,
  { start_commit: start, base_branch: branch, base_commit: base, id }: RunRow,
) {
  if (start === null) throw new Error(`The run ${id} was checked and has no start.`)
  await repository.ensure(base === null ? [start] : [start, base], { branch, branches: [] })
  return start
}

/** Returns false if the job works again: its next run is checked as a whole, or this one is due again. */
async function storeChecks({ db }: RestOptions, { run, job, review }: Due, checks: CheckReview): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const { status } = await lockJob(trx, job.id)
    if (status === 'active') return false
    const stored: Review = { ...review, checks }
    await trx
      .updateTable('runs')
      .set({ review: JSON.stringify(stored) })
      .where('id', '=', run.id)
      .execute()
    await updateJob(trx, job.id, { checks: JSON.stringify(countsOf(checks)) })
    return true
  })
}

/** The words of the pull request when the run ended, and those of today. */
function partOf({ redactor }: RestDeps, jobId: string, checks: CheckReview) {
  const late = checks.findings.filter(({ isLate }) => isLate)
  const before: CheckReview = {
    ...checks,
    introduced: checks.introduced - countOf(late, 'introduced'),
    fixed: checks.fixed - countOf(late, 'fixed'),
    remaining: null,
    findings: checks.findings.filter(({ state, isLate }) => state !== 'remaining' && !isLate),
  }
  const say = (one: CheckReview) =>
    redactor.redact(
      sayChecks(one)
        .filter((part) => part !== '')
        .join('\n\n'),
    )
  return { jobId, old: say(before), new: say(checks) }
}
