// Starts the runs of automations that follow a branch: takes the commits that wait, skips those that do not concern the docs, and
// gives the others to one run. Judging may take long and is done outside of the transaction; what it finds only counts for commits
// that still wait.

import { sql } from 'kysely'
import type { AddJobContext } from '../../jobs/create.ts'
import { toFailure } from '../../lib/failure.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { AutomationCommitRow, AutomationRow, AutomationRunRow } from '../../postgres/schema/automations.ts'
import type { Db, Trx } from '../../postgres/types.ts'
import { type FollowingTrigger, isFollowing, triggerOf } from '../automation.ts'
import { lockForAutomations, type LockedForAutomations } from '../automations.ts'
import { lockRow } from '../lock-row.ts'
import { notifyOfFailure } from '../notify.ts'
import { countNamed, type GivenCommits, giveCommits } from '../runs/commit-range.ts'
import { findOpen } from '../runs/open.ts'
import { addRun, beginRun, isPaused } from '../runs/start.ts'
import { pauseIfTooOften } from '../runs/too-often.ts'
import { startOfDay } from '../schedule/days.ts'
import { type Judged, judgeCommits, type JudgeOptions } from './judge.ts'
import { findPlace, type Place } from './places.ts'
import { planTaking } from './settle-commits.ts'
import { isTakenAtOnce } from './store.ts'

export type TakeOptions = JudgeOptions &
  AddJobContext & {
    readonly log: Pick<Log, 'error' | 'warn'>
    /** Removes secrets of the service from what goes to a model. */
    readonly hide: (text: string) => string
  }

/** Commits of one run. */
const mostTaken = 500
const batch = 50
const hourMs = 3_600_000
const failedMs = 120_000
const claimMs = 600_000

/** Starts what is due. Throws only errors of the database. */
export async function takeCommits(options: TakeOptions): Promise<void> {
  for (const due of await findDue(options.db, options.clock.now())) {
    if (options.signal.aborted) return
    await takeOne(options, due).catch((error: unknown) => postpone(options, due, error))
  }
}

type Due = { readonly id: string; readonly projectId: string }

/** With commits that are due, or with a run that a person asked for. Not those that a process takes now, or could not read. */
async function findDue(db: Db, now: Date): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`/* automations.take_due */ select a.id, a.project_id as "projectId"
    from automation_positions p join automations a on a.id = p.automation_id
    where (p.retry_after is null or p.retry_after <= ${now})
      and not exists (select from automation_runs r where r.automation_id = a.id and settled_at is null and job_id is not null)
      and ((a.enabled and (a.ends_at is null or a.ends_at > ${now}) and p.take_after <= ${now})
        or exists (select from automation_runs r where r.automation_id = a.id and settled_at is null and ended_as is null))
    order by p.take_after limit ${batch}`.execute(db)
  return rows
}

/** For ten minutes: another process that found the same does nothing. */
async function claim(db: Db, automationId: string, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + claimMs)
  const { rows } = await sql`/* automations.claim_take */ update automation_positions set retry_after = ${until}
    where automation_id = ${automationId} and (retry_after is null or retry_after <= ${now}) returning automation_id`.execute(
    db,
  )
  return rows.length > 0
}

async function postpone({ db, log, clock, signal }: TakeOptions, { id }: Due, error: unknown): Promise<void> {
  const after = signal.aborted ? null : new Date(clock.now().getTime() + failedMs)
  if (!signal.aborted) {
    log.warn({ err: error, code: toFailure(error).code, automationId: id }, 'the commits of an automation wait')
  }
  await setRetryAfter(db, id, after)
}

async function setRetryAfter(db: Db | Trx, automationId: string, after: Date | null): Promise<void> {
  await db
    .updateTable('automation_positions')
    .set({ retry_after: after })
    .where('automation_id', '=', automationId)
    .execute()
}

async function takeOne(options: TakeOptions, { id, projectId }: Due): Promise<void> {
  const { db, clock } = options
  if (!(await claim(db, id, clock.now()))) return
  const automation = await db.selectFrom('automations').selectAll().where('id', '=', id).executeTakeFirst()
  const trigger = automation && triggerOf(automation)
  if (!trigger || !isFollowing(trigger)) return
  const place = await findPlace(db, projectId, trigger)
  const waiting = place === undefined ? [] : await readWaiting(db, id)
  const judged = place === undefined || trigger.type === 'docs' ? [] : await judgeCommits(options, place, waiting)
  await db.transaction().execute(async (trx) => {
    const project = await lockForAutomations(trx, projectId)
    const row = await lockRow(trx, id)
    if (!row) return
    await setRetryAfter(trx, id, null)
    // It was changed meanwhile.
    if (row.trigger !== automation.trigger) return
    const wanted = waiting.map(({ commit }) => commit)
    await take(trx, options, { automation: row, project, place, trigger, judged, wanted })
  })
}

/** Those that a person asked for are taken alone, so that the run is about nothing else. */
async function readWaiting(db: Db | Trx, automationId: string): Promise<readonly AutomationCommitRow[]> {
  const position = await db
    .selectFrom('automation_positions')
    .select('take')
    .where('automation_id', '=', automationId)
    .executeTakeFirst()
  const rows = await db
    .selectFrom('automation_commits')
    .selectAll()
    .where('automation_id', '=', automationId)
    .where('state', '=', 'waiting')
    .where('left_at', 'is', null)
    .orderBy(sql`asked_at is null`)
    .orderBy('ordinal')
    .limit(Math.min(position?.take ?? mostTaken, mostTaken))
    .execute()
  const asked = rows.filter(({ asked_at: at }) => at !== null)
  return asked.length > 0 ? asked : rows
}

type Taking = {
  readonly automation: AutomationRow
  readonly project: LockedForAutomations
  /** Undefined: the project has no such source any more. */
  readonly place: Place | undefined
  readonly trigger: FollowingTrigger
  readonly judged: readonly Judged[]
  /** The commits that were read before. */
  readonly wanted: readonly string[]
}

async function take(trx: Trx, options: TakeOptions, taking: Taking): Promise<void> {
  const { automation, place, trigger, judged, wanted } = taking
  const now = options.clock.now()
  const open = await findOpen(trx, automation, now)
  if (open.some(({ job_id: jobId }) => jobId !== null)) return
  const asked = open[0]
  const ending = { ...taking, asked, now }
  if (!place) return await endWithout(trx, ending, 'failed', 'The project has no such source any more.')
  if (asked && (!automation.enabled || (automation.ends_at !== null && automation.ends_at <= now))) {
    return await endWithout(trx, ending, 'skipped', isPaused)
  }
  const byId = new Map(judged.map((one) => [one.commit, one]))
  const waiting = (await readWaiting(trx, automation.id)).filter(({ commit }) => wanted.includes(commit))
  await storeScores(trx, automation.id, judged)
  const concerned = waiting.filter(({ commit }) => byId.get(commit)?.concernsDocs ?? true)
  await skip(
    trx,
    automation.id,
    waiting.filter((one) => !concerned.includes(one)),
    now,
  )
  // The rest waits for the next run.
  const [first, ...others] = concerned.slice(0, countNamed(concerned))
  if (first === undefined) {
    // Another process was faster.
    if (waiting.length === 0 && !asked) return await planTaking(trx, automation, now, isTakenAtOnce(trigger))
    const reason = waiting.length === 0 ? 'No commit waits.' : saySkipped(waiting.length)
    return await endWithout(trx, ending, 'skipped', reason)
  }
  if (asked === undefined && (await pauseIfTooOften(trx, automation, 'runs', now)) !== undefined) return
  const given = giveCommits(
    [first, ...others],
    { repository: place.repository, source: place.source?.name },
    options.hide,
  )
  await begin(trx, options, { ...taking, asked, given, taken: [first, ...others], now, trigger })
}

function saySkipped(count: number): string {
  return count === 1 ? 'The commit does not concern the docs.' : `The ${count} commits do not concern the docs.`
}

type Beginning = Taking & {
  readonly asked: AutomationRunRow | undefined
  readonly given: GivenCommits
  readonly taken: readonly AutomationCommitRow[]
  readonly now: Date
}

async function begin(trx: Trx, options: TakeOptions, beginning: Beginning): Promise<void> {
  const { automation, project, trigger, asked, given, taken, now } = beginning
  const row = asked ?? (await addRun(trx, { automation, by: { trigger: trigger.type }, now }, {}))
  const begun = await beginRun(trx, options, { automation, project, row, given, now })
  if (begun.job_id === null) {
    // The commits still wait. A cap holds them until tomorrow, and a person may have to repair what failed.
    const after = begun.ended_as === 'capped' ? startOfDay(project.time_zone, now, 1) : new Date(now.getTime() + hourMs)
    return await setTakeAfter(trx, automation.id, after)
  }
  await trx
    .updateTable('automation_commits')
    .set({ state: 'in_run', run_id: row.id, reason: null, decided_at: now })
    .where('automation_id', '=', automation.id)
    .where(
      'commit',
      'in',
      taken.map(({ commit }) => commit),
    )
    .execute()
  await setTakeAfter(trx, automation.id, null)
  await planTaking(trx, automation, now, true)
}

type Ending = Taking & { readonly asked: AutomationRunRow | undefined; readonly now: Date }

/** Ends the run that a person asked for, or adds one that says what was skipped. */
async function endWithout(trx: Trx, ending: Ending, how: 'failed' | 'skipped', reason: string): Promise<void> {
  const { automation, trigger, asked, wanted, now } = ending
  if (asked) {
    const set = { ended_as: how, reason, settled_at: now }
    await trx.updateTable('automation_runs').set(set).where('id', '=', asked.id).execute()
  } else if (wanted.length > 0) {
    await addRun(trx, { automation, by: { trigger: trigger.type }, now }, { ended_as: how, reason })
  }
  if (how === 'failed' && asked) await notifyOfFailure(trx, automation)
  await setTakeAfter(trx, automation.id, null)
  const isPart = wanted.length >= mostTaken
  if (how === 'skipped') await planTaking(trx, automation, now, isPart || isTakenAtOnce(trigger))
}

async function setTakeAfter(trx: Trx, automationId: string, after: Date | null): Promise<void> {
  await trx
    .updateTable('automation_positions')
    .set({ take_after: after })
    .where('automation_id', '=', automationId)
    .execute()
}

async function storeScores(trx: Trx, automationId: string, judged: readonly Judged[]): Promise<void> {
  const scored = judged.filter(({ score }) => score !== null)
  if (scored.length === 0) return
  const [commits, scores] = [scored.map(({ commit }) => commit), scored.map(({ score }) => score)]
  await sql`/* automations.scores */ update automation_commits c set score = one.score
    from unnest(${commits}::text[], ${scores}::float8[]) as one (commit, score)
    where c.automation_id = ${automationId} and c.commit = one.commit`.execute(trx)
}

async function skip(trx: Trx, automationId: string, skipped: readonly AutomationCommitRow[], now: Date): Promise<void> {
  if (skipped.length === 0) return
  await trx
    .updateTable('automation_commits')
    .set({ state: 'skipped', reason: 'It does not concern the docs.', decided_at: now })
    .where('automation_id', '=', automationId)
    .where(
      'commit',
      'in',
      skipped.map(({ commit }) => commit),
    )
    .execute()
}
